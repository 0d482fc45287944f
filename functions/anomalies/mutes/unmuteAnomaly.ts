import { unmuteAnomaly } from '../../../schemas/routes/reporting/anomalies.ts';
import { buildAuditEntry } from '../../audit/auditEntry.ts';
import { operation } from '../../http/operation.ts';
import { reply } from '../../http/reply.ts';
import { orUnavailable } from '../../shared/problem.ts';
import { updateWithRetry } from '../../shared/retry/optimisticUpdate.ts';
import { mutedUntil, withoutMute } from './mutes.ts';
import { requireAnomaly } from './requireAnomaly.ts';

export default operation(unmuteAnomaly, async (call) => {
  const { parameters, caller, receivedAt, claim, auditContext, stores } = call;
  const { tenant_id: tenantId } = caller.tenant;

  await orUnavailable(async () => {
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
  });
  return reply(204, undefined);
});
