import pMap from 'p-map';
import { MINUTE_MS } from '../../../../schemas/durations.ts';
import { memoizeAsync } from '../../../platform/shared/caches/memoizeAsync.ts';
import { CONFLICT, retryOnConflict } from '../../../platform/shared/retry/retryOnConflict.ts';
import type { Clock } from '../../../platform/shared/time/clock.ts';
import type { Interval } from '../../../platform/shared/time/interval.ts';
import { monthOf } from '../../../platform/shared/time/month.ts';
import { toIso } from '../../../platform/shared/time/toIso.ts';
import type { Tenant } from '../../../platform/tenancy/tenant.ts';
import { noContent } from '../../records/content.ts';
import type { LedgerReader } from '../../records/ledger.store.ts';
import { startOf } from '../grain.ts';
import type { LimitGroups } from '../groupLimit.ts';
import { endOf, type OpenPeriod } from '../openPeriod.store.ts';
import { type CountedRollup, mergeRollups } from '../rollup.ts';
import type { RollupUnit } from '../rollupItem.ts';
import { NO_ROLLUP, type RollupRevision, type RollupWriter } from '../rollupWriter.store.ts';
import { minuteRangesOf } from './minuteRanges.ts';
import { type MinuteSum, partitionsIn, shardOf, sumMinutes } from './sumMinutes.ts';

/** Optimistic lock: each round at least one writer succeeds, so this many concurrent writers of one rollup all finish. */
const MAX_ATTEMPTS = 40;
/** Minute rollups written in parallel. */
const CONCURRENCY = 8;
/** Ledger partitions read in parallel. */
const PARTITION_CONCURRENCY = 8;
/** A period is closed this long after its end, more than the clocks of two machines differ. */
export const CLOSE_AFTER_MS = 2 * MINUTE_MS;
/** Most hours and days of tenants that a process remembers as open. */
const OPENED_CAPACITY = 10_000;

const NO_SUM: MinuteSum = { groups: [], content: noContent };

const unitKey = (start: number, shard: number): string => `${start} ${shard}`;

export interface RollupComputerStores {
  readonly ledger: LedgerReader;
  readonly rollups: RollupWriter;
  readonly limitGroups: LimitGroups;
  /** The tags that budgets of a tenant name, read anew at each call. */
  readonly watchedTags: (tenantId: string) => Promise<ReadonlySet<string>>;
  /** Learns how many records a minute has. */
  readonly observeMinute?: (tenantId: string, records: number) => Promise<void>;
  readonly clock: Clock;
  /** Backoff after a write conflict. `attempt` starts at 1. */
  readonly pause?: (attempt: number) => Promise<unknown>;
}

/**
 * Returns a function that recomputes the rollups of changed minutes. The sum of a minute and ledger shard is read from its
 * records. The sums of the hour and day that contain it are stored after their end; before, they are open and readers add
 * up the minutes. Totals are never incremented, so they stay exact under duplicates, late events, corrections and crashes.
 *
 * A writer reads the revision of a sum first and its sources second. When the revision has changed at the write, the writer
 * lost against another one and reads again. So a sum never lacks what its last writer could read. Whether a period has ended
 * is decided after its minutes are written: a writer that was late then stores the sum of the period itself.
 */
export const rollupComputer = (stores: RollupComputerStores) => {
  const { ledger, rollups, limitGroups, watchedTags, observeMinute, clock, pause } = stores;
  const once = memoizeAsync<void>(OPENED_CAPACITY);

  const putWithRetry = (
    tenantId: string,
    unit: RollupUnit,
    sum: () => Promise<
      Pick<CountedRollup, 'asOf' | 'content' | 'groups'> & { readonly tags?: readonly string[] }
    >,
  ): Promise<void> => {
    const putOnce = async (): Promise<undefined | typeof CONFLICT> => {
      const expectedRevision = await rollups.readRevision(tenantId, unit.grain, unit.start, unit.shard);
      return (await rollups.put(tenantId, { ...unit, ...(await sum()) }, expectedRevision))
        ? undefined
        : CONFLICT;
    };
    const subject = `the ${unit.grain} rollup of ${toIso(unit.start)}`;
    return retryOnConflict(putOnce, { maxAttempts: MAX_ATTEMPTS, subject, ...(pause && { pause }) });
  };

  /** Sums the minutes of a range in one ledger partition. Call it after the revisions are read. */
  const sumPartition = async (tenant: Tenant, partition: string, period: Interval) => {
    const { tenant_id: tenantId, cost_allocation_tags: costAllocation } = tenant;
    const watched = await watchedTags(tenantId);
    const asOf = clock();
    const tags = { watched, costAllocation };
    const sums = await sumMinutes(ledger, { tenantId, partition, period, asOf, tags });
    return async (start: number) => {
      const { groups, content } = sums.get(start) ?? NO_SUM;
      const limited = groups.length === 0 ? groups : await limitGroups(tenantId, monthOf(start), groups);
      return { asOf, content, groups: limited, tags: [...watched].sort() };
    };
  };

  /** Recomputes the minutes of a range that are in `changed`, in one ledger partition. Returns their versions. */
  const putPartition = async (
    tenant: Tenant,
    partition: string,
    range: Interval,
    changed: readonly number[],
    revisions: ReadonlyMap<string, RollupRevision>,
  ): Promise<ReadonlyMap<string, number>> => {
    const { tenant_id: tenantId } = tenant;
    const shard = shardOf(partition);
    const sumOf = await sumPartition(tenant, partition, range);
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
          await putWithRetry(tenantId, unit, async () =>
            (await sumPartition(tenant, partition, period))(start),
          );
        }
        return [key, sum.content.versions] as const;
      },
      { concurrency: CONCURRENCY },
    );
    return new Map(counted);
  };

  const putRange = async (
    tenant: Tenant,
    range: Interval,
    changed: readonly number[],
    shard: number | undefined,
  ): Promise<void> => {
    const { tenant_id: tenantId } = tenant;
    const heads = await rollups.readHeads(tenantId, { grain: 'minute', ...range });
    const revisions = new Map(heads.map((head) => [unitKey(head.start, head.shard), head.revision] as const));
    const partitions = await partitionsIn(ledger, tenant, monthOf(range.from));
    const counted = await pMap(
      partitions.filter((partition) => shard === undefined || shardOf(partition) === shard),
      (partition) => putPartition(tenant, partition, range, changed, revisions),
      { concurrency: PARTITION_CONCURRENCY },
    );
    const before = heads.map((head) => [unitKey(head.start, head.shard), head.content.versions] as const);
    const versions = new Map([...before, ...counted.flatMap((own) => [...own])]);
    for (const start of changed) {
      const shards = partitions.map((partition) => versions.get(unitKey(start, shardOf(partition))) ?? 0);
      await observeMinute?.(
        tenantId,
        shards.reduce((sum, count) => sum + count, 0),
      );
    }
  };

  const open = async ({ tenant_id: id, created_at: since }: Tenant, start: number): Promise<void> => {
    for (const grain of ['hour', 'day'] as const) {
      const period = { grain, start: startOf(grain, start) };
      if (endOf(period) <= clock()) continue;
      // An id may be given to another tenant after its first one was erased.
      await once(`${id} ${since} ${grain} ${period.start}`, () => rollups.openPeriod(id, period));
    }
  };

  const FINER = { day: 'hour', hour: 'minute' } as const;

  /** Stores the sum of a period if it has ended. */
  const close = async (
    tenantId: string,
    period: OpenPeriod,
    openPeriods: () => Promise<readonly OpenPeriod[]>,
  ): Promise<void> => {
    if (endOf(period) > clock()) return;
    const { grain, start } = period;
    const stillOpen = await openPeriods();
    await putWithRetry(tenantId, { grain, start, shard: 0 }, async () => {
      const asOf = clock();
      const parts = await rollups.read(tenantId, { grain: FINER[grain], from: start, to: endOf(period) });
      return { ...(parts.length === 0 ? NO_SUM : mergeRollups(period, parts)), asOf };
    });
    const isOpen = stillOpen.some((one) => one.grain === grain && one.start === start);
    if (isOpen && clock() >= endOf(period) + CLOSE_AFTER_MS) await rollups.closePeriod(tenantId, period);
  };

  /**
   * `minutes` are counted since the epoch. Returns those whose sums, or the sums of their hours and days, are not written
   * because `hasTime` returned false, or because of `failure`: the first failure, which does not stop other hours. At least
   * one range is always attempted, with its hour and day, so what follows after the time is over is bounded. `shard` limits
   * it to one ledger shard.
   */
  return async (
    tenant: Tenant,
    minutes: readonly number[],
    hasTime: () => boolean = () => true,
    shard?: number,
  ): Promise<{ readonly left: number[]; readonly failure?: unknown }> => {
    const { tenant_id: tenantId } = tenant;
    const starts = [...new Set(minutes)]
      .sort((one, other) => one - other)
      .map((minute) => minute * MINUTE_MS);
    const failures: unknown[] = [];
    const done = new Set<number>();
    let isFirst = true;
    /** Read once. A period that is opened later is closed by the writer that opened it, or by the sweep. */
    let read: Promise<readonly OpenPeriod[]> | undefined;
    const openPeriods = () => {
      read ??= rollups.openPeriods(tenantId);
      return read;
    };

    /** Resolves to the minutes of an hour that are summed. */
    const sumHour = async (hour: number, own: readonly number[]): Promise<number[]> => {
      const summed: number[] = [];
      for (const range of minuteRangesOf(own)) {
        if (!isFirst && !hasTime()) break;
        isFirst = false;
        const changed = own.filter((start) => range.from <= start && start < range.to);
        await open(tenant, range.from);
        await putRange(tenant, range, changed, shard);
        summed.push(...changed);
      }
      if (summed.length > 0) await close(tenantId, { grain: 'hour', start: hour }, openPeriods);
      return summed;
    };
    const orFailure = async (work: () => Promise<readonly number[]>): Promise<readonly number[]> => {
      try {
        return await work();
      } catch (failure) {
        failures.push(failure);
        return [];
      }
    };

    for (const [day, ofDay] of Map.groupBy(starts, (start) => startOf('day', start))) {
      if (!isFirst && !hasTime()) break;
      const written = await orFailure(async () => {
        const summed: number[] = [];
        for (const [hour, own] of Map.groupBy(ofDay, (start) => startOf('hour', start))) {
          if (!isFirst && !hasTime()) break;
          summed.push(...(await orFailure(() => sumHour(hour, own))));
        }
        if (summed.length > 0) await close(tenantId, { grain: 'day', start: day }, openPeriods);
        return summed;
      });
      for (const start of written) done.add(start);
    }
    const left = starts.filter((start) => !done.has(start)).map((start) => start / MINUTE_MS);
    return failures.length === 0 ? { left } : { left, failure: failures[0] };
  };
};
export type ComputeRollups = ReturnType<typeof rollupComputer>;
