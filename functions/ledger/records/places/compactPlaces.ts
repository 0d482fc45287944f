import { CONFLICT, retryOnConflict } from '../../../platform/shared/retry/retryOnConflict.ts';
import { type Month, monthOf } from '../../../platform/shared/time/month.ts';
import { timeOfUlid } from '../../../platform/shared/ulid.ts';
import type { Place } from './place.ts';
import { placesIn } from './placeBlock.ts';
import type { BlockKey, PlaceCompactionStore } from './placeCompaction.store.ts';
import type { BlockKind } from './placeItem.store.ts';

/** Places in a full block: about 200 KB, below the item limit of 400 KB. */
const BLOCK_PLACES = 8_192;
/** The small blocks of a month are merged once in this many compactions. */
const MERGE_INTERVAL = 64;
/** Each round at least one compaction moves the cut. */
const MAX_ATTEMPTS = 12;

/** Puts places into blocks of their months while they arrive. */
const blockWriter = (store: PlaceCompactionStore, tenantId: string, kindOf: (size: number) => BlockKind) => {
  const written: BlockKey[] = [];
  const pending = new Map<Month, Place[]>();
  const put = async (month: Month, places: readonly Place[]): Promise<void> => {
    written.push(await store.putBlock(tenantId, month, kindOf(places.length), places));
  };
  return {
    add: async (places: readonly Place[]): Promise<void> => {
      for (const place of places) {
        const month = monthOf(timeOfUlid(place.ulid));
        const collected = pending.get(month) ?? [];
        collected.push(place);
        pending.set(month, collected);
        if (collected.length < BLOCK_PLACES) continue;
        pending.delete(month);
        await put(month, collected);
      }
    },
    /** Resolves to the keys of all written blocks. */
    finish: async (): Promise<readonly BlockKey[]> => {
      for (const [month, places] of pending) await put(month, places);
      return written;
    },
  };
};

/** Merges the small blocks of a month. A crash leaves places twice, which readers merge. */
const mergeMonth = async (store: PlaceCompactionStore, tenantId: string, month: Month): Promise<void> => {
  const small = await store.smallBlocks(tenantId, month);
  if (small.length < 2) return;
  const writer = blockWriter(store, tenantId, () => 'merged');
  for (const { block } of small) await writer.add(placesIn(block));
  await writer.finish();
  await store.deleteBlocks(
    tenantId,
    small.map(({ key }) => ({ month, key })),
  );
};

/**
 * Moves the log of a tenant into blocks by month. It first closes the open generation: a writer that logs into a closed
 * generation notices and logs again. So the rows that are read next are all rows of these generations, at any speed of any
 * process. Then the blocks are written, and last the cut moves past them. A crash in between leaves only additional blocks.
 *
 * Call it after every write, at least once, as the marks of rollups do. Throws after too many conflicts.
 */
export const placeCompactor =
  (store: PlaceCompactionStore) =>
  async (tenantId: string): Promise<void> => {
    const compactOnce = async (): Promise<undefined | typeof CONFLICT> => {
      const { open, cut } = await store.state(tenantId);
      if (!(await store.hasRows(tenantId, cut))) return undefined;
      if (!(await store.close(tenantId, open))) return CONFLICT;
      const writer = blockWriter(store, tenantId, (size) => (size < BLOCK_PLACES ? 'small' : 'merged'));
      for await (const page of store.rows(tenantId, cut, open)) {
        for (const block of page) await writer.add(placesIn(block));
      }
      const written = await writer.finish();
      if (!(await store.moveCut(tenantId, cut, open + 1))) {
        // Another compaction covers the rows up to its own generation.
        await store.deleteBlocks(tenantId, written);
        return CONFLICT;
      }
      if (open % MERGE_INTERVAL !== MERGE_INTERVAL - 1) return undefined;
      for (const month of new Set(written.map((block) => block.month))) {
        await mergeMonth(store, tenantId, month);
      }
      return undefined;
    };
    await retryOnConflict(compactOnce, { maxAttempts: MAX_ATTEMPTS, subject: `the places of ${tenantId}` });
  };
