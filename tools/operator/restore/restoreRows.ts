import { isDeepStrictEqual } from 'node:util';
import pMap from 'p-map';
import type { TableShape } from '../../../schemas/platform/tables.ts';
import { counterparts, deleteRow, putIfAbsent, putRow, type Row, scanPages } from './tableRows.ts';

/** Concurrent writes. It leaves most of a table's capacity to the running service. */
const CONCURRENCY = 8;

/**
 * - `missing`: write rows that the table lacks. Nothing that exists changes, so the service can keep running.
 * - `exact`: also write changed rows as they were, and delete rows that are newer than the copy.
 */
export type RestoreMode = 'missing' | 'exact';

/** Numbers of rows. */
export interface RestoreCounts {
  /** Rows of the copy that belong to the selection and are not expired, or are kept. */
  readonly copied: number;
  readonly missing: number;
  readonly changed: number;
  /** Rows that the copy lacks. Counted with the mode `exact`. */
  readonly newer: number;
}

export interface RestoreOptions {
  readonly mode: RestoreMode;
  /** Only count. */
  readonly isDryRun: boolean;
  /** Epoch seconds. Expired rows are not restored: DynamoDB would delete them again. */
  readonly now: number;
  /** Of rows of the copy that have expired, those that must not be lost, with a later expiry. Default: none. */
  readonly keepExpired?: (rows: readonly Row[]) => Promise<readonly Row[]>;
  readonly isSelected: (row: Row) => boolean;
  /** Called for each row that is written or deleted. */
  readonly onChange: (row: Row) => void;
}

/** The mark by which the stream of the ledger selects versions that raise an event. No other reader uses it. */
const RAISED = 'raised';

/** A version that comes back must not raise its event a second time. Only new rows with the mark raise one. */
const withoutRaised = (row: Row): Row => {
  const { [RAISED]: _, ...rest } = row;
  return rest;
};

/**
 * Copies rows of a restored copy into the live table of the same shape. Can be repeated after an interruption: rows that
 * are already equal are left alone.
 */
export const restoreRows = async (
  shape: TableShape,
  { live, copy }: { readonly live: string; readonly copy: string },
  { mode, isDryRun, now, keepExpired, isSelected, onChange }: RestoreOptions,
): Promise<RestoreCounts> => {
  const counts = { copied: 0, missing: 0, changed: 0, newer: 0 };
  const isExpired = (row: Row): boolean =>
    shape.ttl !== undefined && row[shape.ttl]?.N !== undefined && Number(row[shape.ttl]?.N) <= now;
  const apply = async (row: Row, write: () => Promise<unknown>): Promise<void> => {
    if (isDryRun) return;
    await write();
    onChange(row);
  };

  for await (const page of scanPages(copy)) {
    const selected = page.filter(isSelected);
    const kept = (await keepExpired?.(selected.filter(isExpired))) ?? [];
    const rows = [...selected.filter((row) => !isExpired(row)), ...kept];
    const counterpart = await counterparts(shape, live, rows);
    counts.copied += rows.length;
    await pMap(
      rows,
      async (row) => {
        const existing = counterpart(row);
        const restored = withoutRaised(row);
        if (existing === undefined) {
          counts.missing += 1;
          await apply(row, () => putIfAbsent(live, restored));
        } else if (!isDeepStrictEqual(withoutRaised(existing), restored)) {
          counts.changed += 1;
          if (mode === 'exact') await apply(row, () => putRow(live, restored));
        }
      },
      { concurrency: CONCURRENCY },
    );
  }
  if (mode === 'missing') return counts;
  for await (const page of scanPages(live)) {
    const rows = page.filter((row) => isSelected(row) && !isExpired(row));
    const counterpart = await counterparts(shape, copy, rows);
    const newer = rows.filter((row) => counterpart(row) === undefined);
    counts.newer += newer.length;
    await pMap(newer, (row) => apply(row, () => deleteRow(shape, live, row)), { concurrency: CONCURRENCY });
  }
  return counts;
};
