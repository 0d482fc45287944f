import { HOUR_MS } from '../../../schemas/durations.ts';
import type { Tenant } from '../tenancy/tenant.ts';
import { createJob } from './createJob.ts';
import { dueJobs } from './dueJobs.ts';
import type { JobQueue, JobStore } from './job.store.ts';
import { isFinished, newJob } from './job.ts';

/** The number of recent jobs of a tenant that are checked for stale ones. */
const RECENT_JOBS = 30;
/** An unfinished job older than this is sent to the queue again: its message may have been lost in a crash. */
const STALE_AFTER_MS = 2 * HOUR_MS;

interface JobStores {
  readonly jobs: JobStore;
  readonly queue: JobQueue;
}

/** Creates the allocations that became due for a tenant since its last turn, and sends stale jobs again. */
export const dueJobCreator =
  ({ jobs, queue }: JobStores) =>
  async (tenant: Tenant, window: { readonly since: number; readonly now: number }): Promise<void> => {
    for (const { ulid, request } of dueJobs(tenant, window)) {
      await createJob({ jobs, queue }, newJob(tenant, ulid, request, window.now));
    }
    const recent = await jobs.newest(tenant.tenant_id, RECENT_JOBS);
    const stale = recent.filter(
      (job) => !isFinished(job) && window.now - Date.parse(job.created_at) > STALE_AFTER_MS,
    );
    for (const job of stale) await queue.send(job);
  };
