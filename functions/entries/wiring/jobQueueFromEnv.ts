import { type JobQueue, jobQueue } from '../../jobs/job.store.ts';
import { resource, settings } from '../../shared/settings.ts';

/**
 * Workers remember what served for five seconds and may be in the middle of a batch: what they place meanwhile must lie
 * before a job that takes it back, not behind it. On one machine batches are short.
 */
const PROPAGATION_SECONDS = settings.ENVIRONMENT === 'local' ? 7 : 40;

/** The queue of jobs that this function's environment names. */
export const jobQueueFromEnv = (): JobQueue => jobQueue(resource('queue', 'jobs'), PROPAGATION_SECONDS);
