import { firstThrottleOf } from '../../platform/shared/settleAll.ts';
import type { Interval } from '../../platform/shared/time/interval.ts';
import { isHeld } from '../../platform/shared/time/lease.ts';
import { OutOfTime } from '../../platform/shared/time/outOfTime.ts';
import { addContent, type Content, noContent } from '../records/content.ts';
import type { PeriodVersionReader, PeriodVersions } from '../rollups/periodVersions.store.ts';
import type { ReadCompleteness } from './completeTotals.ts';
import type { Served, ServedPeriods } from './servedPeriods.store.ts';

/** Who serves periods of totals: judges, allocates or exports them. */
export interface Follower {
  readonly name: string;
  /** The grain of the stored sums that make up its periods. */
  readonly grain: 'hour' | 'day';
  /** How long it waits after the end of a period for totals that are complete. Milliseconds. */
  readonly waitMs: number;
  /** The least time between two services of a period. Milliseconds. */
  readonly againAfterMs: number;
  /** Whether a period without records is served. */
  readonly servesEmpty: boolean;
  /** With which of its periods it begins in a tenant. The totals that older ones have then count as served. */
  readonly beginsWith: 'newest' | 'all';
  /** Version of what else its work depends on. Another one serves all periods again. */
  readonly basis?: string;
}

/** A period, and the start of the totals that its work depends on. Absent: its own start. */
export interface FollowedPeriod extends Interval {
  readonly since?: number;
}

export interface ServedPeriod extends Interval {
  /** The digest of the versions in its totals. Null: its sum is not stored yet. */
  readonly digest: string | null;
  /** It was served before, and its totals have changed since. */
  readonly isAgain: boolean;
}

export const keyOfPeriod = ({ from, to }: Interval): string => `${from}-${to}`;

/** The content that a period depends on; null if the sum of one of its parts is not stored yet. */
const contentIn = (versions: PeriodVersions, { from, since = from, to }: FollowedPeriod): Content | null => {
  let sum = noContent;
  for (const [start, content] of versions) {
    if (start < since || start >= to) continue;
    if (content === null) return null;
    sum = addContent(sum, content);
  }
  return sum;
};

/** What a follower counts as served when it begins in a tenant. */
const servedAtBeginning = (
  { beginsWith }: Pick<Follower, 'beginsWith'>,
  periods: readonly FollowedPeriod[],
  totals: PeriodVersions,
  now: number,
): Served => {
  if (beginsWith === 'all') return {};
  const newest = Math.max(...periods.map(({ to }) => to));
  return Object.fromEntries(
    periods.flatMap((period) => {
      const content = contentIn(totals, period);
      return period.to === newest || content?.versions === 0
        ? []
        : [[keyOfPeriod(period), { digest: content?.digest ?? null, at: now }]];
    }),
  );
};

/**
 * The periods that were not served yet, or whose totals were made from other versions than those that they were served
 * with. In the order given.
 */
export const changedPeriods = (
  { againAfterMs, servesEmpty, basis }: Pick<Follower, 'againAfterMs' | 'servesEmpty' | 'basis'>,
  periods: readonly FollowedPeriod[],
  totals: PeriodVersions,
  served: Served,
  now: number,
): ServedPeriod[] =>
  periods.flatMap((period): ServedPeriod[] => {
    const { from, to } = period;
    const content = contentIn(totals, period);
    const made = content?.digest ?? null;
    const digest = made === null || basis === undefined ? made : `${made}+${basis}`;
    const before = served[keyOfPeriod(period)];
    const isDue =
      before === undefined
        ? content?.versions !== 0 || servesEmpty
        : digest !== null &&
          digest !== before.digest &&
          !isHeld({ until: before.at + againAfterMs }, againAfterMs, now);
    return isDue ? [{ from, to, digest, isAgain: before !== undefined }] : [];
  });

/**
 * Returns the function with which all work on whole periods follows the totals. It serves a period when its totals are
 * complete, or after the longest wait, and again when they change. Each period is served independently of the others. What
 * fails, or is left when the time is over, has its turn in the next run: then it throws. A period may be served twice.
 */
export const periodFollower = (deps: {
  readonly versions: PeriodVersionReader;
  readonly served: ServedPeriods;
  readonly readCompleteness: ReadCompleteness;
  readonly hasTime: () => boolean;
  readonly newClaim: () => string;
}) => {
  const { versions, served, readCompleteness, hasTime, newClaim } = deps;

  /** The periods of which the totals are complete, or which have waited long enough. */
  const completeOnes = async (
    tenantId: string,
    { waitMs }: Follower,
    changed: readonly ServedPeriod[],
    now: number,
  ): Promise<ServedPeriod[]> => {
    if (changed.length === 0) return [];
    const isComplete = await readCompleteness(tenantId);
    return changed.filter(
      (period) => (period.digest !== null && isComplete(period)) || now >= period.to + waitMs,
    );
  };

  return async (
    tenantId: string,
    follower: Follower,
    periods: readonly FollowedPeriod[],
    now: number,
    serve: (period: ServedPeriod) => Promise<void>,
  ): Promise<void> => {
    if (periods.length === 0) return;
    const from = Math.min(...periods.map((period) => period.since ?? period.from));
    const to = Math.max(...periods.map((period) => period.to));
    const [totals, stored] = await Promise.all([
      versions.read(tenantId, { grain: follower.grain, from, to }),
      served.read(tenantId, follower.name),
    ]);
    const before = stored?.document ?? servedAtBeginning(follower, periods, totals, now);
    const changed = changedPeriods(follower, periods, totals, before, now);
    const due = await completeOnes(tenantId, follower, changed, now);
    const done: Served = {};
    const errors: unknown[] = [];
    for (const [index, period] of due.entries()) {
      if (index > 0 && !hasTime()) {
        errors.push(new OutOfTime());
        break;
      }
      try {
        await serve(period);
        done[keyOfPeriod(period)] = { digest: period.digest, at: now };
      } catch (error) {
        errors.push(error);
      }
    }
    if (stored === null || Object.keys(done).length > 0) {
      const listed = new Set(periods.map(keyOfPeriod));
      const kept = Object.entries(before).filter(([key]) => listed.has(key));
      // Who loses against another function serves periods again later.
      await served.save(
        tenantId,
        follower.name,
        { ...Object.fromEntries(kept), ...done },
        stored?.revision ?? null,
        {
          claim: newClaim(),
          attempt: 1,
        },
      );
    }
    if (errors.length > 0) throw firstThrottleOf(errors);
  };
};
export type FollowPeriods = ReturnType<typeof periodFollower>;
