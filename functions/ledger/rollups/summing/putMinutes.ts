import pMap from 'p-map';
import { MINUTE_MS } from '../../../../schemas/durations.ts';
import { memoizeAsync } from '../../../platform/shared/caches/memoizeAsync.ts';
import type { Clock } from '../../../platform/shared/time/clock.ts';
import type { Interval } from '../../../platform/shared/time/interval.ts';
import { monthOf } from '../../../platform/shared/time/month.ts';
import type { Tenant } from '../../../platform/tenancy/tenant.ts';
import { noContent } from '../../records/content.ts';
import type { LedgerReader } from '../../records/ledger.store.ts';
import type { LimitGroups } from '../groupLimit.ts';
import { NO_ROLLUP, type RollupHead, type RollupRevision, type RollupWriter } from '../rollupWriter.store.ts';
import type { PutRollup } from './putRollup.ts';
import { type MinuteSum, partitionsIn, shardOf, sumMinutes } from './sumMinutes.ts';

/** Minute rollups written in parallel. */
const CONCURRENCY = 8;
/** Ledger partitions read in parallel. */
const PARTITION_CONCURRENCY = 8;

/** Months of a run whose ledger partitions are remembered. */
const MONTHS_CAPACITY = 24;

const NO_SUM: MinuteSum = { groups: [], content: noContent };

const unitKey = (start: number, shard: number): string => `${start} ${shard}`;

export interface MinuteStores {
  readonly ledger: LedgerReader;
  readonly rollups: RollupWriter;
  readonly limitGroups: LimitGroups;
  /** The tags that budgets of a tenant name, read anew at each call. */
  readonly watchedTags: (tenantId: string) => Promise<ReadonlySet<string>>;
  /** Learns how many records a minute has. */
  readonly observeMinute?: (tenantId: string, records: number) => Promise<void>;
  readonly clock: Clock;
}

interface MinutesToPut {
  /** What is read, within one hour. */
  readonly range: Interval;
  /** The starts of the minutes in the range whose sums are written. */
  readonly changed: readonly number[];
  /** The only ledger shard; undefined for all. */
  readonly shard: number | undefined;
  /** Most pages to read of a ledger partition. */
  readonly pages?: number | undefined;
}

/** What the sums of minutes are made with. */
interface Sources {
  readonly tenant: Tenant;
  /** The tags that groups tell apart, besides the cost allocation tags. */
  readonly watched: ReadonlySet<string>;
}

/**
 * Returns a function that starts a run for a tenant. A run sums and stores changed minutes of ranges, for each ledger shard. It
 * resolves to whether they are all stored: with `pages`, a shard that has more of them in the range is not.
 */
export const minutePutter = (stores: MinuteStores, putRollup: PutRollup) => {
  const { ledger, rollups, limitGroups, watchedTags, observeMinute, clock } = stores;

  /**
   * Sums the minutes of a range in one ledger partition. Call it after the revisions are read. Reads at most `pages`, and says
   * whether these were all.
   */
  const sumPartition = async (
    { tenant, watched }: Sources,
    partition: string,
    period: Interval,
    pages?: number,
  ) => {
    const { tenant_id: tenantId, cost_allocation_tags: costAllocation } = tenant;
    const asOf = clock();
    const tags = { watched, costAllocation };
    const { minutes, isWhole } = await sumMinutes(ledger, { tenantId, partition, period, asOf, tags, pages });
    const sumOf = async (start: number) => {
      const { groups, content } = minutes.get(start) ?? NO_SUM;
      const limited = groups.length === 0 ? groups : await limitGroups(tenantId, monthOf(start), groups);
      return { asOf, content, groups: limited, tags: [...watched].sort() };
    };
    return { sumOf, isWhole };
  };

  /**
   * Recomputes the changed minutes of a range in one ledger partition. Returns their versions, or null if the range has more than
   * `pages`: then nothing is written.
   */
  const putPartition = async (
    sources: Sources,
    partition: string,
    { range, changed, pages }: MinutesToPut,
    revisions: ReadonlyMap<string, RollupRevision>,
  ): Promise<ReadonlyMap<string, number> | null> => {
    const { tenant_id: tenantId } = sources.tenant;
    const shard = shardOf(partition);
    const { sumOf, isWhole } = await sumPartition(sources, partition, range, pages);
    if (!isWhole) return null;
    const counted = await pMap(
      changed,
      async (start) => {
        const key = unitKey(start, shard);
        const revision = revisions.get(key) ?? NO_ROLLUP;
        const sum = await sumOf(start);
        // A minute of a shard that has no records needs no item.
        if (sum.content.versions === 0 && revision === NO_ROLLUP) return [key, 0] as const;
        const unit = { grain: 'minute', start, shard } as const;
        if (!(await rollups.put(tenantId, { ...unit, ...sum }, revision))) {
          // Another writer was faster.
          const period = { from: start, to: start + MINUTE_MS };
          await putRollup(tenantId, unit, async () => {
            const latest = { ...sources, watched: await watchedTags(tenantId) };
            return (await sumPartition(latest, partition, period)).sumOf(start);
          });
        }
        return [key, sum.content.versions] as const;
      },
      { concurrency: CONCURRENCY },
    );
    return new Map(counted);
  };

  return (tenant: Tenant) => {
    const { tenant_id: tenantId } = tenant;
    // Marks are read before a run. A shard that is added later has marks of its own.
    const partitionsOf = memoizeAsync<string[]>(MONTHS_CAPACITY);
    let known: ReadonlySet<string> | undefined;

    /** A sum that another run stored with further tags shows that a budget has come since they were read. */
    const watchedSince = async (heads: readonly RollupHead[]): Promise<ReadonlySet<string>> => {
      const isOlder = heads.some(({ tags }) => tags.some((tag) => known?.has(tag) !== true));
      if (known === undefined || isOlder) known = await watchedTags(tenantId);
      return known;
    };

    return async (minutes: MinutesToPut): Promise<boolean> => {
      const { range, changed, shard } = minutes;
      const heads = await rollups.readHeads(tenantId, { grain: 'minute', ...range });
      const revisions = new Map(
        heads.map((head) => [unitKey(head.start, head.shard), head.revision] as const),
      );
      const month = monthOf(range.from);
      const partitions = await partitionsOf(month, () => partitionsIn(ledger, tenant, month));
      const sources = { tenant, watched: await watchedSince(heads) };
      const counted = await pMap(
        partitions.filter((partition) => shard === undefined || shardOf(partition) === shard),
        (partition) => putPartition(sources, partition, minutes, revisions),
        { concurrency: PARTITION_CONCURRENCY },
      );
      if (counted.includes(null)) return false;
      const before = heads.map((head) => [unitKey(head.start, head.shard), head.content.versions] as const);
      const versions = new Map([...before, ...counted.flatMap((own) => [...(own ?? [])])]);
      for (const start of changed) {
        const shards = partitions.map((partition) => versions.get(unitKey(start, shardOf(partition))) ?? 0);
        await observeMinute?.(
          tenantId,
          shards.reduce((sum, count) => sum + count, 0),
        );
      }
      return true;
    };
  };
};
