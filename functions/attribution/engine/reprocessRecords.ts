import { Job } from '../../../schemas/jobs.ts';
import { reprocessRecords } from '../../../schemas/routes/attribution/reprocessing.ts';
import { changeOnce } from '../../identity/audit/changeOnce.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { newJob } from '../../platform/jobs/job.ts';
import { toJobStarted } from '../../platform/jobs/toJobStarted.ts';
import { deterministicUlid } from '../../platform/shared/ids.ts';
import { ProblemError } from '../../platform/shared/problem.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';

export default operation(reprocessRecords, async (call) => {
  const { body, caller, claim, receivedAt, stores } = call;
  const from = toIso(Date.parse(body.from));
  const to = body.to === undefined ? toIso(receivedAt) : toIso(Date.parse(body.to));
  if (from >= to) {
    throw new ProblemError('VALIDATION_FAILED', 'The body does not match its schema.', {
      errors: [{ pointer: '/from', detail: 'must be before to' }],
    });
  }
  const { result: job } = await changeOnce(call, Job, async () => {
    const ulid = deterministicUlid('reprocessing', claim.claim, receivedAt);
    const request = { type: 'reprocessing', period: { from, to }, selection: { kind: 'all' } } as const;
    const created = newJob(caller.tenant, ulid, request, receivedAt);
    return {
      writes: [stores.jobs.create(created, claim)],
      result: created,
      resource: created.job_id,
      before: null,
      after: created.request,
    };
  });
  await stores.jobQueue.send(job);
  return reply(202, toJobStarted(job));
});
