import pMap from 'p-map';
import { TRAINING_INTERVAL_MS } from '../../../schemas/models.ts';
import { progressStore } from '../../freshness/progress.store.ts';
import { createJob } from '../../jobs/createJob.ts';
import { dueTraining } from '../../jobs/dueJobs.ts';
import { jobStore } from '../../jobs/job.store.ts';
import { newJob } from '../../jobs/job.ts';
import { describeError, log } from '../../shared/log.ts';
import { resource } from '../../shared/settings.ts';
import { systemClock } from '../../shared/time/clock.ts';
import { tenantDirectory } from '../../tenancy/tenant.store.ts';
import type { Tenant } from '../../tenancy/tenant.ts';
import { jobQueueFromEnv } from '../wiring/jobQueueFromEnv.ts';

/** The number of tenants processed in parallel. */
const CONCURRENCY = 8;
/** Calls in this time lead to a training. Too few new calls leave calls to later trainings, so it spans several of them. */
const ACTIVITY_MS = 16 * TRAINING_INTERVAL_MS;

const jobs = jobStore(resource('table', 'jobs'));
const queue = jobQueueFromEnv();
const directory = tenantDirectory(resource('table', 'tenants'));
const progress = progressStore(resource('table', 'counters'));

const createDueTraining = async (tenant: Tenant, now: number): Promise<void> => {
  if (tenant.stage_b === 'disabled') return;
  const activity = { from: now - ACTIVITY_MS, to: now, newest: true };
  if ((await progress.find(tenant.tenant_id, 'recorded', activity)) === null) return;
  const { ulid, request } = dueTraining(tenant, now);
  await createJob({ jobs, queue }, newJob(tenant, ulid, request, now));
};

/** Starts a training for each tenant with recent calls. A failure is logged; the next run tries again. */
export const handler = async (): Promise<void> => {
  const now = systemClock();
  const start = async (tenant: Tenant): Promise<void> => {
    await createDueTraining(tenant, now).catch((error: unknown) => {
      log({
        level: 'error',
        message: 'training could not be started',
        tenant_id: tenant.tenant_id,
        ...describeError(error),
      });
    });
  };
  for await (const tenants of directory.pages()) await pMap(tenants, start, { concurrency: CONCURRENCY });
};
