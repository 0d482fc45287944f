import { type Limit, planLimits, type RateClass, tenantCeilings } from '../../../schemas/platform/limits.ts';
import type { Tenant } from '../tenancy/tenant.ts';

const MICROSECONDS_PER_SECOND = 1_000_000;
/**
 * The largest difference between the clocks of two functions, in microseconds. Lambda synchronizes them to milliseconds. A
 * bucket that is charged further ahead than this was charged by a clock that is wrong.
 */
export const MAX_CLOCK_SKEW = 2 * MICROSECONDS_PER_SECOND;

/**
 * A token bucket as in the generic cell rate algorithm (ITU-T I.371). Its state is one number, the theoretical arrival
 * time (`tat`) in epoch microseconds. `tat <= now` means a full bucket. Each token moves `tat` ahead by `interval`, up to
 * `capacity`. Whole microseconds, so that rounding never creates a token.
 */
export interface Bucket {
  readonly limit: Limit;
  readonly interval: number;
  readonly capacity: number;
}

/** The content of the RateLimit headers and of `GET /api/v1/rate-limit`. */
export interface BucketState {
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the bucket is full. */
  readonly reset: number;
}

export const bucketOf = (limit: Limit, scale = 1): Bucket => {
  const burst = Math.max(1, Math.floor(limit.burst * scale));
  const rate = limit.rate * scale;
  const interval = Math.ceil(MICROSECONDS_PER_SECOND / rate);
  return { limit: { rate, burst }, interval, capacity: interval * burst };
};

/** The limit of a tenant for a rate class: the override of the operator, else the limit of the plan. */
export const limitOf = (tenant: Pick<Tenant, 'plan' | 'limits'>, rateClass: RateClass): Limit =>
  tenant.limits[rateClass] ?? planLimits[tenant.plan][rateClass];

/** The limit that all principals of a tenant share for a rate class; undefined if the class has none. */
export const ceilingOf = (
  tenant: Pick<Tenant, 'plan' | 'limits'>,
  rateClass: RateClass,
): Limit | undefined => {
  const factor = tenantCeilings[tenant.plan][rateClass];
  if (factor === undefined) return undefined;
  const { rate, burst } = limitOf(tenant, rateClass);
  return { rate: rate * factor, burst: burst * factor };
};

/** The state that a caller reaches first. */
export const tighterState = (one: BucketState, other: BucketState): BucketState =>
  other.remaining < one.remaining ? other : one;

/** The state of a bucket at `now` (epoch microseconds). */
export const bucketStateAt = (bucket: Bucket, tat: number, now: number): BucketState => {
  const used = Math.min(Math.max(0, tat - now), bucket.capacity);
  return {
    limit: bucket.limit.burst,
    remaining: Math.floor((bucket.capacity - used) / bucket.interval),
    reset: Math.ceil(used / MICROSECONDS_PER_SECOND),
  };
};

/** The latest `tat` at which a charge of `cost` tokens is still admitted. */
export const latestAdmitting = (bucket: Bucket, cost: number, now: number): number =>
  now + bucket.capacity - cost * bucket.interval;

/** The `tat` of an empty bucket. No correct clock charges a bucket further ahead. */
export const emptyTat = (bucket: Bucket, now: number): number => now + bucket.capacity;

/** Seconds, rounded up, until a charge of `cost` tokens is admitted, if no other call is charged until then. */
export const secondsUntilFits = (bucket: Bucket, tat: number, cost: number, now: number): number =>
  Math.max(1, Math.ceil((tat - latestAdmitting(bucket, cost, now)) / MICROSECONDS_PER_SECOND));
