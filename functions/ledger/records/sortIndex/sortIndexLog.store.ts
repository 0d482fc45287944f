import { randomUUID } from 'node:crypto';
import { DAY_SECONDS } from '../../../../schemas/durations.ts';
import { setBounded } from '../../../platform/shared/caches/boundedMap.ts';
import { type NonEmptyBatch, singleFlightBatch } from '../../../platform/shared/caches/singleFlightBatch.ts';
import { shardOfRecord } from '../ledgerKey.ts';
import type { SortEntry } from './sortEntry.ts';
import { packSortEntries } from './sortIndexBlock.ts';
import {
  expiresIn,
  generationKey,
  type LogState,
  logShardOf,
  put,
  readState,
} from './sortIndexItem.store.ts';

/** Rows outlive the longest delay of the message that moves them into blocks: 14 days in a queue and its dead letters. */
const LOG_RETENTION_SECONDS = 30 * DAY_SECONDS;
/** Tenants whose log a process remembers. */
const KNOWN_TENANTS = 1_000;

export interface SortIndexLog {
  /** Logs the sort entry of a version. Must resolve before the version is written. */
  readonly append: (tenantId: string, sortEntry: SortEntry) => Promise<void>;
}

/**
 * The log of the sort index. Concurrent calls for a tenant share a row. After each row, the writer reads which generation is
 * open. When its own has been closed meanwhile, the compaction may have missed the row, and the writer logs its sort entries
 * again.
 */
export const sortIndexLog = (table: string): SortIndexLog => {
  const knownStates = new Map<string, LogState>();

  const appendRow = async (tenantId: string, sortEntries: NonEmptyBatch<SortEntry>): Promise<void> => {
    let state = knownStates.get(tenantId) ?? (await readState(table, tenantId));
    for (;;) {
      const shard = shardOfRecord(sortEntries[0].ulid, state.shardBits);
      await put(table, {
        pk: { S: logShardOf(tenantId, shard) },
        sk: { S: `${generationKey(state.open)}#${randomUUID()}` },
        sortEntries: { B: packSortEntries(sortEntries) },
        ttl: expiresIn(LOG_RETENTION_SECONDS),
      });
      const latest = await readState(table, tenantId);
      setBounded(knownStates, tenantId, latest, KNOWN_TENANTS);
      // A sandbox that is reset has one shard again.
      if (latest.open <= state.open && latest.shardBits >= state.shardBits) return;
      state = latest;
    }
  };

  const append = singleFlightBatch(
    ([first, ...others]: NonEmptyBatch<{ readonly tenantId: string; readonly sortEntry: SortEntry }>) =>
      appendRow(first.tenantId, [first.sortEntry, ...others.map(({ sortEntry }) => sortEntry)]),
  );
  return { append: (tenantId, sortEntry) => append(tenantId, { tenantId, sortEntry }) };
};
