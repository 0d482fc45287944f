import { idOf } from '../../functions/platform/shared/ids.ts';
import { ulidOf } from '../../functions/platform/shared/ulid.ts';
import type { Anomaly } from '../../schemas/insight/anomalies.ts';
import type { Deployment } from '../../tools/operator/deployment.ts';

const HOUR = 60 * 60 * 1_000;

/** An hourly anomaly as the detection stores it. Each hour has its own service. */
export const anAnomaly = (tag: string, hour: number, members: Partial<Anomaly> = {}): Anomaly => {
  const [from, to] = [new Date(hour).toISOString(), new Date(hour + HOUR).toISOString()];
  return {
    id: idOf('anm', tag, ulidOf(hour + HOUR, new Uint8Array(10))),
    detected_at: to,
    updated_at: to,
    grain: 'hour',
    dimension: 'service',
    value: `service-${hour / HOUR}`,
    residency: null,
    period: { from, to },
    observed_usd: '80',
    expected_usd: { low: '5', central: '10', high: '15' },
    score: 14,
    drivers: [{ dimension: 'owner', value: 'team-search', share: 1 }],
    ...members,
  };
};

/** Stores anomalies of a tenant without a detection run. */
export const seedAnomalies = async (
  deployment: Deployment,
  tenant: { readonly tenant_id: string; readonly tag: string },
  anomalies: readonly Anomaly[],
): Promise<void> => {
  const { anomalyDetectionStore } = await import('../../functions/insight/anomalies/anomaly.store.ts');
  const { commit } = await import('../../functions/platform/shared/aws/document.store.ts');
  const store = anomalyDetectionStore(deployment.output('TableAnomalies'));
  for (const anomaly of anomalies) await commit(store.put(tenant.tenant_id, anomaly, null));
};
