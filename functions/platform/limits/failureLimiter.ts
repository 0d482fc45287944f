import { FAILED_AUTHENTICATION_LIMIT } from '../../../schemas/platform/limits.ts';
import { setBounded } from '../shared/boundedMap.ts';
import type { Clock } from '../shared/time/clock.ts';
import { bucketOf, emptyTat, latestAdmitting, secondsUntilFits } from './bucket.ts';
import { sourceNetworkOf } from './sourceNetwork.ts';

/** Sources and credentials that are kept in memory. The oldest ones are forgotten. */
const CAPACITY = 10_000;

/** A request that carries a credential. */
export interface AuthenticationAttempt {
  readonly sourceIp: string;
  /** A digest of the presented credential. */
  readonly credential: string;
}

/** Limits the failed authentications of each source network. */
export interface FailureLimiter {
  /** Seconds until the attempt may be made; 0 if it may be made now. */
  readonly secondsToWait: (attempt: AuthenticationAttempt) => number;
  readonly recordFailure: (attempt: AuthenticationAttempt) => void;
  readonly recordSuccess: (attempt: AuthenticationAttempt) => void;
}

/**
 * Failure limiter in the memory of one execution environment, without a shared store. A refused attempt costs about a
 * millisecond instead of a read and a padded answer, so a flood from one source keeps few environments busy, and each admits
 * the burst of one bucket only.
 *
 * A credential that this environment has accepted is still checked when its source is over the limit: somebody behind the
 * same address must not lock its owner out. It loses this when it fails.
 */
export const failureLimiter = (options: {
  readonly clock: Clock;
  readonly scale?: number | undefined;
}): FailureLimiter => {
  const bucket = bucketOf(FAILED_AUTHENTICATION_LIMIT, options.scale);
  /** The theoretical arrival time of each source; see {@link bucketOf}. */
  const tats = new Map<string, number>();
  const accepted = new Map<string, true>();
  const now = () => options.clock() * 1_000;

  return {
    secondsToWait: ({ sourceIp, credential }) => {
      const tat = tats.get(sourceNetworkOf(sourceIp)) ?? 0;
      if (accepted.has(credential) || tat <= latestAdmitting(bucket, 1, now())) return 0;
      return secondsUntilFits(bucket, tat, 1, now());
    },
    recordFailure: ({ sourceIp, credential }) => {
      accepted.delete(credential);
      const network = sourceNetworkOf(sourceIp);
      const start = Math.max(tats.get(network) ?? 0, now());
      // Accepted credentials that fail are not refused before, so the bucket may already be empty.
      setBounded(tats, network, Math.min(start + bucket.interval, emptyTat(bucket, now())), CAPACITY);
    },
    recordSuccess: ({ credential }) => setBounded(accepted, credential, true, CAPACITY),
  };
};
