import type { Job } from '../../../schemas/jobs.ts';
import { commit } from '../shared/aws/document.store.ts';
import type { JobQueue, JobStore } from './job.store.ts';

/**
 * Creates a job and queues it. Returns false when the job exists already. If a crash happens between the two steps, the
 * schedule queues the unfinished job again.
 */
export const createJob = async (
  stores: { readonly jobs: JobStore; readonly queue: JobQueue },
  job: Job,
): Promise<boolean> => {
  const isCreated = await commit(stores.jobs.create(job, { claim: job.job_id, attempt: 0 }));
  if (isCreated) await stores.queue.send(job);
  return isCreated;
};
