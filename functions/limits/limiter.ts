import type { RateClass } from '../../schemas/platform/limits.ts';
import { setBounded } from '../shared/boundedMap.ts';
import type { Tenant } from '../tenancy/tenant.ts';
import { type BucketStore, bucketKey } from './bucket.store.ts';
import {
  type Bucket,
  type BucketState,
  bucketOf,
  bucketStateAt,
  emptyTat,
  latestAdmitting,
  limitOf,
  secondsUntilFits,
} from './bucket.ts';

/** The lifetime of a lease in microseconds. Tokens left at its end are lost, never spent late. */
const LEASE_MICROSECONDS = 200_000;
/** Buckets with a smaller burst get no leases: a lost token would matter more than a saved write. */
const MIN_LEASING_BURST = 2_000;
/** Tokens a function must have spent within one lease lifetime before it takes a lease. */
const LEASING_THRESHOLD = 3;
/** Buckets whose leases are kept in memory. */
const CAPACITY = 1_000;

interface Lease {
  remaining: number;
  readonly until: number;
}

interface LocalBucket {
  tat: number;
  lease: Lease;
  /** Tokens spent since `since`, to predict the size of the next lease. */
  spent: number;
  since: number;
}

export interface RateLimitDecision {
  /** `never`: the cost of the call exceeds the capacity of the bucket. */
  readonly outcome: 'admitted' | 'refused' | 'never';
  readonly state: BucketState;
}

export interface Charge {
  readonly tenant: Tenant;
  readonly principal: string;
  readonly rateClass: RateClass;
  readonly cost: number;
}

export interface Limiter {
  readonly charge: (charge: Charge) => Promise<RateLimitDecision>;
  readonly peek: (charge: Omit<Charge, 'cost'>) => Promise<BucketState>;
}

/**
 * Rate limiter with one token bucket per tenant, principal and rate class. Exact across functions: tokens are taken from
 * the shared bucket before they are spent. A busy function takes a short lease, which is one write for several calls.
 *
 * With leases too, no time window admits more than burst + rate × time. A lease is charged as if the bucket were full
 * only at the end of the lease (`hold`), so the leased tokens are missing from the bucket while they can be spent.
 * `charge` and `peek` throw the SDK error if the store is down.
 */
export const limiter = (
  store: BucketStore,
  options: { readonly clock: () => number; readonly scale?: number | undefined },
): Limiter => {
  const localBuckets = new Map<string, LocalBucket>();
  const keyOf = (charge: Omit<Charge, 'cost'>) =>
    bucketKey(charge.tenant.tenant_id, charge.principal, charge.rateClass);
  const bucketFor = (charge: Omit<Charge, 'cost'>) =>
    bucketOf(limitOf(charge.tenant, charge.rateClass), options.scale);

  /** Extra tokens to lease: as many as the last period spent, if at least half of the bucket is left. */
  const tokensToLease = (bucket: Bucket, localBucket: LocalBucket, now: number): number => {
    const isBusy =
      localBucket.spent >= LEASING_THRESHOLD && now - localBucket.since <= 2 * LEASE_MICROSECONDS;
    const isHalfFull = bucketStateAt(bucket, localBucket.tat, now).remaining >= bucket.limit.burst / 2;
    if (bucket.limit.burst < MIN_LEASING_BURST || !isBusy || !isHalfFull) return 0;
    return Math.min(localBucket.spent, Math.floor(bucket.limit.burst / 100));
  };

  const chargeBucket = async (
    key: string,
    bucket: Bucket,
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
    if (now - localBucket.since > LEASE_MICROSECONDS) Object.assign(localBucket, { since: now, spent: 0 });
    const state = bucketStateAt(bucket, result.tat, now);
    if (result.admitted) return { outcome: 'admitted', state };
    if (extra > 0) return chargeBucket(key, bucket, localBucket, cost, now, 0);
    return {
      outcome: 'refused',
      state: { ...state, reset: secondsUntilFits(bucket, result.tat, cost, now) },
    };
  };

  return {
    charge: async (charge) => {
      const key = keyOf(charge);
      const bucket = bucketFor(charge);
      const now = options.clock() * 1_000;
      if (charge.cost > bucket.limit.burst) {
        return { outcome: 'never', state: bucketStateAt(bucket, await store.peek(key), now) };
      }
      const localBucket = localBuckets.get(key) ?? {
        tat: 0,
        lease: { remaining: 0, until: 0 },
        spent: 0,
        since: now,
      };
      setBounded(localBuckets, key, localBucket, CAPACITY);

      if (localBucket.lease.until > now && localBucket.lease.remaining >= charge.cost) {
        localBucket.lease.remaining -= charge.cost;
        localBucket.spent += charge.cost;
        const state = bucketStateAt(bucket, localBucket.tat, now);
        return {
          outcome: 'admitted',
          state: { ...state, remaining: state.remaining + localBucket.lease.remaining },
        };
      }
      const decision = await chargeBucket(
        key,
        bucket,
        localBucket,
        charge.cost,
        now,
        tokensToLease(bucket, localBucket, now),
      );
      if (decision.outcome === 'admitted') localBucket.spent += charge.cost;
      return decision;
    },
    peek: async (charge) =>
      bucketStateAt(bucketFor(charge), await store.peek(keyOf(charge)), options.clock() * 1_000),
  };
};
