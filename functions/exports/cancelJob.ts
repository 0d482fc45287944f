import type { StoredExport } from '../../schemas/exports.ts';
import { cancelJob } from '../../schemas/routes/exports.ts';
import { auditEntry } from '../audit/entry.ts';
import { operation } from '../http/operation.ts';
import { reply } from '../http/reply.ts';
import { change } from '../shared/change.ts';
import { idOf } from '../shared/ids.ts';
import { orUnavailable, ProblemError } from '../shared/problem.ts';
import { cancelled, shown } from './job/job.ts';
import { seenBy } from './job/seenBy.ts';

export default operation(cancelJob, async (call) => {
  const { parameters, caller, receivedAt, claim, occasion, stores } = call;
  const { tenant } = caller;
  const job_id = idOf('job', tenant.tag, parameters['job_id'] ?? '');
  let result: StoredExport | undefined;

  await orUnavailable(() =>
    change(
      claim,
      () => stores.exportStore.find({ tenant_id: tenant.tenant_id, job_id }),
      ({ document, revision }, isRetry) => {
        const job = seenBy(caller, document);
        result = job;
        if (isRetry && job.status === 'cancelled') return null;
        if (job.status !== 'queued') {
          throw new ProblemError('CONFLICT', 'The export is not queued any more: it runs, or has ended.');
        }
        result = cancelled(job, receivedAt);
        return [
          ...stores.exportStore.change(result, revision, claim),
          stores.audit.append(tenant.tenant_id, auditEntry(occasion, { resource: job_id })),
        ];
      },
    ),
  );
  return reply(200, result && shown(result, receivedAt));
});
