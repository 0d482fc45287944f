import { randomUUID } from 'node:crypto';
import { DAY_SECONDS } from '../../../../schemas/durations.ts';
import { setBounded } from '../../../platform/shared/caches/boundedMap.ts';
import { type NonEmptyBatch, singleFlightBatch } from '../../../platform/shared/caches/singleFlightBatch.ts';
import type { SortEntry } from './sortEntry.ts';
import { packSortEntries } from './sortIndexBlock.ts';
import { expiresIn, generationKey, logOf, put, readState } from './sortIndexItem.store.ts';

/** Rows outlive the longest delay of the message that moves them into blocks: 14 days in a queue and its dead letters. */
const LOG_RETENTION_SECONDS = 30 * DAY_SECONDS;
/** Tenants whose generation a process remembers. */
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
  const knownGenerations = new Map<string, number>();

  const appendRow = async (tenantId: string, sortEntries: readonly SortEntry[]): Promise<void> => {
    let generation = knownGenerations.get(tenantId) ?? (await readState(table, tenantId)).open;
    for (;;) {
      const sk = `${generationKey(generation)}#${randomUUID()}`;
      await put(table, {
        pk: { S: logOf(tenantId) },
        sk: { S: sk },
        sortEntries: { B: packSortEntries(sortEntries) },
        ttl: expiresIn(LOG_RETENTION_SECONDS),
      });
      const { open } = await readState(table, tenantId);
      setBounded(knownGenerations, tenantId, open, KNOWN_TENANTS);
      if (open <= generation) return;
      generation = open;
    }
  };

  const append = singleFlightBatch(
    (items: NonEmptyBatch<{ readonly tenantId: string; readonly sortEntry: SortEntry }>) =>
      appendRow(
        items[0].tenantId,
        items.map(({ sortEntry }) => sortEntry),
      ),
  );
  return { append: (tenantId, sortEntry) => append(tenantId, { tenantId, sortEntry }) };
};
