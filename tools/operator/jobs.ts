import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isFinished, newJob } from '../../functions/platform/jobs/job.ts';
import { ulidOf } from '../../functions/platform/shared/ulid.ts';
import type { Job, JobRequest } from '../../schemas/jobs.ts';
import type { Deployment } from './deployment.ts';

const POLL_MILLISECONDS = 500;

/** Starts and follows background jobs, with the operator's AWS credentials. */
export const jobAdministration = async (deployment: Deployment) => {
  // Imported late, because the AWS clients read their endpoints at import.
  const { jobQueue, jobStore } = await import('../../functions/platform/jobs/job.store.ts');
  const { createJob: openJob } = await import('../../functions/platform/jobs/createJob.ts');
  const { tenantReader } = await import('../../functions/platform/tenancy/tenant.store.ts');
  const jobs = jobStore(deployment.output('TableJobs'));
  const queue = jobQueue(deployment.output('QueueJobs'), 0);
  const tenants = tenantReader(deployment.output('TableTenants'));

  return {
    /** Starts a job. Throws if the tenant does not exist. */
    open: async (tenantId: string, request: JobRequest): Promise<Job> => {
      const tenant = await tenants.tenant(tenantId);
      if (tenant === null) throw new Error(`Tenant "${tenantId}" does not exist.`);
      const now = Date.now();
      const job = newJob(tenant, ulidOf(now, randomBytes(10)), request, now);
      await openJob({ jobs, queue }, job);
      return job;
    },
    /** Resolves with the finished job. Calls `onProgress` after each change. */
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
