import { type JobQueue, jobQueue } from '../../platform/jobs/job.store.ts';
import { resource, settings } from '../../platform/shared/settings.ts';

/**
 * The delay before a job starts. Workers cache the serving model for five seconds and may be in the middle of a batch. The
 * records they write in that time must exist before a job that revises them starts. Local batches are short.
 */
const PROPAGATION_SECONDS = settings.ENVIRONMENT === 'local' ? 7 : 40;

/** The job queue, configured from the environment. */
export const jobQueueFromEnv = (): JobQueue => jobQueue(resource('queue', 'jobs'), PROPAGATION_SECONDS);
