import { CONFLICT, retryOnConflict } from '../../../platform/shared/retry/retryOnConflict.ts';
import { type Month, monthOf } from '../../../platform/shared/time/month.ts';
import { timeOfUlid } from '../../../platform/shared/ulid.ts';
import { shardBitsOf } from '../ledgerKey.ts';
import type { SortEntry } from './sortEntry.ts';
import { sortEntriesIn } from './sortIndexBlock.ts';
import type { BlockKey, SortIndexCompactionStore } from './sortIndexCompaction.store.ts';
import type { BlockKind } from './sortIndexItem.store.ts';

/** Sort entries in a full block: about 200 KB, below the item limit of 400 KB. */
const BLOCK_ENTRIES = 8_192;
/** The small blocks of a month are merged once in this many compactions. */
const MERGE_INTERVAL = 64;
/** Each round at least one compaction moves the cut. */
const MAX_ATTEMPTS = 12;

/** A list and a compaction read each shard. So many accept the rows of 30,000 records a second that arrive one by one. */
export const LOG_SHARD_BITS_MAXIMUM = 6;

/** A record takes at most one row of the log, so the log needs as many shards as the ledger had for this record. */
const logShardBitsFor = (ulid: string): number => Math.min(shardBitsOf(ulid), LOG_SHARD_BITS_MAXIMUM);

/** Puts sort entries into blocks of their months while they arrive. */
const blockWriter = (
  store: SortIndexCompactionStore,
  tenantId: string,
  kindOf: (size: number) => BlockKind,
) => {
  const written: BlockKey[] = [];
  const pending = new Map<Month, SortEntry[]>();
  const put = async (month: Month, sortEntries: readonly SortEntry[]): Promise<void> => {
    written.push(await store.putBlock(tenantId, month, kindOf(sortEntries.length), sortEntries));
  };
  return {
    add: async (sortEntries: readonly SortEntry[]): Promise<void> => {
      for (const sortEntry of sortEntries) {
        const month = monthOf(timeOfUlid(sortEntry.ulid));
        const collected = pending.get(month) ?? [];
        collected.push(sortEntry);
        pending.set(month, collected);
        if (collected.length < BLOCK_ENTRIES) continue;
        pending.delete(month);
        await put(month, collected);
      }
    },
    /** Resolves to the keys of all written blocks. */
    finish: async (): Promise<readonly BlockKey[]> => {
      for (const [month, sortEntries] of pending) await put(month, sortEntries);
      return written;
    },
  };
};

/** Merges the small blocks of a month. A crash leaves sort entries twice, which readers merge. */
const mergeMonth = async (store: SortIndexCompactionStore, tenantId: string, month: Month): Promise<void> => {
  const small = await store.smallBlocks(tenantId, month);
  if (small.length < 2) return;
  const writer = blockWriter(store, tenantId, () => 'merged');
  for (const { block } of small) await writer.add(sortEntriesIn(block));
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
 * When the time is over, the cut moves past the generations that were read, at least one, and the next call goes on there.
 *
 * Call it after every write, at least once, as the marks of rollups do. Throws after too many conflicts.
 */
export const sortIndexCompactor =
  (store: SortIndexCompactionStore) =>
  async (tenantId: string, hasTime: () => boolean = () => true): Promise<void> => {
    const compactOnce = async (): Promise<undefined | typeof CONFLICT> => {
      const state = await store.state(tenantId);
      const { open, cut } = state;
      const row = await store.firstRow(tenantId, state);
      if (row === undefined) return undefined;
      const shardBits = Math.max(state.shardBits, logShardBitsFor(row.ulidAt(row.size - 1)));
      if (!(await store.close(tenantId, state, shardBits))) return CONFLICT;
      const writer = blockWriter(store, tenantId, (size) => (size < BLOCK_ENTRIES ? 'small' : 'merged'));
      let read = cut;
      do {
        for await (const page of store.rows(tenantId, state, read)) {
          for (const block of page) await writer.add(sortEntriesIn(block));
        }
        read += 1;
      } while (read <= open && hasTime());
      const written = await writer.finish();
      if (!(await store.moveCut(tenantId, cut, read))) {
        // Another compaction covers the rows up to its own generation.
        await store.deleteBlocks(tenantId, written);
        return CONFLICT;
      }
      if (open % MERGE_INTERVAL !== MERGE_INTERVAL - 1 || !hasTime()) return undefined;
      for (const month of new Set(written.map((block) => block.month))) {
        await mergeMonth(store, tenantId, month);
      }
      return undefined;
    };
    await retryOnConflict(compactOnce, {
      maxAttempts: MAX_ATTEMPTS,
      subject: `the sort index of ${tenantId}`,
    });
  };
