import { DAY_MS } from '../../../schemas/durations.ts';
import type { StoredReset } from '../../../schemas/tenants/sandbox.ts';
import { SAMPLE_DAYS } from '../../../schemas/tenants/sandbox.ts';
import { detectionFollowers } from '../../insight/anomalies/anomalyDetector.ts';
import { restartFollower } from '../../ledger/freshness/servedPeriods.store.ts';
import { startOf } from '../../ledger/rollups/grain.ts';
import type { RollupReader } from '../../ledger/rollups/rollup.store.ts';
import { commit } from '../../platform/shared/aws/document.store.ts';
import type { Tenant } from '../../platform/tenancy/tenant.ts';

/** Returns whether the daily totals contain every call that a reset has sent. */
export const sampleTotals =
  (rollups: RollupReader) =>
  async ({ tenant_id }: Tenant, { requested_at, sent_events }: StoredReset): Promise<boolean> => {
    const day = startOf('day', Date.parse(requested_at));
    const range = { grain: 'day', from: day - SAMPLE_DAYS * DAY_MS, to: day + DAY_MS } as const;
    const groups = (await rollups.read(tenant_id, range)).flatMap((rollup) => rollup.groups);
    return groups.reduce((sum, { figures }) => sum + figures.invocations, 0) >= sent_events;
  };

/**
 * Lets the anomaly detector begin anew, with all days that it watches: the day of the incidents is among them. It may have
 * run during the reset, and have seen a part of the data set.
 */
export const detectionRestarter =
  (jobsTable: string) =>
  async ({ tenant_id }: Tenant): Promise<void> => {
    await commit([
      restartFollower(jobsTable, tenant_id, detectionFollowers.hour.name, 'newest'),
      restartFollower(jobsTable, tenant_id, detectionFollowers.day.name, 'all'),
    ]);
  };
