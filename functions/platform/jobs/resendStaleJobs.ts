import { HOUR_MS } from '../../../schemas/durations.ts';
import type { Tenant } from '../tenancy/tenant.ts';
import type { JobQueue, JobStore } from './job.store.ts';
import { isFinished } from './job.ts';

/** The number of recent jobs of a tenant that are checked for stale ones. */
const RECENT_JOBS = 30;
/** An unfinished job older than this is sent to the queue again: its message may have been lost in a crash. */
const STALE_AFTER_MS = 2 * HOUR_MS;

/** Sends the jobs of a tenant again whose message may have been lost. */
export const staleJobResender =
  ({ jobs, queue }: { readonly jobs: Pick<JobStore, 'list'>; readonly queue: JobQueue }) =>
  async (tenant: Tenant, now: number): Promise<void> => {
    const recent = await jobs.list(tenant.tenant_id, { descending: true, limit: RECENT_JOBS });
    const stale = recent.filter(
      (job) => !isFinished(job) && now - Date.parse(job.created_at) > STALE_AFTER_MS,
    );
    for (const job of stale) await queue.send(job);
  };
