import { deleteExportSchedule } from '../../../schemas/routes/exports.ts';
import { buildAuditEntry } from '../../audit/auditEntry.ts';
import { operation } from '../../http/operation.ts';
import { reply } from '../../http/reply.ts';
import { idOf } from '../../shared/ids.ts';
import { updateWithRetry } from '../../shared/optimisticUpdate.ts';
import { orUnavailable, ProblemError } from '../../shared/problem.ts';
import { isInLane } from '../../tenancy/residency.ts';
import { removeSchedule } from './scheduleChanges.ts';

export default operation(deleteExportSchedule, async (call) => {
  const { parameters, caller, receivedAt, claim, auditContext, stores } = call;
  const { tenant, residency } = caller;
  const id = idOf('sch', tenant.tag, parameters['id'] ?? '');

  await orUnavailable(() =>
    updateWithRetry(
      claim,
      () => stores.scheduleStore.find(tenant.tenant_id),
      ({ document, revision }, isRetry) => {
        const schedule = document.find((candidate) => candidate.id === id);
        if (isRetry && schedule?.deleted_at !== null) return null;
        if (schedule === undefined || schedule.deleted_at !== null) {
          throw new ProblemError('NOT_FOUND', 'There is no export schedule with this id.');
        }
        if (!isInLane(schedule, residency)) {
          throw new ProblemError(
            'RESIDENCY_BLOCKED',
            'The schedule belongs to another residency lane than the credential. Use a credential of that lane.',
          );
        }
        return [
          stores.scheduleStore.put(
            tenant.tenant_id,
            removeSchedule(document, id, receivedAt),
            revision,
            claim,
          ),
          stores.audit.append(tenant.tenant_id, buildAuditEntry(auditContext, { resource: id })),
        ];
      },
    ),
  );
  return reply(204, undefined);
});
