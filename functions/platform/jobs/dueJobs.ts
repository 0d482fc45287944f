import { TRAINING_INTERVAL_MS } from '../../../schemas/attribution/models.ts';
import { DAY_MS, HOUR_MS } from '../../../schemas/durations.ts';
import type { JobRequest } from '../../../schemas/jobs.ts';
import { sha256Of } from '../shared/hash.ts';
import { toIso } from '../shared/time/toIso.ts';
import { ulidOf } from '../shared/ulid.ts';
import type { Tenant } from '../tenancy/tenant.ts';

/** A day is allocated two hours after its end, when nearly all events have arrived, and after a week for late events. */
const ALLOCATION_DELAYS_MS = [2 * HOUR_MS, 7 * DAY_MS] as const;

/** A job that the schedule creates. Its ULID is derived from tenant, kind and time, so that the job is created once. */
export interface DueJob {
  readonly ulid: string;
  readonly request: JobRequest;
}

const ulidOfDue = (tenantId: string, kind: string, at: number): string =>
  ulidOf(at, sha256Of('due', tenantId, kind, String(at)));

/**
 * The training of a tenant with recent calls at `now` (epoch milliseconds). The job itself decides if enough calls are new.
 */
export const dueTraining = ({ tenant_id }: Pick<Tenant, 'tenant_id'>, now: number): DueJob => {
  const start = Math.floor(now / TRAINING_INTERVAL_MS) * TRAINING_INTERVAL_MS;
  return {
    ulid: ulidOfDue(tenant_id, 'training', start),
    request: { type: 'training', scheduled: true },
  };
};

/** Days whose allocation is made up for after an outage. */
const DAYS_MAXIMUM = 31;

/**
 * The allocations that became due for a tenant after `since`, and the newest of each kind (epoch milliseconds). So a run
 * that was missed leaves no day without its allocation.
 */
export const dueJobs = (
  tenant: Pick<Tenant, 'tenant_id' | 'allocation'>,
  { since, now }: { readonly since: number; readonly now: number },
): DueJob[] => {
  const ulid = (kind: string, at: number) => ulidOfDue(tenant.tenant_id, kind, at);
  const jobs: DueJob[] = [];
  if (tenant.allocation.method === 'none') return jobs;
  for (const delay of ALLOCATION_DELAYS_MS) {
    const newest = Math.floor((now - delay) / DAY_MS) * DAY_MS;
    const last = Math.floor((since - delay) / DAY_MS) * DAY_MS;
    const first = Math.max(Math.min(last + DAY_MS, newest), newest - (DAYS_MAXIMUM - 1) * DAY_MS);
    for (let end = first; end <= newest; end += DAY_MS) {
      const period = { from: toIso(end - DAY_MS), to: toIso(end) };
      jobs.push({ ulid: ulid('allocation', end + delay), request: { type: 'allocation', period } });
    }
  }
  return jobs;
};
