import { type IndexLag, indexLag } from '../../freshness/indexLag.ts';
import { progressStore } from '../../freshness/progress.store.ts';
import { pendingMarkStore } from '../../rollups/pendingMark.store.ts';
import { resource } from '../../shared/settings.ts';
import { systemClock } from '../../shared/time/clock.ts';

/** The lag of records and totals, configured from the environment. */
export const indexLagFromEnv = (): IndexLag => {
  const counters = resource('table', 'counters');
  const { oldest } = pendingMarkStore(counters);
  return indexLag({ progress: progressStore(counters), oldestPendingMark: oldest }, systemClock);
};
