import pMap from 'p-map';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../schemas/durations.ts';
import type { Clock } from '../../../platform/shared/time/clock.ts';
import { monthOf } from '../../../platform/shared/time/month.ts';
import type { Tenant } from '../../../platform/tenancy/tenant.ts';
import { addContent, type Content, isSameContent, noContent } from '../../records/content.ts';
import type { LedgerReader } from '../../records/ledger.store.ts';
import type { CountVersions } from '../../records/query/versionCount.store.ts';
import { LENGTH, startOf } from '../grain.ts';
import { endOf, type OpenPeriod } from '../openPeriod.store.ts';
import type { RollupHead, RollupWriter } from '../rollupWriter.store.ts';
import { partitionsIn, shardOf } from '../summing/sumMinutes.ts';

/** Counts of one hour in progress at the same time. */
const CONCURRENCY = 8;

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);
const contentIn = (heads: readonly RollupHead[]): Content =>
  heads.map(({ content }) => content).reduce(addContent, noContent);
const versionsIn = (heads: readonly RollupHead[]): number => contentIn(heads).versions;
const minuteOf = (start: number): number => start / MINUTE_MS;

/** Minutes (since the epoch) to sum again. */
interface Differences {
  /** Their sums, or those of their hour or day, lack a version. */
  readonly missing: readonly number[];
  /** Their groups do not tell a tag apart that is watched now. */
  readonly untagged: readonly number[];
}

/**
 * Returns a function that compares the rollups of an hour with the ledger. Each write of the service adds a version, so equal
 * numbers of versions mean that none is missing. What changes or removes versions (restore, erasure) marks their minutes itself.
 * The sum of a period is compared with its parts by content.
 */
export const differenceFinder = (stores: {
  readonly ledger: Pick<LedgerReader, 'months'>;
  readonly countVersions: CountVersions;
  readonly rollups: Pick<RollupWriter, 'readHeads' | 'openPeriods'>;
  readonly watchedTags: (tenantId: string) => Promise<ReadonlySet<string>>;
  readonly clock: Clock;
}) => {
  const { ledger, countVersions, rollups, watchedTags, clock } = stores;

  /** Each minute of an hour, compared with each ledger partition. */
  const findMinutes = async (
    partitions: readonly string[],
    hour: number,
    heads: readonly RollupHead[],
  ): Promise<number[]> => {
    const starts = Array.from({ length: 60 }, (_, index) => hour + index * MINUTE_MS);
    const found = await pMap(
      starts.flatMap((start) => partitions.map((partition) => ({ start, partition }))),
      async ({ start, partition }) => {
        const shard = shardOf(partition);
        const head = heads.find((one) => one.start === start && one.shard === shard);
        const count = await countVersions(partition, { from: start, to: start + MINUTE_MS });
        return count === (head?.content.versions ?? 0) ? [] : [minuteOf(start)];
      },
      { concurrency: CONCURRENCY },
    );
    return [...new Set(found.flat())];
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

  return async (tenant: Tenant, hour: number): Promise<Differences> => {
    const { tenant_id: tenantId } = tenant;
    const partitions = await partitionsIn(ledger, tenant, monthOf(hour));
    const period = { from: hour, to: hour + HOUR_MS };
    const [heads, tags, open] = await Promise.all([
      rollups.readHeads(tenantId, { grain: 'minute', ...period }),
      watchedTags(tenantId),
      rollups.openPeriods(tenantId),
    ]);
    const counts = await pMap(partitions, (partition) => countVersions(partition, period), {
      concurrency: CONCURRENCY,
    });
    const differing = sumOf(counts) === versionsIn(heads) ? [] : await findMinutes(partitions, hour, heads);
    const untagged = heads.filter((head) => [...tags].some((tag) => !head.tags.includes(tag)));
    const found = new Set(differing);
    const periods = [
      { grain: 'hour', start: hour },
      { grain: 'day', start: startOf('day', hour) },
    ] as const;
    for (const one of periods) {
      const isOpen = open.some(({ grain, start }) => grain === one.grain && start === one.start);
      if (isOpen || endOf(one) > clock()) continue;
      const { stored, parts } = await contentsOf(tenantId, one, open);
      if (!isSameContent(stored, parts)) found.add(minuteOf(hour));
    }
    return {
      missing: [...found],
      untagged: [...new Set(untagged.map(({ start }) => minuteOf(start)))],
    };
  };
};
export type FindDifferences = ReturnType<typeof differenceFinder>;
