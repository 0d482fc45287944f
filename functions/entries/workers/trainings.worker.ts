import pMap from 'p-map';
import { TRAINING_INTERVAL_MS } from '../../../schemas/models.ts';
import { progressStore } from '../../ledger/freshness/progress.store.ts';
import { createJob } from '../../platform/jobs/createJob.ts';
import { dueTraining } from '../../platform/jobs/dueJobs.ts';
import { jobStore } from '../../platform/jobs/job.store.ts';
import { newJob } from '../../platform/jobs/job.ts';
import { describeError, log } from '../../platform/shared/log.ts';
import { resource } from '../../platform/shared/settings.ts';
import { systemClock } from '../../platform/shared/time/clock.ts';
import { tenantDirectory } from '../../platform/tenancy/tenant.store.ts';
import type { Tenant } from '../../platform/tenancy/tenant.ts';
import { billImportFromEnv } from '../wiring/billImportFromEnv.ts';
import { jobQueueFromEnv } from '../wiring/jobQueueFromEnv.ts';

/** The number of tenants processed in parallel. */
const CONCURRENCY = 8;
/** Calls in this time lead to a training. Too few new calls leave calls to later trainings, so it spans several of them. */
const ACTIVITY_MS = 16 * TRAINING_INTERVAL_MS;

const jobs = jobStore(resource('table', 'jobs'));
const queue = jobQueueFromEnv();
const directory = tenantDirectory(resource('table', 'tenants'));
const progress = progressStore(resource('table', 'counters'));

const importDueSources = billImportFromEnv();

const logFailure =
  (message: string, { tenant_id }: Tenant) =>
  (error: unknown): void =>
    log({ level: 'error', message, tenant_id, ...describeError(error) });

const createDueTraining = async (tenant: Tenant, now: number): Promise<void> => {
  if (tenant.stage_b === 'disabled') return;
  const activity = { from: now - ACTIVITY_MS, to: now, newest: true };
  if ((await progress.find(tenant.tenant_id, 'recorded', activity)) === null) return;
  const { ulid, request } = dueTraining(tenant, now);
  await createJob({ jobs, queue }, newJob(tenant, ulid, request, now));
};

const importBills = async (tenant: Tenant, now: number): Promise<void> => {
  if (tenant.sandbox === true) return;
  const onFailure = logFailure('bills could not be imported', tenant);
  await importDueSources(tenant.tenant_id, now, onFailure).catch(onFailure);
};

/**
 * Starts a training for each tenant with recent calls, and imports the bills of its providers. A failure is logged; the next
 * run tries again.
 */
export const handler = async (): Promise<void> => {
  const now = systemClock();
  const tenants: Tenant[] = [];
  const start = (tenant: Tenant): Promise<void> =>
    createDueTraining(tenant, now).catch(logFailure('training could not be started', tenant));
  for await (const page of directory.pages()) {
    await pMap(page, start, { concurrency: CONCURRENCY });
    tenants.push(...page);
  }
  // Begins with another tenant each time, so that slow providers of some do not use up the time of the others.
  const first = Math.floor(Math.random() * tenants.length);
  const inTurn = [...tenants.slice(first), ...tenants.slice(0, first)];
  await pMap(inTurn, (tenant) => importBills(tenant, now), { concurrency: CONCURRENCY });
};
