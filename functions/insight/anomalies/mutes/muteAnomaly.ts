import { DAY_MS } from '../../../../schemas/durations.ts';
import { AnomalyMute } from '../../../../schemas/insight/anomalies.ts';
import { muteAnomaly } from '../../../../schemas/routes/insight/anomalies.ts';
import { changeOnce } from '../../../identity/audit/changeOnce.ts';
import { operation } from '../../../platform/http/operation.ts';
import { reply } from '../../../platform/http/reply.ts';
import { toIso } from '../../../platform/shared/time/toIso.ts';
import { withMute } from './mutes.ts';
import { requireAnomaly } from './requireAnomaly.ts';

export default operation(muteAnomaly, async (call) => {
  const { parameters, body, caller, receivedAt, claim, stores } = call;
  const { tenant_id: tenantId } = caller.tenant;

  const { result } = await changeOnce(call, AnomalyMute, async () => {
    const anomaly = await requireAnomaly(stores.findings, caller, parameters['id'] ?? '');
    const { id, dimension, value, residency } = anomaly;
    const mute: AnomalyMute = {
      dimension,
      value,
      residency,
      until: toIso(receivedAt + body.days * DAY_MS),
      ...(body.reason !== undefined && { reason: body.reason }),
      muted_by: caller.principal,
      muted_at: toIso(receivedAt),
    };
    const { document, revision } = await stores.mutes.find(tenantId);
    const muted = withMute(document, mute, receivedAt);
    const write = stores.mutes.put(tenantId, muted, revision, claim);
    return { writes: [write], result: mute, resource: id, before: document, after: muted };
  });
  return reply(200, result);
});
