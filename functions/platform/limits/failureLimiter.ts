import { FAILED_AUTHENTICATION_LIMIT } from '../../../schemas/platform/limits.ts';
import { setBounded } from '../shared/boundedMap.ts';
import type { Clock } from '../shared/time/clock.ts';
import { bucketOf, emptyTat, latestAdmitting, secondsUntilFits } from './bucket.ts';
import { sourceNetworkOf } from './sourceNetwork.ts';

/** Reserves that are kept in memory. The oldest ones are forgotten. */
const CAPACITY = 10_000;

/** A request that carries a credential. */
export interface AuthenticationAttempt {
  readonly sourceIp: string;
  /** Whether it can be valid. Such a credential is always checked. */
  readonly isWellFormed: boolean;
}

/** Limits the failed authentications of each source network. */
export interface FailureLimiter {
  /** Seconds until the source may fail again; 0 if it may fail now. */
  readonly secondsToWait: (attempt: AuthenticationAttempt) => number;
  readonly recordFailure: (attempt: AuthenticationAttempt) => void;
}

/**
 * Failure limiter in the memory of one execution environment, without a shared store. Each source has two reserves: one for
 * credentials that can be valid, and one for everything else, so that neither uses up the other.
 */
export const failureLimiter = (options: {
  readonly clock: Clock;
  readonly scale?: number | undefined;
}): FailureLimiter => {
  const bucket = bucketOf(FAILED_AUTHENTICATION_LIMIT, options.scale);
  /** The theoretical arrival time of each reserve; see {@link bucketOf}. */
  const tats = new Map<string, number>();
  const now = () => options.clock() * 1_000;
  const reserveOf = ({ sourceIp, isWellFormed }: AuthenticationAttempt): string =>
    `${sourceNetworkOf(sourceIp)} ${isWellFormed}`;

  return {
    secondsToWait: (attempt) => {
      const tat = tats.get(reserveOf(attempt)) ?? 0;
      return tat <= latestAdmitting(bucket, 1, now()) ? 0 : secondsUntilFits(bucket, tat, 1, now());
    },
    recordFailure: (attempt) => {
      const reserve = reserveOf(attempt);
      const start = Math.max(tats.get(reserve) ?? 0, now());
      // Well-formed credentials are not refused before, so the bucket may already be empty.
      setBounded(tats, reserve, Math.min(start + bucket.interval, emptyTat(bucket, now())), CAPACITY);
    },
  };
};
