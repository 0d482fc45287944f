import pMap from 'p-map';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../schemas/durations.ts';
import type { Clock } from '../../../platform/shared/time/clock.ts';
import type { Interval } from '../../../platform/shared/time/interval.ts';
import { monthOf } from '../../../platform/shared/time/month.ts';
import type { Tenant } from '../../../platform/tenancy/tenant.ts';
import { addContent, type Content, isSameContent, noContent } from '../../records/content.ts';
import type { LedgerReader } from '../../records/ledger.store.ts';
import { LENGTH, startOf } from '../grain.ts';
import { endOf, type OpenPeriod } from '../openPeriod.store.ts';
import type { RollupHead, RollupWriter } from '../rollupWriter.store.ts';
import { contentOfMinutes, partitionsIn, shardOf } from '../summing/sumMinutes.ts';

/** Partitions, and sums of hours, that are read at the same time. */
const CONCURRENCY = 8;
/** Most versions that are read between two looks at the time, by what the sums know of. Reading them takes a few seconds. */
const VERSIONS_MAXIMUM = 20_000;

const contentIn = (heads: readonly RollupHead[]): Content =>
  heads.map(({ content }) => content).reduce(addContent, noContent);
const minuteOf = (start: number): number => start / MINUTE_MS;

/** Minutes (since the epoch) to sum again, and what is not compared yet. */
interface Differences {
  /** Their sums, or those of their hour or day, were made from other versions. */
  readonly differing: readonly number[];
  /** Their groups do not tell a tag apart that is watched now. */
  readonly untagged: readonly number[];
  /** The time was over before these parts. */
  readonly left: readonly Interval[];
}

/** The fewest parts of whole minutes with at most {@link VERSIONS_MAXIMUM} versions each, as far as the sums know. */
export const partsByVersions = (
  { from, to }: Interval,
  heads: readonly Pick<RollupHead, 'start' | 'content'>[],
): Interval[] => {
  const parts: { from: number; to: number }[] = [];
  let versions = 0;
  for (let start = from; start < to; start += MINUTE_MS) {
    const own = heads
      .filter((head) => head.start === start)
      .reduce((sum, head) => sum + head.content.versions, 0);
    const part = parts.at(-1);
    versions += own;
    if (part !== undefined && versions <= VERSIONS_MAXIMUM) part.to = start + MINUTE_MS;
    else {
      parts.push({ from: start, to: start + MINUTE_MS });
      versions = own;
    }
  }
  return parts;
};

/**
 * Returns a function that compares the rollups of a period within one UTC hour with the ledger, by content: whatever adds,
 * changes or removes a version, its minute then differs. The sum of an hour or day is compared with its parts. It begins
 * with at least one part of the period, and returns the others when the time is over.
 */
export const differenceFinder = (stores: {
  readonly ledger: Pick<LedgerReader, 'months' | 'read'>;
  readonly rollups: Pick<RollupWriter, 'readHeads' | 'openPeriods'>;
  readonly watchedTags: (tenantId: string) => Promise<ReadonlySet<string>>;
  readonly clock: Clock;
}) => {
  const { ledger, rollups, watchedTags, clock } = stores;

  /** The minutes of a part whose sums were made from other versions than those of the ledger. */
  const findMinutes = async (
    tenantId: string,
    partitions: readonly string[],
    part: Interval,
    heads: readonly RollupHead[],
  ): Promise<number[]> => {
    const found = await pMap(
      partitions,
      async (partition) => {
        const stored = await contentOfMinutes(ledger, { tenantId, partition, period: part });
        const shard = shardOf(partition);
        const summed = new Map(
          heads.filter((head) => head.shard === shard).map(({ start, content }) => [start, content]),
        );
        return [...new Set([...stored.keys(), ...summed.keys()])].filter(
          (start) =>
            part.from <= start &&
            start < part.to &&
            !isSameContent(stored.get(start) ?? noContent, summed.get(start) ?? noContent),
        );
      },
      { concurrency: CONCURRENCY },
    );
    return found.flat().map(minuteOf);
  };

  /** What a period was summed from: its own sum, or its parts while it is open. */
  const contentsOf = async (
    tenantId: string,
    { grain, start }: OpenPeriod,
    open: readonly OpenPeriod[],
  ): Promise<{ readonly stored: Content; readonly parts: Content }> => {
    const heads = await rollups.readHeads(tenantId, { grain, from: start, to: start + LENGTH[grain] });
    if (grain === 'hour') {
      const range = { grain: 'minute', from: start, to: start + HOUR_MS } as const;
      return { stored: contentIn(heads), parts: contentIn(await rollups.readHeads(tenantId, range)) };
    }
    const hours = await rollups.readHeads(tenantId, { grain: 'hour', from: start, to: start + DAY_MS });
    const openHours = open.filter((one) => one.grain === 'hour' && startOf('day', one.start) === start);
    const closed = hours.filter((hour) => !openHours.some((one) => one.start === hour.start));
    const inOpen = await pMap(openHours, async (hour) => (await contentsOf(tenantId, hour, open)).parts);
    return { stored: contentIn(heads), parts: inOpen.reduce(addContent, contentIn(closed)) };
  };

  /** Whether the stored sum of the hour or day of an instant differs from its parts. */
  const haveOtherParts = async (tenantId: string, at: number): Promise<boolean> => {
    const open = await rollups.openPeriods(tenantId);
    for (const grain of ['hour', 'day'] as const) {
      const period = { grain, start: startOf(grain, at) };
      const isOpen = open.some((one) => one.grain === grain && one.start === period.start);
      if (isOpen || endOf(period) > clock()) continue;
      const { stored, parts } = await contentsOf(tenantId, period, open);
      if (!isSameContent(stored, parts)) return true;
    }
    return false;
  };

  return async (tenant: Tenant, period: Interval, hasTime: () => boolean): Promise<Differences> => {
    const { tenant_id: tenantId } = tenant;
    const [partitions, heads, tags] = await Promise.all([
      partitionsIn(ledger, tenant, monthOf(period.from)),
      rollups.readHeads(tenantId, { grain: 'minute', ...period }),
      watchedTags(tenantId),
    ]);
    const differing = new Set<number>();
    const parts = partsByVersions(period, heads);
    let done = 0;
    do {
      const part = parts[done];
      if (part === undefined) break;
      for (const minute of await findMinutes(tenantId, partitions, part, heads)) differing.add(minute);
      done += 1;
    } while (hasTime());
    const beginsHour = period.from === startOf('hour', period.from);
    if (beginsHour && (await haveOtherParts(tenantId, period.from))) differing.add(minuteOf(period.from));
    const untagged = heads.filter((head) => [...tags].some((tag) => !head.tags.includes(tag)));
    return {
      differing: [...differing],
      untagged: [...new Set(untagged.map(({ start }) => minuteOf(start)))],
      left: parts.slice(done),
    };
  };
};
export type FindDifferences = ReturnType<typeof differenceFinder>;
