import { setBounded } from '../../platform/shared/caches/boundedMap.ts';
import { cacheLookups } from '../../platform/shared/caches/lookupCache.ts';
import { describeError, log } from '../../platform/shared/log.ts';
import type { Clock } from '../../platform/shared/time/clock.ts';
import { isHeld } from '../../platform/shared/time/lease.ts';
import { PROGRESS_RETENTION_MS, type ProgressStore } from './progress.store.ts';
import { WINDOW_MS, windowOf } from './progress.ts';
import { type TotalsLag, UNKNOWN } from './totalsLag.ts';

/** The promise: an accepted call is in the answers after this time (P99). */
const INDEX_FRESHNESS_MS = 90_000;
/** How long an answer is reused, and in how many tenants. */
const CACHE_TTL_MS = 5_000;
const CACHE_CAPACITY = 1_000;

/** Whether calls of a tenant are missing from the answers for longer than promised. Never rejects. */
export interface IndexLag {
  /** Missing in the ledger, and so in lists of records. */
  readonly areRecordsStale: (tenantId: string) => Promise<boolean>;
  /** Missing in the ledger or in the rollups, and so in reports. */
  readonly totalsLag: (tenantId: string) => Promise<TotalsLag>;
}

/** The time of the oldest change of a tenant's ledger that is not in its rollups, epoch milliseconds; null without one. */
export type OldestPendingMark = (tenantId: string) => Promise<number | null>;

/**
 * Returns a function that finds the first window of accepted calls that is later than promised in the ledger. Null if none
 * is. A stage is late if the stage before it has a window that ended more than 90 seconds ago, and no later window or this
 * one has reached the stage. Queues are served roughly in order, so the newest window stands for all earlier ones: a single
 * message that is retried behind them is not noticed.
 */
export const lateWindowFinder =
  (progress: Pick<ProgressStore, 'find'>, clock: Clock) =>
  async (tenantId: string): Promise<number | null> => {
    const now = clock();
    const oldest = windowOf(now - PROGRESS_RETENTION_MS);
    const reached = await progress.find(tenantId, 'recorded', {
      from: oldest,
      to: windowOf(now),
      newest: true,
    });
    const due = windowOf(now - INDEX_FRESHNESS_MS) - WINDOW_MS;
    const from = reached === null ? oldest : reached + WINDOW_MS;
    return progress.find(tenantId, 'accepted', { from, to: due, newest: false });
  };

/**
 * Records: see {@link lateWindowFinder}. Totals: exact for each change. They are late while any change is pending for more than 90 seconds.
 */
export const indexLag = (
  stores: { readonly progress: Pick<ProgressStore, 'find'>; readonly oldestPendingMark: OldestPendingMark },
  clock: Clock,
): IndexLag => {
  const { progress, oldestPendingMark } = stores;
  const cacheOptions = { lifetime: CACHE_TTL_MS, capacity: CACHE_CAPACITY, clock };

  const findLateWindow = lateWindowFinder(progress, clock);
  const lateRecords = cacheLookups(
    async (tenantId: string) => (await findLateWindow(tenantId)) !== null,
    cacheOptions,
  );
  /** Up to when totals were complete at the last look-up. New changes are later, so it stays true. */
  const lastKnown = new Map<string, number>();
  const pending = cacheLookups(async (tenantId: string) => {
    const at = clock();
    const since = await oldestPendingMark(tenantId);
    setBounded(lastKnown, tenantId, since ?? at, CACHE_CAPACITY);
    return { since };
  }, cacheOptions);

  /** The answer itself is available. Only its freshness is not known, and so cannot be promised. */
  const unlessUnknown = async <Answer>(answer: Promise<Answer>, unknown: () => Answer): Promise<Answer> => {
    try {
      return await answer;
    } catch (error) {
      log({ level: 'warn', message: 'freshness is not known', ...describeError(error) });
      return unknown();
    }
  };
  const areRecordsStale = (tenantId: string): Promise<boolean> =>
    unlessUnknown(
      lateRecords(tenantId).then((isStale) => isStale ?? true),
      () => true,
    );
  const rollupsLag = async (tenantId: string): Promise<TotalsLag> => {
    const since = (await pending(tenantId))?.since ?? null;
    // A change of a clock that was ahead may be as old as any.
    const isFresh =
      since === null || isHeld({ until: since + INDEX_FRESHNESS_MS }, INDEX_FRESHNESS_MS, clock());
    return { isStale: !isFresh, incompleteSince: since };
  };
  return {
    areRecordsStale,
    totalsLag: async (tenantId) => {
      const [isStale, lag] = await Promise.all([
        areRecordsStale(tenantId),
        unlessUnknown(
          rollupsLag(tenantId),
          (): TotalsLag => ({ isStale: true, incompleteSince: lastKnown.get(tenantId) ?? UNKNOWN }),
        ),
      ]);
      return { ...lag, isStale: isStale || lag.isStale };
    },
  };
};
