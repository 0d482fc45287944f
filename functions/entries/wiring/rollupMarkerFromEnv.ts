import { randomUUID } from 'node:crypto';
import { dirtyMarker, type MarkDirty } from '../../rollups/markDirty.ts';
import { pendingMarkStore } from '../../rollups/pendingMark.store.ts';
import { rollupQueue } from '../../rollups/queue.store.ts';
import { resource } from '../../shared/settings.ts';
import { systemClock } from '../../shared/time/clock.ts';

/** Marks changed minutes, configured from the environment. */
export const rollupMarkerFromEnv = (): MarkDirty =>
  dirtyMarker({
    queue: rollupQueue(resource('queue', 'rollups')),
    pendingMarks: pendingMarkStore(resource('table', 'counters')),
    clock: systemClock,
    newId: randomUUID,
    random: Math.random,
  });
