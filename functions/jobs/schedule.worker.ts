import pMap from 'p-map';
import { systemClock } from '../shared/clock.ts';
import { describeError, log } from '../shared/log.ts';
import { resource } from '../shared/settings.ts';
import { tenantDirectory } from '../tenancy/store.ts';
import type { Tenant } from '../tenancy/tenant.ts';
import { dueJobs } from './due.ts';
import { jobQueue, jobStore } from './job.store.ts';
import { isFinished, newJob } from './job.ts';
import { openJob } from './open.ts';

/** Tenants looked after at once. */
const CONCURRENCY = 8;
/** Jobs looked through for such as nobody works on. */
const RECENT = 30;
/** A job that is older and not finished is had gone on with: its message may have been lost with who sent it. */
const STALE_MILLISECONDS = 2 * 60 * 60 * 1_000;

const jobs = jobStore(resource('table', 'jobs'));
const queue = jobQueue(resource('queue', 'jobs'));
const directory = tenantDirectory(resource('table', 'tenants'));

const lookAfter = async (tenant: Tenant, now: number): Promise<void> => {
  for (const { ulid, request } of dueJobs(tenant, now)) {
    await openJob({ jobs, queue }, newJob(tenant, ulid, request, now));
  }
  const recent = await jobs.newest(tenant.tenant_id, RECENT);
  const stale = recent.filter(
    (job) => !isFinished(job) && now - Date.parse(job.created_at) > STALE_MILLISECONDS,
  );
  for (const job of stale) await queue.send(job);
};

/** Opens what is due for every tenant. What fails for one leaves the others alone, and is due again at the next turn. */
export const handler = async (): Promise<void> => {
  const now = systemClock();
  for await (const tenants of directory.pages()) {
    await pMap(
      tenants,
      (tenant) =>
        lookAfter(tenant, now).catch((error: unknown) => {
          log({
            level: 'error',
            message: 'jobs could not be opened',
            tenant_id: tenant.tenant_id,
            ...describeError(error),
          });
        }),
      { concurrency: CONCURRENCY },
    );
  }
};
