import type { JobRequest } from '../../schemas/jobs.ts';
import { sha256Of } from '../shared/hash.ts';
import { ulidOf } from '../shared/ulid.ts';
import type { Tenant } from '../tenancy/tenant.ts';

const HOUR_MILLISECONDS = 60 * 60 * 1_000;
const DAY_MILLISECONDS = 24 * HOUR_MILLISECONDS;

/** A model serves for so long until the next is trained. The gate tests it over the same stretch. */
export const TRAINING_PERIOD_MILLISECONDS = 3 * HOUR_MILLISECONDS;
/** A day is shared out this long after its end, when nearly all of its events are in, and again for the late ones. */
const ALLOCATION_DELAYS = [2 * HOUR_MILLISECONDS, 7 * DAY_MILLISECONDS] as const;

/** A job that the schedule opens; its ULID follows from what it is for, so that it is opened once. */
export interface DueJob {
  readonly ulid: string;
  readonly request: JobRequest;
}

/** What is due for a tenant at `now` (epoch milliseconds). */
export const dueJobs = (
  tenant: Pick<Tenant, 'tenant_id' | 'stage_b' | 'allocation'>,
  now: number,
): DueJob[] => {
  const ulid = (kind: string, at: number) => ulidOf(at, sha256Of('due', tenant.tenant_id, kind, String(at)));
  const jobs: DueJob[] = [];
  if (tenant.stage_b === 'enabled') {
    const periodStart = Math.floor(now / TRAINING_PERIOD_MILLISECONDS) * TRAINING_PERIOD_MILLISECONDS;
    jobs.push({ ulid: ulid('training', periodStart), request: { type: 'training' } });
  }
  if (tenant.allocation.method === 'none') return jobs;
  for (const delay of ALLOCATION_DELAYS) {
    const end = Math.floor((now - delay) / DAY_MILLISECONDS) * DAY_MILLISECONDS;
    const period = {
      from: new Date(end - DAY_MILLISECONDS).toISOString(),
      to: new Date(end).toISOString(),
    };
    jobs.push({ ulid: ulid('allocation', end + delay), request: { type: 'allocation', period } });
  }
  return jobs;
};
