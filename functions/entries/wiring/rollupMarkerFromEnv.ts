import { randomUUID } from 'node:crypto';
import { dirtyMarker, type MarkDirty } from '../../ledger/rollups/markDirty.ts';
import { pendingMarkStore } from '../../ledger/rollups/pendingMark.store.ts';
import { rollupQueue } from '../../ledger/rollups/queue.aws.ts';
import { resource } from '../../platform/shared/settings.ts';
import { systemClock } from '../../platform/shared/time/clock.ts';

/** Marks changed minutes, configured from the environment. */
export const rollupMarkerFromEnv = (): MarkDirty =>
  dirtyMarker({
    queue: rollupQueue(resource('queue', 'rollups')),
    pendingMarks: pendingMarkStore(resource('table', 'counters')),
    clock: systemClock,
    newId: randomUUID,
    random: Math.random,
  });
