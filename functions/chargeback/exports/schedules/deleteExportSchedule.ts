import { deleteExportSchedule } from '../../../../schemas/routes/chargeback/exports.ts';
import { buildAuditEntry } from '../../../identity/audit/auditEntry.ts';
import { operation } from '../../../platform/http/operation.ts';
import { reply } from '../../../platform/http/reply.ts';
import { idOf } from '../../../platform/shared/ids.ts';
import { updateWithRetry } from '../../../platform/shared/retry/optimisticUpdate.ts';
import { removeSchedule, requireSchedule } from './scheduleChanges.ts';

export default operation(deleteExportSchedule, async (call) => {
  const { parameters, caller, receivedAt, claim, auditContext, stores } = call;
  const { tenant, residency } = caller;
  const id = idOf('sch', tenant.tag, parameters['id'] ?? '');

  await updateWithRetry(
    claim,
    () => stores.scheduleStore.find(tenant.tenant_id),
    ({ document, revision }, isRetry) => {
      const schedule = document.find((candidate) => candidate.id === id);
      if (isRetry && schedule?.deleted_at !== null) return null;
      requireSchedule(document, id, residency);
      return [
        stores.scheduleStore.put(tenant.tenant_id, removeSchedule(document, id, receivedAt), revision, claim),
        stores.audit.append(tenant.tenant_id, buildAuditEntry(auditContext, { resource: id })),
      ];
    },
  );
  return reply(204, undefined);
});
