import { StoredExport } from '../../../schemas/chargeback/exports.ts';
import { deliverExport } from '../../../schemas/routes/chargeback/exports.ts';
import { changeOnce } from '../../identity/audit/changeOnce.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { NO_REVISION } from '../../platform/shared/aws/document.store.ts';
import { idOf } from '../../platform/shared/ids.ts';
import { ProblemError } from '../../platform/shared/problem.ts';
import { markForDelivery, toResponse } from './job/job.ts';
import { requireVisible } from './job/requireVisible.ts';
import { isOfMonth, requireDestinationOf } from './request/requireDeliverable.ts';

export default operation(deliverExport, async (call) => {
  const { parameters, body, caller, receivedAt, claim, stores } = call;
  const { tenant } = caller;
  const job_id = idOf('job', tenant.tag, parameters['job_id'] ?? '');
  const { result } = await changeOnce(call, StoredExport, async () => {
    const found = await stores.exportStore.find({ tenant_id: tenant.tenant_id, job_id });
    const job = requireVisible(caller, found?.document ?? null);
    await requireDestinationOf(body, tenant, stores.exportDestinations, '');
    // Those of schedules are of one month, or of its part up to their day.
    if (job.edition === null && !isOfMonth(job.request))
      throw new ProblemError('CONFLICT', 'The export is not of one UTC month.');
    const opened = markForDelivery(job, body, receivedAt);
    if (typeof opened === 'string') throw new ProblemError('CONFLICT', opened);
    return {
      writes: stores.exportStore.change(opened, found?.revision ?? NO_REVISION, claim),
      result: opened,
      resource: job_id,
      before: job.request.delivery ?? null,
      after: body,
    };
  });
  return reply(202, toResponse(result, receivedAt));
});
