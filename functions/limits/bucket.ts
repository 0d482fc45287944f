import { type Limit, planLimits, type RateClass } from '../../schemas/platform/limits.ts';
import type { Tenant } from '../tenancy/tenant.ts';

const MICROSECONDS = 1_000_000;

/**
 * A token bucket as the generic cell rate algorithm keeps it: one number, the theoretical arrival time (`tat`),
 * in epoch microseconds. `tat <= now` is a full bucket; each token moves it `interval` ahead, up to `capacity`.
 * (ITU-T I.371; whole microseconds, so that no rounding ever mints a token.)
 */
export interface Bucket {
  readonly limit: Limit;
  readonly interval: number;
  readonly capacity: number;
}

/** What the RateLimit headers and `GET /api/v1/rate-limit` tell. */
export interface BucketState {
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the bucket is full; after a refusal, until the refused call fits. */
  readonly reset: number;
}

export const bucketOf = (limit: Limit, scale = 1): Bucket => {
  const burst = Math.max(1, Math.floor(limit.burst * scale));
  const rate = limit.rate * scale;
  const interval = Math.ceil(MICROSECONDS / rate);
  return { limit: { rate, burst }, interval, capacity: interval * burst };
};

/** The tenant's limit for a class: the operator's override, else the plan's. */
export const limitOf = (tenant: Pick<Tenant, 'plan' | 'limits'>, rateClass: RateClass): Limit =>
  tenant.limits[rateClass] ?? planLimits[tenant.plan][rateClass];

/** The budget a bucket has at `now` (epoch microseconds). */
export const bucketStateAt = (bucket: Bucket, tat: number, now: number): BucketState => {
  const used = Math.min(Math.max(0, tat - now), bucket.capacity);
  return {
    limit: bucket.limit.burst,
    remaining: Math.floor((bucket.capacity - used) / bucket.interval),
    reset: Math.ceil(used / MICROSECONDS),
  };
};

/** The latest `tat` before a charge at which `cost` tokens still fit. */
export const latestAdmitting = (bucket: Bucket, cost: number, now: number): number =>
  now + bucket.capacity - cost * bucket.interval;

/** Seconds, rounded up, until `cost` tokens fit; waiting that long always suffices when nobody else draws. */
export const secondsUntilFits = (bucket: Bucket, tat: number, cost: number, now: number): number =>
  Math.max(1, Math.ceil((tat - latestAdmitting(bucket, cost, now)) / MICROSECONDS));
