import pMap from 'p-map';
import type { Rollup, RollupGrain, RollupGroup } from '../../schemas/rollup.ts';
import type { LedgerReader } from '../ledger/ledger.store.ts';
import { partitionsOfMonth } from '../ledger/ledgerKey.ts';
import { scanPartition } from '../ledger/query/scanRecords.ts';
import type { Clock } from '../shared/clock.ts';
import { monthOf } from '../shared/month.ts';
import type { Tenant } from '../tenancy/tenant.ts';
import { LENGTH, startOf } from './grain.ts';
import type { RollupWriter } from './rollup.store.ts';
import { groupOf, sumGroups } from './rollup.ts';

/** Of writers of one rollup at the same moment one gets through each time, so this many do. */
const MAX_ATTEMPTS = 40;
/** Minutes of one message summed at once. */
const CONCURRENCY = 4;
/** Partitions of a minute read at once. */
const PARTITION_CONCURRENCY = 8;

/**
 * Sums a tenant's ledger anew where it has changed: minutes from their records, then the hours and days they lie in.
 * Nothing is ever added to a total, so it is exact under duplicates, late events, corrections and crashes: whoever puts
 * a rollup has read what it sums after seeing the rollup it replaces, or starts over.
 */
export const rollupComputer = (stores: {
  readonly ledger: LedgerReader;
  readonly rollups: RollupWriter;
  readonly clock: Clock;
  /** Waits after a try that came second; the first is the 1st. */
  readonly pause?: (attempt: number) => Promise<unknown>;
}) => {
  const { ledger, rollups, clock, pause = async () => undefined } = stores;

  const putSum = async (
    tenantId: string,
    grain: RollupGrain,
    start: number,
    groupsOf: (asOf: number) => Promise<readonly RollupGroup[]>,
  ): Promise<void> => {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const expectedRevision = await rollups.readRevision(tenantId, grain, start);
      const asOf = clock();
      const rollup: Rollup = { start, grain, asOf, groups: await groupsOf(asOf) };
      if (await rollups.put(tenantId, rollup, expectedRevision)) return;
      await pause(attempt);
    }
    throw new Error('a rollup was written by others too often');
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

  /** `minutes` since the epoch. Resolves once minutes, hours and days are put. */
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
