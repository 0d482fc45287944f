import { TRAINING_INTERVAL_MS } from '../../../schemas/attribution/models.ts';
import type { ProgressStore } from '../../ledger/freshness/progress.store.ts';
import { createJob } from '../../platform/jobs/createJob.ts';
import { dueTraining } from '../../platform/jobs/dueJobs.ts';
import type { JobQueue, JobStore } from '../../platform/jobs/job.store.ts';
import { newJob } from '../../platform/jobs/job.ts';
import type { Tenant } from '../../platform/tenancy/tenant.ts';

/** Calls in this time lead to a training. Too few new calls leave calls to later trainings, so it spans several of them. */
const ACTIVITY_MS = 16 * TRAINING_INTERVAL_MS;

/** Creates the training of a tenant that has recent calls. */
export const dueTrainingCreator =
  ({
    jobs,
    queue,
    progress,
  }: {
    readonly jobs: JobStore;
    readonly queue: JobQueue;
    readonly progress: Pick<ProgressStore, 'find'>;
  }) =>
  async (tenant: Tenant, { now }: { readonly now: number }): Promise<void> => {
    if (tenant.stage_b === 'disabled') return;
    const activity = { from: now - ACTIVITY_MS, to: now, newest: true };
    if ((await progress.find(tenant.tenant_id, 'recorded', activity)) === null) return;
    const { ulid, request } = dueTraining(tenant, now);
    await createJob({ jobs, queue }, newJob(tenant, ulid, request, now));
  };
