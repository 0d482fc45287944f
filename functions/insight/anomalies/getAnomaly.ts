import { getAnomaly } from '../../../schemas/routes/insight/anomalies.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { explainAnomaly } from './explain/explainAnomaly.ts';
import { mutedUntil } from './mutes/mutes.ts';
import { requireAnomaly } from './mutes/requireAnomaly.ts';

export default operation(getAnomaly, async ({ caller, parameters, receivedAt, stores }) => {
  const anomaly = await requireAnomaly(stores.findings, caller, parameters['id'] ?? '');
  const [{ document: mutes }, explained] = await Promise.all([
    stores.mutes.find(caller.tenant.tenant_id),
    explainAnomaly(stores, caller, anomaly, receivedAt),
  ]);
  return reply(200, { ...anomaly, muted_until: mutedUntil(mutes, anomaly, receivedAt), ...explained });
});
