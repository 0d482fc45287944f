import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isFinished, newJob } from '../../functions/jobs/job.ts';
import { ulidOf } from '../../functions/shared/ulid.ts';
import type { Job, JobRequest } from '../../schemas/jobs.ts';
import type { Deployment } from './deployment.ts';

const POLL_MILLISECONDS = 500;

/** Background jobs, as operators open and follow them with their own AWS credentials. */
export const jobAdministration = async (deployment: Deployment) => {
  // Loaded only now: the AWS clients read their endpoints when they are made.
  const { jobQueue, jobStore } = await import('../../functions/jobs/job.store.ts');
  const { createJob: openJob } = await import('../../functions/jobs/createJob.ts');
  const { tenantReader } = await import('../../functions/tenancy/tenant.store.ts');
  const jobs = jobStore(deployment.output('TableJobs'));
  const queue = jobQueue(deployment.output('QueueJobs'), 0);
  const tenants = tenantReader(deployment.output('TableTenants'));

  return {
    /** Throws when there is no such tenant. */
    open: async (tenantId: string, request: JobRequest): Promise<Job> => {
      const tenant = await tenants.tenant(tenantId);
      if (tenant === null) throw new Error(`there is no tenant ${tenantId}`);
      const now = Date.now();
      const job = newJob(tenant, ulidOf(now, randomBytes(10)), request, now);
      await openJob({ jobs, queue }, job);
      return job;
    },
    /** Resolves with the finished job; `tell` is given it each time it got further. */
    follow: async (job: Job, onProgress: (job: Job) => void): Promise<Job> => {
      let lastState = '';
      for (;;) {
        const current = (await jobs.read(job))?.document ?? job;
        const state = JSON.stringify([current.status, current.progress]);
        if (state !== lastState) onProgress(current);
        lastState = state;
        if (isFinished(current)) return current;
        await sleep(POLL_MILLISECONDS);
      }
    },
  };
};
