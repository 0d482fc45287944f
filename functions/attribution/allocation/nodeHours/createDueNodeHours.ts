import type { NodePools } from '../../../../schemas/attribution/nodePools.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../schemas/durations.ts';
import type { Job } from '../../../../schemas/jobs.ts';
import { rateAt } from '../../../impact/price/nodePools.ts';
import type { Follower, FollowPeriods } from '../../../ledger/freshness/followPeriods.ts';
import { startOf } from '../../../ledger/rollups/grain.ts';
import { ulidOfDue } from '../../../platform/jobs/dueJobs.ts';
import { newJob } from '../../../platform/jobs/job.ts';
import type { Interval } from '../../../platform/shared/time/interval.ts';
import { toIso } from '../../../platform/shared/time/toIso.ts';
import type { Tenant } from '../../../platform/tenancy/tenant.ts';
import { nodePoolsVersion } from './nodePoolsVersion.ts';

/** An hour is divided some minutes after its end, when nearly all of its events have arrived. */
const SETTLING_MS = 5 * MINUTE_MS;
/** Days that are divided, and again after a change. */
export const DAYS_WATCHED = 35;

/** The hours with running nodes that are over at `now` and still divided, earliest first (epoch milliseconds). */
export const hoursToDivide = (pools: NodePools, now: number): Interval[] => {
  const end = startOf('hour', now - SETTLING_MS);
  const hours = DAYS_WATCHED * (DAY_MS / HOUR_MS);
  return Array.from({ length: hours }, (_, index) => end - (hours - index) * HOUR_MS)
    .filter((hour) => pools.some((pool) => rateAt(pool, hour) !== null))
    .map((from) => ({ from, to: from + HOUR_MS }));
};

/**
 * Creates a job for each hour of the nodes of a tenant whose totals are complete, and again when these or the pools change. A
 * division writes versions itself, so an hour is divided once more, and then only after other changes.
 */
export const dueNodeHourCreator = (deps: {
  readonly poolsOf: (tenantId: string) => Promise<NodePools>;
  readonly follow: FollowPeriods;
  readonly createJob: (job: Job) => Promise<unknown>;
}) => {
  const follower: Follower = {
    name: 'nodeHours',
    grain: 'hour',
    waitMs: DAY_MS,
    againAfterMs: HOUR_MS,
    servesEmpty: true,
    beginsWith: 'all',
  };
  return async (tenant: Tenant, now: number): Promise<void> => {
    const pools = await deps.poolsOf(tenant.tenant_id);
    const basis = nodePoolsVersion(pools);
    await deps.follow(
      tenant.tenant_id,
      { ...follower, basis },
      hoursToDivide(pools, now),
      now,
      async ({ from, digest }) => {
        const ulid = ulidOfDue(tenant.tenant_id, `node hours ${from} ${digest}`, startOf('hour', now));
        await deps.createJob(newJob(tenant, ulid, { type: 'node_hours', hour: toIso(from) }, now));
      },
    );
  };
};
