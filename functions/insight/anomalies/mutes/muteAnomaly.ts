import type { AnomalyMute } from '../../../../schemas/anomalies.ts';
import { DAY_MS } from '../../../../schemas/durations.ts';
import { muteAnomaly } from '../../../../schemas/routes/insight/anomalies.ts';
import { buildAuditEntry } from '../../../identity/audit/auditEntry.ts';
import { operation } from '../../../platform/http/operation.ts';
import { reply } from '../../../platform/http/reply.ts';
import { updateWithRetry } from '../../../platform/shared/retry/optimisticUpdate.ts';
import { toIso } from '../../../platform/shared/time/toIso.ts';
import { withMute } from './mutes.ts';
import { requireAnomaly } from './requireAnomaly.ts';

export default operation(muteAnomaly, async (call) => {
  const { parameters, body, caller, receivedAt, claim, auditContext, stores } = call;
  const { tenant_id: tenantId } = caller.tenant;

  const { id, dimension, value, residency } = await requireAnomaly(
    stores.findings,
    caller,
    parameters['id'] ?? '',
  );
  const mute: AnomalyMute = {
    dimension,
    value,
    residency,
    until: toIso(receivedAt + body.days * DAY_MS),
    ...(body.reason !== undefined && { reason: body.reason }),
    muted_by: caller.principal,
    muted_at: toIso(receivedAt),
  };
  await updateWithRetry(
    claim,
    () => stores.mutes.find(tenantId),
    ({ document, revision }, isRetry) =>
      isRetry
        ? null
        : [
            stores.mutes.put(tenantId, withMute(document, mute, receivedAt), revision, claim),
            stores.audit.append(tenantId, buildAuditEntry(auditContext, { resource: id })),
          ],
  );
  return reply(200, mute);
});
