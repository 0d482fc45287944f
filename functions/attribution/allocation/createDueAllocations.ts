import { DAY_MS, HOUR_MS } from '../../../schemas/durations.ts';
import type { Job } from '../../../schemas/jobs.ts';
import type { Follower, FollowPeriods } from '../../ledger/freshness/followPeriods.ts';
import { startOf } from '../../ledger/rollups/grain.ts';
import { ulidOfDue } from '../../platform/jobs/dueJobs.ts';
import { newJob } from '../../platform/jobs/job.ts';
import type { Interval } from '../../platform/shared/time/interval.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';
import type { Tenant } from '../../platform/tenancy/tenant.ts';

/** A day is allocated two hours after its end, when nearly all events have arrived. */
const SETTLING_MS = 2 * HOUR_MS;
/** Days that are allocated, and again after a change: a quarter of a year, which corrections of bills and prices reach. */
const DAYS_WATCHED = 92;

/**
 * An allocation writes versions itself. So a day is allocated once more, on the next day, and then only after other changes.
 */
const follower: Follower = {
  name: 'allocation',
  grain: 'day',
  waitMs: DAY_MS,
  againAfterMs: DAY_MS,
  servesEmpty: false,
  beginsWith: 'newest',
};

/** The days that are over at `now` and still allocated, earliest first (epoch milliseconds). */
export const daysToAllocate = (now: number): Interval[] => {
  const from = (Math.floor((now - SETTLING_MS) / DAY_MS) - DAYS_WATCHED) * DAY_MS;
  return Array.from({ length: DAYS_WATCHED }, (_, index) => ({
    from: from + index * DAY_MS,
    to: from + (index + 1) * DAY_MS,
  }));
};

/**
 * Creates an allocation for each day of a tenant whose totals are complete, and again when they change. A tenant that turns
 * allocation on begins with the days that change from then on.
 */
export const dueAllocationCreator =
  (deps: { readonly follow: FollowPeriods; readonly createJob: (job: Job) => Promise<unknown> }) =>
  (tenant: Tenant, now: number): Promise<void> =>
    deps.follow(tenant.tenant_id, follower, daysToAllocate(now), now, async ({ from, to, digest }) => {
      if (tenant.allocation.method === 'none') return;
      const today = startOf('day', now);
      const ulid = ulidOfDue(tenant.tenant_id, `allocation ${from} ${digest}`, today);
      const period = { from: toIso(from), to: toIso(to) };
      await deps.createJob(newJob(tenant, ulid, { type: 'allocation', period }, now));
    });
