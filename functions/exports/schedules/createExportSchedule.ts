import type { ExportSchedule } from '../../../schemas/exports.ts';
import { createExportSchedule } from '../../../schemas/routes/exports.ts';
import { auditEntry } from '../../audit/entry.ts';
import { operation } from '../../http/operation.ts';
import { reply } from '../../http/reply.ts';
import { change } from '../../shared/change.ts';
import { claimedUlid, idOf } from '../../shared/ids.ts';
import { orUnavailable } from '../../shared/problem.ts';
import { requireFeasibleTerms } from '../request/request.ts';
import { added } from './edit.ts';

export default operation(createExportSchedule, async (call) => {
  const { body, caller, receivedAt, claim, occasion, stores } = call;
  const { tenant, principal, residency } = caller;
  requireFeasibleTerms(body.request);
  const schedule: ExportSchedule = {
    id: idOf('sch', tenant.tag, claimedUlid('export schedule', claim.claim, receivedAt)),
    every: body.every,
    request: body.request,
    residency,
    created_at: new Date(receivedAt).toISOString(),
    created_by: principal,
  };
  await orUnavailable(() =>
    change(
      claim,
      () => stores.scheduleStore.find(tenant.tenant_id),
      ({ document, revision }) => {
        // Only an earlier attempt of this call can have made it, whatever became of it since.
        if (document.some(({ id }) => id === schedule.id)) return null;
        const schedules = added(document, { ...schedule, deleted_at: null }, receivedAt);
        return [
          stores.scheduleStore.put(tenant.tenant_id, schedules, revision, claim),
          stores.audit.append(tenant.tenant_id, auditEntry(occasion, { resource: schedule.id })),
        ];
      },
    ),
  );
  return reply(201, schedule, { location: `/v1/exports/schedules/${schedule.id}` });
});
