import { type IndexLag, indexLag } from '../../ledger/freshness/indexLag.ts';
import { progressStore } from '../../ledger/freshness/progress.store.ts';
import { pendingMarkStore } from '../../ledger/rollups/pendingMark.store.ts';
import { resource } from '../../platform/shared/settings.ts';
import { systemClock } from '../../platform/shared/time/clock.ts';

/** The lag of records and totals, configured from the environment. */
export const indexLagFromEnv = (): IndexLag => {
  const counters = resource('table', 'counters');
  const { oldest } = pendingMarkStore(counters);
  return indexLag({ progress: progressStore(counters), oldestPendingMark: oldest }, systemClock);
};
