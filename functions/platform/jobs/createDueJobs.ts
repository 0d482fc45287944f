import { TRAINING_INTERVAL_MS } from '../../../schemas/models.ts';
import type { ProgressStore } from '../../ledger/freshness/progress.store.ts';
import { HOUR_MS } from '../shared/time/durations.ts';
import type { Tenant } from '../tenancy/tenant.ts';
import { createJob } from './createJob.ts';
import { dueJobs, dueTraining } from './dueJobs.ts';
import type { JobQueue, JobStore } from './job.store.ts';
import { isFinished, newJob } from './job.ts';

/** The number of recent jobs of a tenant that are checked for stale ones. */
const RECENT_JOBS = 30;
/** An unfinished job older than this is sent to the queue again: its message may have been lost in a crash. */
const STALE_AFTER_MS = 2 * HOUR_MS;
/** Calls in this time lead to a training. Too few new calls leave calls to later trainings, so it spans several of them. */
const ACTIVITY_MS = 16 * TRAINING_INTERVAL_MS;

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

/** Creates the training of a tenant that has recent calls. */
export const dueTrainingCreator =
  ({ jobs, queue, progress }: JobStores & { readonly progress: Pick<ProgressStore, 'find'> }) =>
  async (tenant: Tenant, { now }: { readonly now: number }): Promise<void> => {
    if (tenant.stage_b === 'disabled') return;
    const activity = { from: now - ACTIVITY_MS, to: now, newest: true };
    if ((await progress.find(tenant.tenant_id, 'recorded', activity)) === null) return;
    const { ulid, request } = dueTraining(tenant, now);
    await createJob({ jobs, queue }, newJob(tenant, ulid, request, now));
  };
