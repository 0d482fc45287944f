import type { ExportSchedule } from '../../../../schemas/exports.ts';
import { updateExportSchedule } from '../../../../schemas/routes/chargeback/exports.ts';
import { buildAuditEntry } from '../../../identity/audit/auditEntry.ts';
import { operation } from '../../../platform/http/operation.ts';
import { reply } from '../../../platform/http/reply.ts';
import { idOf } from '../../../platform/shared/ids.ts';
import { updateWithRetry } from '../../../platform/shared/retry/optimisticUpdate.ts';
import { authorizationBy } from '../../../platform/tenancy/caller.ts';
import { requireBasis } from '../request/exportBasis.ts';
import { requireFeasibleTerms } from '../request/requireFeasible.ts';
import { replaceSchedule, requireSchedule } from './scheduleChanges.ts';

export default operation(updateExportSchedule, async (call) => {
  const { parameters, body, caller, receivedAt, claim, auditContext, stores } = call;
  const { tenant, principal, residency } = caller;
  const id = idOf('sch', tenant.tag, parameters['id'] ?? '');
  let result: ExportSchedule | undefined;

  await updateWithRetry(
    claim,
    () => stores.scheduleStore.find(tenant.tenant_id),
    ({ document, revision }, isRetry) => {
      const stored = requireSchedule(document, id, residency);
      const { authorized_by: _, deleted_at: __, ...current } = stored;
      result = current;
      if (isRetry) return null;
      const { every = current.every, request = current.request } = body;
      requireFeasibleTerms(request);
      // The caller takes the schedule over, so it may not obtain more by it than by an export of its own.
      requireBasis(caller, request);
      result = { ...current, every, request, changed_by: principal };
      const changed = {
        ...result,
        authorized_by: authorizationBy(caller, receivedAt),
        deleted_at: null,
      };
      return [
        stores.scheduleStore.put(
          tenant.tenant_id,
          replaceSchedule(document, changed, receivedAt),
          revision,
          claim,
        ),
        stores.audit.append(tenant.tenant_id, buildAuditEntry(auditContext, { resource: id })),
      ];
    },
  );
  return reply(200, result);
});
