import { Job, type JobRequest } from '../../../../schemas/jobs.ts';
import { changeOnce, type MutationCall } from '../../../identity/audit/changeOnce.ts';
import { type Reply, reply } from '../../../platform/http/reply.ts';
import type { JobQueue, JobStore } from '../../../platform/jobs/job.store.ts';
import { newJob } from '../../../platform/jobs/job.ts';
import { jobLocation, toJobStarted } from '../../../platform/jobs/startedJob.ts';
import { deterministicUlid } from '../../../platform/shared/ids.ts';

type JobCall = MutationCall & {
  readonly receivedAt: number;
  readonly stores: {
    readonly jobs: Pick<JobStore, 'create'>;
    readonly jobQueue: Pick<JobQueue, 'send'>;
  };
};

/** Creates the job that a caller asks for, once and audited, queues it and responds with it. A retry queues it again. */
export const startRequestedJob = async (call: JobCall, request: JobRequest): Promise<Reply> => {
  const { caller, claim, receivedAt, stores } = call;
  const { result: job } = await changeOnce(call, Job, async () => {
    const ulid = deterministicUlid(request.type, claim.claim, receivedAt);
    const created = newJob(caller.tenant, ulid, request, receivedAt);
    return {
      writes: stores.jobs.create(created, claim),
      result: created,
      resource: created.job_id,
      before: null,
      after: created.request,
    };
  });
  await stores.jobQueue.send(job);
  return reply(202, toJobStarted(job), jobLocation(job));
};
