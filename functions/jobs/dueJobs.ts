import type { JobRequest } from '../../schemas/jobs.ts';
import { TRAINING_PERIOD_MS } from '../../schemas/models.ts';
import { DAY_MS, HOUR_MS } from '../shared/durations.ts';
import { sha256Of } from '../shared/hash.ts';
import { toIso } from '../shared/toIso.ts';
import { ulidOf } from '../shared/ulid.ts';
import type { Tenant } from '../tenancy/tenant.ts';

/** A day is allocated two hours after its end, when nearly all events have arrived, and after a week for late events. */
const ALLOCATION_DELAYS_MS = [2 * HOUR_MS, 7 * DAY_MS] as const;

/** A job that the schedule creates. Its ULID is derived from tenant, kind and time, so that the job is created once. */
export interface DueJob {
  readonly ulid: string;
  readonly request: JobRequest;
}

/** The jobs that are due for a tenant at `now` (epoch milliseconds). */
export const dueJobs = (
  tenant: Pick<Tenant, 'tenant_id' | 'stage_b' | 'allocation'>,
  now: number,
): DueJob[] => {
  const ulid = (kind: string, at: number) => ulidOf(at, sha256Of('due', tenant.tenant_id, kind, String(at)));
  const jobs: DueJob[] = [];
  if (tenant.stage_b === 'enabled') {
    const periodStart = Math.floor(now / TRAINING_PERIOD_MS) * TRAINING_PERIOD_MS;
    jobs.push({ ulid: ulid('training', periodStart), request: { type: 'training' } });
  }
  if (tenant.allocation.method === 'none') return jobs;
  for (const delay of ALLOCATION_DELAYS_MS) {
    const end = Math.floor((now - delay) / DAY_MS) * DAY_MS;
    const period = {
      from: toIso(end - DAY_MS),
      to: toIso(end),
    };
    jobs.push({ ulid: ulid('allocation', end + delay), request: { type: 'allocation', period } });
  }
  return jobs;
};
