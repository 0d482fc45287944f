import type { Clock } from '../shared/clock.ts';
import { describeError, log } from '../shared/log.ts';
import { cacheLookups } from '../shared/lookupCache.ts';
import { PROGRESS_RETENTION_MS, type ProgressStore, type Stage } from './progress.store.ts';
import { WINDOW_MS, windowOf } from './progress.ts';

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
  readonly areTotalsStale: (tenantId: string) => Promise<boolean>;
}

/**
 * Compares the progress of two consecutive stages. A stage is late if the stage before it has a window that ended more than
 * 90 seconds ago, and no later window or this one has reached the stage. Queues are served roughly in order, so the newest
 * window stands for all earlier ones: a single message that is retried behind them is not noticed.
 */
export const indexLag = (store: Pick<ProgressStore, 'find'>, clock: Clock): IndexLag => {
  const isLate = async (tenantId: string, before: Stage, stage: Stage): Promise<boolean> => {
    const now = clock();
    const oldest = windowOf(now - PROGRESS_RETENTION_MS);
    const reached = await store.find(tenantId, stage, { from: oldest, to: windowOf(now), newest: true });
    const due = windowOf(now - INDEX_FRESHNESS_MS) - WINDOW_MS;
    const from = reached === null ? oldest : reached + WINDOW_MS;
    return (await store.find(tenantId, before, { from, to: due, newest: false })) !== null;
  };
  const lateness = (before: Stage, stage: Stage) => {
    const cached = cacheLookups((tenantId: string) => isLate(tenantId, before, stage), {
      lifetime: CACHE_TTL_MS,
      capacity: CACHE_CAPACITY,
      clock,
    });
    return async (tenantId: string): Promise<boolean> => {
      try {
        return (await cached(tenantId)) ?? true;
      } catch (error) {
        // The answer itself is available. Only its freshness is not known, and so cannot be promised.
        log({ level: 'warn', message: 'freshness is not known', ...describeError(error) });
        return true;
      }
    };
  };
  const areRecordsStale = lateness('accepted', 'recorded');
  const areRollupsStale = lateness('marked', 'summed');
  return {
    areRecordsStale,
    areTotalsStale: async (tenantId) => {
      const stale = await Promise.all([areRecordsStale(tenantId), areRollupsStale(tenantId)]);
      return stale.includes(true);
    },
  };
};
