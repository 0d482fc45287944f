import { unmuteAnomaly } from '../../../../schemas/routes/insight/anomalies.ts';
import { buildAuditEntry } from '../../../identity/audit/auditEntry.ts';
import { operation } from '../../../platform/http/operation.ts';
import { reply } from '../../../platform/http/reply.ts';
import { updateWithRetry } from '../../../platform/shared/retry/optimisticUpdate.ts';
import { mutedUntil, withoutMute } from './mutes.ts';
import { requireAnomaly } from './requireAnomaly.ts';

export default operation(unmuteAnomaly, async (call) => {
  const { parameters, caller, receivedAt, claim, auditContext, stores } = call;
  const { tenant_id: tenantId } = caller.tenant;

  const anomaly = await requireAnomaly(stores.findings, caller, parameters['id'] ?? '');
  await updateWithRetry(
    claim,
    () => stores.mutes.find(tenantId),
    ({ document, revision }, isRetry) =>
      isRetry || mutedUntil(document, anomaly, receivedAt) === null
        ? null
        : [
            stores.mutes.put(tenantId, withoutMute(document, anomaly, receivedAt), revision, claim),
            stores.audit.append(tenantId, buildAuditEntry(auditContext, { resource: anomaly.id })),
          ],
  );
  return reply(204, undefined);
});
