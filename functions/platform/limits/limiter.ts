import type { RateClass } from '../../../schemas/platform/limits.ts';
import { setBounded } from '../shared/caches/boundedMap.ts';
import type { Tenant } from '../tenancy/tenant.ts';
import { type BucketStore, bucketKey } from './bucket.store.ts';
import {
  type Bucket,
  type BucketState,
  bucketOf,
  bucketStateAt,
  ceilingOf,
  emptyTat,
  latestAdmitting,
  limitOf,
  secondsUntilFits,
  tighterState,
} from './bucket.ts';

/** The lifetime of a lease in microseconds. Tokens left at its end are lost, never spent late. */
const LEASE_MICROSECONDS = 200_000;
/** Buckets with a smaller burst get no leases: a lost token would matter more than a saved write. */
const MIN_LEASING_BURST = 2_000;
/** Tokens a function must have spent within one lease lifetime before it takes a lease. */
const LEASING_THRESHOLD = 3;
/** Buckets whose leases are kept in memory. */
const CAPACITY = 1_000;

/** Stands for every principal of a tenant in the key of a shared bucket. No id of a principal has this form. */
const ALL_PRINCIPALS = '*';

interface KeyedBucket {
  readonly key: string;
  readonly bucket: Bucket;
}

interface Lease {
  remaining: number;
  readonly until: number;
}

/** A lease that ends later than its lifetime was taken by a clock ahead of time. Its tokens are lost. */
const isCurrent = ({ until }: Lease, now: number): boolean =>
  until > now && until - now <= LEASE_MICROSECONDS;

interface LocalBucket {
  tat: number;
  lease: Lease;
  /** Tokens spent since `since`, to predict the size of the next lease. */
  spent: number;
  since: number;
}

export type RateLimitDecision = { readonly state: BucketState } & (
  | { readonly outcome: 'admitted' }
  /** `retryAfter`: seconds until the call is admitted, if no other call is charged until then. */
  | { readonly outcome: 'refused'; readonly retryAfter: number }
  /** The cost of the call exceeds the capacity of the bucket. */
  | { readonly outcome: 'never' }
);

export interface BucketOwner {
  readonly tenant: Tenant;
  readonly principal: string;
  readonly rateClass: RateClass;
}

export interface BucketCharge extends BucketOwner {
  readonly cost: number;
  /**
   * What the size of the body costs, if that is more. It counts up to the burst: a large body waits, and is not refused for
   * good.
   */
  readonly sizeCost?: number;
}

export interface Limiter {
  readonly charge: (charge: BucketCharge) => Promise<RateLimitDecision>;
  readonly peek: (owner: BucketOwner) => Promise<BucketState>;
}

/**
 * Rate limiter with one token bucket per tenant, principal and rate class. Exact across functions: tokens are taken from
 * the shared bucket before they are spent. A busy function takes a short lease, which is one write for several calls.
 *
 * With leases too, no time window admits more than burst + rate × time. A lease is charged as if the bucket were full
 * only at the end of the lease (`hold`), so the leased tokens are missing from the bucket while they can be spent.
 *
 * Classes with a tenant ceiling also charge a bucket that all principals of the tenant share. It is read first, so that a
 * principal loses no token when the tenant is over its ceiling, and it is charged last, so that a principal over its own
 * limit takes nothing from the others.
 *
 * `charge` and `peek` throw the SDK error if the store is down.
 */
export const limiter = (
  store: BucketStore,
  options: { readonly clock: () => number; readonly scale?: number | undefined },
): Limiter => {
  const localBuckets = new Map<string, LocalBucket>();
  const microsecondsNow = () => options.clock() * 1_000;

  /** The bucket of the principal. */
  const ownBucketOf = ({ tenant, principal, rateClass }: BucketOwner): KeyedBucket => ({
    key: bucketKey(tenant.tenant_id, principal, rateClass),
    bucket: bucketOf(limitOf(tenant, rateClass), options.scale),
  });

  /** The bucket that the principals of the tenant share, if the class has one. */
  const sharedBucketOf = ({ tenant, rateClass }: BucketOwner): KeyedBucket | undefined => {
    const ceiling = ceilingOf(tenant, rateClass);
    if (ceiling === undefined) return undefined;
    const key = bucketKey(tenant.tenant_id, ALL_PRINCIPALS, rateClass);
    return { key, bucket: bucketOf(ceiling, options.scale) };
  };

  const stateOf = async ({ key, bucket }: KeyedBucket): Promise<BucketState> =>
    bucketStateAt(bucket, await store.peek(key), microsecondsNow());

  /** Extra tokens to lease: as many as the last period spent, if at least half of the bucket is left. */
  const tokensToLease = (bucket: Bucket, localBucket: LocalBucket, now: number): number => {
    const isBusy =
      localBucket.spent >= LEASING_THRESHOLD && now - localBucket.since <= 2 * LEASE_MICROSECONDS;
    const isHalfFull = bucketStateAt(bucket, localBucket.tat, now).remaining >= bucket.limit.burst / 2;
    if (bucket.limit.burst < MIN_LEASING_BURST || !isBusy || !isHalfFull) return 0;
    return Math.min(localBucket.spent, Math.floor(bucket.limit.burst / 100));
  };

  const chargeBucket = async (
    { key, bucket }: KeyedBucket,
    localBucket: LocalBucket,
    cost: number,
    now: number,
    extra: number,
  ): Promise<RateLimitDecision> => {
    const hold = extra === 0 ? 0 : LEASE_MICROSECONDS;
    const result = await store.charge({
      key,
      amount: (cost + extra) * bucket.interval,
      floor: now + hold,
      latest: latestAdmitting(bucket, cost + extra, now),
      emptied: emptyTat(bucket, now),
      lastTat: localBucket.tat,
    });
    localBucket.tat = result.tat;
    localBucket.lease = { remaining: result.admitted ? extra : 0, until: now + LEASE_MICROSECONDS };
    if (Math.abs(now - localBucket.since) > LEASE_MICROSECONDS)
      Object.assign(localBucket, { since: now, spent: 0 });
    const state = bucketStateAt(bucket, result.tat, now);
    if (result.admitted) return { outcome: 'admitted', state };
    if (extra > 0) return chargeBucket({ key, bucket }, localBucket, cost, now, 0);
    return { outcome: 'refused', state, retryAfter: secondsUntilFits(bucket, result.tat, cost, now) };
  };

  const chargeOne = async ({ key, bucket }: KeyedBucket, cost: number): Promise<RateLimitDecision> => {
    const now = microsecondsNow();
    const localBucket = localBuckets.get(key) ?? {
      tat: 0,
      lease: { remaining: 0, until: 0 },
      spent: 0,
      since: now,
    };
    setBounded(localBuckets, key, localBucket, CAPACITY);

    if (isCurrent(localBucket.lease, now) && localBucket.lease.remaining >= cost) {
      localBucket.lease.remaining -= cost;
      localBucket.spent += cost;
      const state = bucketStateAt(bucket, localBucket.tat, now);
      return {
        outcome: 'admitted',
        state: { ...state, remaining: state.remaining + localBucket.lease.remaining },
      };
    }
    const extra = tokensToLease(bucket, localBucket, now);
    const decision = await chargeBucket({ key, bucket }, localBucket, cost, now, extra);
    if (decision.outcome === 'admitted') localBucket.spent += cost;
    return decision;
  };

  /** A refusal by the shared bucket, before the principal spends a token; undefined if the bucket admits the cost. */
  const refusalOf = async (
    { key, bucket }: KeyedBucket,
    cost: number,
  ): Promise<RateLimitDecision | undefined> => {
    const now = microsecondsNow();
    const tat = await store.peek(key);
    // A clock ahead of time charged the bucket. Only a charge can correct that.
    if (tat <= latestAdmitting(bucket, cost, now) || tat > emptyTat(bucket, now)) return undefined;
    const retryAfter = secondsUntilFits(bucket, tat, cost, now);
    return { outcome: 'refused', state: bucketStateAt(bucket, tat, now), retryAfter };
  };

  return {
    charge: async (charge) => {
      const own = ownBucketOf(charge);
      const { burst } = own.bucket.limit;
      const cost = Math.max(charge.cost, Math.min(burst, charge.sizeCost ?? 0));
      if (cost > burst) return { outcome: 'never', state: await stateOf(own) };
      const shared = sharedBucketOf(charge);
      const refusal = shared && (await refusalOf(shared, cost));
      if (refusal !== undefined) return refusal;
      const decision = await chargeOne(own, cost);
      if (shared === undefined || decision.outcome !== 'admitted') return decision;
      const second = await chargeOne(shared, cost);
      if (second.outcome !== 'admitted') return second;
      return { outcome: 'admitted', state: tighterState(decision.state, second.state) };
    },
    peek: async (owner) => {
      const shared = sharedBucketOf(owner);
      const state = await stateOf(ownBucketOf(owner));
      return shared === undefined ? state : tighterState(state, await stateOf(shared));
    },
  };
};
