import { StoredExport } from '../../../schemas/chargeback/exports.ts';
import { createFocusExport } from '../../../schemas/routes/chargeback/exports.ts';
import { changeOnce } from '../../identity/audit/changeOnce.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { jobLocation } from '../../platform/jobs/startedJob.ts';
import { deterministicUlid } from '../../platform/shared/ids.ts';
import { settings } from '../../platform/shared/settings.ts';
import { statusUrlOf } from './job/exportFinishedEvent.ts';
import { newExport } from './job/job.ts';
import { requireBasis } from './request/exportBasis.ts';
import { requireDestinationOf, requireMonth } from './request/requireDeliverable.ts';
import { requireFeasible } from './request/requireFeasible.ts';

export default operation(createFocusExport, async (call) => {
  const { body, caller, receivedAt, claim, stores } = call;
  const { tenant, principal, residency } = caller;
  const { result: job } = await changeOnce(call, StoredExport, async () => {
    const basis = requireBasis(caller, body);
    const closings = await stores.closings.list(tenant.tenant_id);
    requireFeasible(body, basis, tenant, closings, receivedAt);
    requireMonth(body);
    await requireDestinationOf(body.delivery, tenant, stores.exportDestinations, '/delivery');
    const ulid = deterministicUlid('export', claim.claim, receivedAt);
    const queued = newExport(tenant, body, { ulid, at: receivedAt, by: principal, residency, basis });
    return {
      writes: stores.exportStore.open(queued, claim),
      result: queued,
      resource: queued.job_id,
      before: null,
      after: body,
    };
  });
  await stores.executions.start(job);
  const { job_id, status, created_at } = job;
  return reply(
    202,
    { job_id, status, status_url: statusUrlOf(settings.BASE_URL, job), created_at },
    jobLocation(job),
  );
});
