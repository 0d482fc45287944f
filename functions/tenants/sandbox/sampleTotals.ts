import { DAY_MS } from '../../../schemas/durations.ts';
import type { StoredReset } from '../../../schemas/tenants/sandbox.ts';
import { SAMPLE_DAYS } from '../../../schemas/tenants/sandbox.ts';
import type { AnomalyDetectionStore } from '../../insight/anomalies/anomaly.store.ts';
import { startOf } from '../../ledger/rollups/grain.ts';
import type { RollupReader } from '../../ledger/rollups/rollup.store.ts';
import { commit } from '../../platform/shared/aws/document.store.ts';
import type { Tenant } from '../../platform/tenancy/tenant.ts';
import { incidentDay } from './sample/incidents.ts';

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
 * Lets the anomaly detector evaluate the day of the incidents at its next run. It may have run during the reset, and found
 * that day without calls.
 */
export const detectionRestarter =
  (anomalies: Pick<AnomalyDetectionStore, 'putWatermark'>) =>
  async ({ tenant_id }: Tenant, { requested_at }: StoredReset): Promise<void> => {
    await commit([anomalies.putWatermark(tenant_id, 'day', incidentDay(Date.parse(requested_at)))]);
  };
