import { HOUR_MS } from '../../../schemas/durations.ts';
import { isHeld } from '../shared/time/lease.ts';
import type { Tenant } from '../tenancy/tenant.ts';
import type { JobQueue, JobStore } from './job.store.ts';

/** An unfinished job older than this is sent to the queue again: its message may have been lost in a crash. */
const STALE_AFTER_MS = 2 * HOUR_MS;

/** Sends the jobs of a tenant again whose message may have been lost. */
export const staleJobResender =
  ({ jobs, queue }: { readonly jobs: Pick<JobStore, 'listUnfinished'>; readonly queue: JobQueue }) =>
  async (tenant: Tenant, now: number): Promise<void> => {
    for (const job of await jobs.listUnfinished(tenant.tenant_id)) {
      const until = Date.parse(job.created_at) + STALE_AFTER_MS;
      if (!isHeld({ until }, STALE_AFTER_MS, now)) await queue.send(job);
    }
  };
