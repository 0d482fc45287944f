import pMap from 'p-map';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../schemas/durations.ts';
import { memoizeAsync } from '../../../platform/shared/caches/memoizeAsync.ts';
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

/** Reads a value when it is first needed, once. */
const once = <Value>(read: () => Promise<Value>): (() => Promise<Value>) => {
  const memory = memoizeAsync<Value>(1);
  return () => memory('', read);
};

/**
 * Returns a function that begins a comparison of the rollups of a tenant with its ledger, which reads once what its hours
 * share. The comparison takes a period within one UTC hour. It compares by content: whatever adds, changes or removes a
 * version, its minute then differs. The sum of an hour or day is compared with its parts. It begins with at least one part of
 * the period, and returns the others when the time is over.
 */
export const differenceFinder =
  (stores: {
    readonly ledger: Pick<LedgerReader, 'months' | 'read'>;
    readonly rollups: Pick<RollupWriter, 'readHeads' | 'openPeriods'>;
    readonly watchedTags: (tenantId: string) => Promise<ReadonlySet<string>>;
    readonly clock: Clock;
  }) =>
  (tenant: Tenant) => {
    const { ledger, rollups, watchedTags, clock } = stores;
    const { tenant_id: tenantId } = tenant;
    const months = once(() => ledger.months(tenantId));
    const tagsNow = once(() => watchedTags(tenantId));
    const openPeriods = once(() => rollups.openPeriods(tenantId));

    /** The minutes of a part whose sums were made from other versions than those of the ledger. */
    const findMinutes = async (
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
      const inOpen = await pMap(openHours, async (hour) => (await contentsOf(hour, open)).parts);
      return { stored: contentIn(heads), parts: inOpen.reduce(addContent, contentIn(closed)) };
    };

    /** Whether the stored sum of a period differs from its parts. */
    const hasOtherParts = async (period: OpenPeriod): Promise<boolean> => {
      const open = await openPeriods();
      const isOpen = open.some(({ grain, start }) => grain === period.grain && start === period.start);
      if (isOpen || endOf(period) > clock()) return false;
      const { stored, parts } = await contentsOf(period, open);
      return !isSameContent(stored, parts);
    };
    /** The hours of a day share the comparison of the day. */
    const comparedDays = memoizeAsync<boolean>(1);

    return async (period: Interval, hasTime: () => boolean): Promise<Differences> => {
      const [partitions, heads, tags] = await Promise.all([
        partitionsIn({ months }, tenant, monthOf(period.from)),
        rollups.readHeads(tenantId, { grain: 'minute', ...period }),
        tagsNow(),
      ]);
      const differing = new Set<number>();
      const parts = partsByVersions(period, heads);
      let done = 0;
      do {
        const part = parts[done];
        if (part === undefined) break;
        for (const minute of await findMinutes(partitions, part, heads)) differing.add(minute);
        done += 1;
      } while (hasTime());
      const [hour, day] = [startOf('hour', period.from), startOf('day', period.from)];
      const isDifferent =
        period.from === hour &&
        ((await hasOtherParts({ grain: 'hour', start: hour })) ||
          (await comparedDays(String(day), () => hasOtherParts({ grain: 'day', start: day }))));
      if (isDifferent) differing.add(minuteOf(hour));
      const untagged = heads.filter((head) => [...tags].some((tag) => !head.tags.includes(tag)));
      return {
        differing: [...differing],
        untagged: [...new Set(untagged.map(({ start }) => minuteOf(start)))],
        left: parts.slice(done),
      };
    };
  };
export type FindDifferences = ReturnType<typeof differenceFinder>;
