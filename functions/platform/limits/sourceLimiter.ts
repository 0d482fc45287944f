import { SOURCE_LIMIT } from '../../../schemas/platform/limits.ts';
import { setBounded } from '../shared/caches/boundedMap.ts';
import type { Clock } from '../shared/time/clock.ts';
import { bucketOf, emptyTat, latestAdmitting, secondsUntilFits } from './bucket.ts';
import { sourceNetworkOf } from './sourceNetwork.ts';

/** Reserves that are kept in memory. The oldest ones are forgotten. */
const CAPACITY = 10_000;

/**
 * What a source has a reserve for: failures of credentials that can be valid, failures of all others, and starts of
 * sign-ins. None uses up another.
 */
export type SourceReserve = 'well-formed' | 'malformed' | 'sign-in';

/** An anonymous request that its source pays for. */
export interface SourceAttempt {
  readonly sourceIp: string;
  readonly reserve: SourceReserve;
}

/** Limits what each source network does without a valid credential. */
export interface SourceLimiter {
  /** Seconds until the reserve of the source has room; 0 if it has. */
  readonly secondsToWait: (attempt: SourceAttempt) => number;
  readonly record: (attempt: SourceAttempt) => void;
}

/** Limiter in the memory of one execution environment, without a shared store. */
export const sourceLimiter = (options: {
  readonly clock: Clock;
  readonly scale?: number | undefined;
}): SourceLimiter => {
  const bucket = bucketOf(SOURCE_LIMIT, options.scale);
  /** The theoretical arrival time of each reserve; see {@link bucketOf}. */
  const tats = new Map<string, number>();
  const now = () => options.clock() * 1_000;
  const reserveOf = ({ sourceIp, reserve }: SourceAttempt): string =>
    `${sourceNetworkOf(sourceIp)} ${reserve}`;

  return {
    secondsToWait: (attempt) => {
      const tat = tats.get(reserveOf(attempt)) ?? 0;
      return tat <= latestAdmitting(bucket, 1, now()) ? 0 : secondsUntilFits(bucket, tat, 1, now());
    },
    record: (attempt) => {
      const reserve = reserveOf(attempt);
      const start = Math.max(tats.get(reserve) ?? 0, now());
      // Well-formed credentials are not refused before, so the bucket may already be empty.
      setBounded(tats, reserve, Math.min(start + bucket.interval, emptyTat(bucket, now())), CAPACITY);
    },
  };
};
