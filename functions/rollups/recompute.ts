import pMap from 'p-map';
import type { Rollup, RollupGrain, RollupGroup } from '../../schemas/rollup.ts';
import type { LedgerReader } from '../ledger/ledger.store.ts';
import { partitionsOfMonth } from '../ledger/ledgerKey.ts';
import { scanPartition } from '../ledger/query/scanRecords.ts';
import type { Clock } from '../shared/clock.ts';
import { monthOf } from '../shared/month.ts';
import { CONFLICT, retryOnConflict } from '../shared/retryOnConflict.ts';
import { toIso } from '../shared/toIso.ts';
import type { Tenant } from '../tenancy/tenant.ts';
import { LENGTH, startOf } from './grain.ts';
import type { RollupWriter } from './rollup.store.ts';
import { groupOf, sumGroups } from './rollup.ts';

/** Optimistic lock: each round at least one writer succeeds, so this many concurrent writers of one rollup all finish. */
const MAX_ATTEMPTS = 40;
/** Minutes of one message computed in parallel. */
const CONCURRENCY = 4;
/** Ledger partitions of a minute read in parallel. */
const PARTITION_CONCURRENCY = 8;

/**
 * Returns a function that recomputes the rollups of changed minutes: the minutes from their records, then the hours and days
 * that contain them. Totals are never incremented, so they stay exact under duplicates, late events, corrections and crashes.
 * A writer reads the revision of the rollup first and its sources second. When the revision has changed at the write, the
 * writer starts over.
 */
export const rollupComputer = (stores: {
  readonly ledger: LedgerReader;
  readonly rollups: RollupWriter;
  readonly clock: Clock;
  /** Backoff after a write conflict. `attempt` starts at 1. */
  readonly pause?: (attempt: number) => Promise<unknown>;
}) => {
  const { ledger, rollups, clock, pause } = stores;

  const putSum = async (
    tenantId: string,
    grain: RollupGrain,
    start: number,
    groupsOf: (asOf: number) => Promise<readonly RollupGroup[]>,
  ): Promise<void> => {
    const putOnce = async (): Promise<undefined | typeof CONFLICT> => {
      const expectedRevision = await rollups.readRevision(tenantId, grain, start);
      const asOf = clock();
      const rollup: Rollup = { start, grain, asOf, groups: await groupsOf(asOf) };
      return (await rollups.put(tenantId, rollup, expectedRevision)) ? undefined : CONFLICT;
    };
    const subject = `the ${grain} rollup of ${toIso(start)}`;
    await retryOnConflict(putOnce, { maxAttempts: MAX_ATTEMPTS, subject, ...(pause && { pause }) });
  };

  const recordsOf = async (tenant: Tenant, start: number, asOf: number): Promise<RollupGroup[]> => {
    const partitions = partitionsOfMonth(tenant, monthOf(start));
    const period = { from: start, to: start + LENGTH.minute };
    const sums = await pMap(
      partitions,
      async (partition) => {
        let summed: RollupGroup[] = [];
        for await (const { items } of scanPartition(ledger, {
          tenantId: tenant.tenant_id,
          partition,
          period,
          asOf,
        })) {
          summed = sumGroups([...summed, ...items.map(({ attribution }) => groupOf(attribution))]);
        }
        return summed;
      },
      { concurrency: PARTITION_CONCURRENCY },
    );
    return sumGroups(sums.flat());
  };

  const sumOf = (tenantId: string, grain: RollupGrain, from: number, to: number) => async () => {
    const parts = await rollups.read(tenantId, { grain, from, to });
    return sumGroups(parts.flatMap(({ groups }) => groups));
  };

  /**
   * `minutes` are counted since the epoch. Resolves after minute, hour and day rollups are written. Rejects with an Error
   * after too many write conflicts.
   */
  return async (tenant: Tenant, minutes: readonly number[]): Promise<void> => {
    const { tenant_id: tenantId } = tenant;
    const starts = [...new Set(minutes)].map((minute) => minute * LENGTH.minute);
    const hours = new Set(starts.map((start) => startOf('hour', start)));
    const days = new Set(starts.map((start) => startOf('day', start)));
    await pMap(
      starts,
      (start) => putSum(tenantId, 'minute', start, (asOf) => recordsOf(tenant, start, asOf)),
      { concurrency: CONCURRENCY },
    );
    for (const hour of hours) {
      await putSum(tenantId, 'hour', hour, sumOf(tenantId, 'minute', hour, hour + LENGTH.hour));
    }
    for (const day of days) {
      await putSum(tenantId, 'day', day, sumOf(tenantId, 'hour', day, day + LENGTH.day));
    }
  };
};
