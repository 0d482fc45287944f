import type { ExportSchedule } from '../../../../schemas/exports.ts';
import { createExportSchedule } from '../../../../schemas/routes/chargeback/exports.ts';
import { buildAuditEntry } from '../../../identity/audit/auditEntry.ts';
import { operation } from '../../../platform/http/operation.ts';
import { reply } from '../../../platform/http/reply.ts';
import { deterministicUlid, idOf } from '../../../platform/shared/ids.ts';
import { updateWithRetry } from '../../../platform/shared/retry/optimisticUpdate.ts';
import { toIso } from '../../../platform/shared/time/toIso.ts';
import { authorizationBy } from '../../../platform/tenancy/caller.ts';
import { requireBasis } from '../request/exportBasis.ts';
import { requireFeasibleTerms } from '../request/requireFeasible.ts';
import { addSchedule } from './scheduleChanges.ts';

export default operation(createExportSchedule, async (call) => {
  const { body, caller, receivedAt, claim, auditContext, stores } = call;
  const { tenant, principal, residency } = caller;
  requireFeasibleTerms(body.request);
  requireBasis(caller, body.request);
  const schedule: ExportSchedule = {
    id: idOf('sch', tenant.tag, deterministicUlid('export schedule', claim.claim, receivedAt)),
    every: body.every,
    request: body.request,
    residency,
    created_at: toIso(receivedAt),
    created_by: principal,
  };
  await updateWithRetry(
    claim,
    () => stores.scheduleStore.find(tenant.tenant_id),
    ({ document, revision }) => {
      // Only an earlier attempt of this call can have created it. It may have been deleted since.
      if (document.some(({ id }) => id === schedule.id)) return null;
      const schedules = addSchedule(
        document,
        { ...schedule, authorized_by: authorizationBy(caller, receivedAt), deleted_at: null },
        receivedAt,
      );
      return [
        stores.scheduleStore.put(tenant.tenant_id, schedules, revision, claim),
        stores.audit.append(tenant.tenant_id, buildAuditEntry(auditContext, { resource: schedule.id })),
      ];
    },
  );
  return reply(201, schedule, { location: `/v1/exports/schedules/${schedule.id}` });
});
