import type { Job } from '../../schemas/jobs.ts';
import { commit } from '../shared/aws/document.store.ts';
import type { JobQueue, JobStore } from './job.store.ts';

/**
 * Opens a job and has it begun; false when it was opened before. Whatever happens between the two, the schedule has
 * unfinished jobs gone on with.
 */
export const createJob = async (
  stores: { readonly jobs: JobStore; readonly queue: JobQueue },
  job: Job,
): Promise<boolean> => {
  const opened = await commit([stores.jobs.create(job, { claim: job.job_id, attempt: 0 })]);
  if (opened) await stores.queue.send(job);
  return opened;
};
