import { deleteExportSchedule } from '../../../schemas/routes/exports.ts';
import { auditEntry } from '../../audit/entry.ts';
import { operation } from '../../http/operation.ts';
import { reply } from '../../http/reply.ts';
import { change } from '../../shared/change.ts';
import { idOf } from '../../shared/ids.ts';
import { orUnavailable, ProblemError } from '../../shared/problem.ts';
import { isInLane } from '../../tenancy/lane.ts';
import { removed } from './edit.ts';

export default operation(deleteExportSchedule, async (call) => {
  const { parameters, caller, receivedAt, claim, occasion, stores } = call;
  const { tenant, residency } = caller;
  const id = idOf('sch', tenant.tag, parameters['id'] ?? '');

  await orUnavailable(() =>
    change(
      claim,
      () => stores.scheduleStore.find(tenant.tenant_id),
      ({ document, revision }, isRetry) => {
        const schedule = document.find((one) => one.id === id);
        if (isRetry && schedule?.deleted_at !== null) return null;
        if (schedule === undefined || schedule.deleted_at !== null) {
          throw new ProblemError('NOT_FOUND', 'There is no such schedule.');
        }
        if (!isInLane(schedule, residency)) {
          throw new ProblemError(
            'RESIDENCY_BLOCKED',
            'The schedule makes exports of another lane than the credential is bound to.',
          );
        }
        return [
          stores.scheduleStore.put(tenant.tenant_id, removed(document, id, receivedAt), revision, claim),
          stores.audit.append(tenant.tenant_id, auditEntry(occasion, { resource: id })),
        ];
      },
    ),
  );
  return reply(204, undefined);
});
