import { deflateRawSync, inflateRawSync } from 'node:zlib';
import * as z from 'zod';
import { type SortEntry, type SortIndexColumn, sortEntryValues, sortIndexColumns } from './sortEntry.ts';

const TIME_LENGTH = 10;
const RANDOM_LENGTH = 16;

/**
 * A column: its distinct values, and the index of the value of each row. Null: row n has value n. Empty: all have the first.
 */
const Column = z.object({ values: z.array(z.string().nullable()), rows: z.array(z.int()).nullable() });
type Column = z.infer<typeof Column>;

/**
 * Columns compress better than rows: neighbours are alike. Times and random parts of ULIDs are kept apart for that reason.
 */
const StoredBlock = z.object({
  times: z.string(),
  randoms: z.string(),
  versions: z.array(z.int()),
  columns: z.record(z.enum(sortIndexColumns), Column),
});

/** Decoded sort entries, by row. */
export interface SortIndexBlock {
  readonly size: number;
  readonly ulidAt: (row: number) => string;
  readonly versionAt: (row: number) => number;
  readonly column: (name: SortIndexColumn) => ColumnValues;
}

export interface ColumnValues {
  /** The distinct values. */
  readonly values: readonly (string | null)[];
  /** The index of the value of a row. */
  readonly indexAt: (row: number) => number;
}

const columnOf = (sortEntries: readonly SortEntry[], name: SortIndexColumn): Column => {
  const indexes = new Map<string | null, number>();
  const rows = sortEntries.map(({ values }) => {
    const value = values.get(name) ?? null;
    const index = indexes.get(value) ?? indexes.size;
    indexes.set(value, index);
    return index;
  });
  if (indexes.size === 1) return { values: [...indexes.keys()], rows: [] };
  // Costs often differ in every row.
  if (indexes.size > sortEntries.length / 2)
    return { values: sortEntries.map(({ values }) => values.get(name) ?? null), rows: null };
  return { values: [...indexes.keys()], rows };
};

/** Packs sort entries, in the order of their ULIDs. */
export const packSortEntries = (sortEntries: readonly SortEntry[]): Uint8Array => {
  const sorted = sortEntries.toSorted((one, other) => (one.ulid < other.ulid ? -1 : 1));
  const columns = Object.fromEntries(sortIndexColumns.map((name) => [name, columnOf(sorted, name)]));
  const block = {
    times: sorted.map(({ ulid }) => ulid.slice(0, TIME_LENGTH)).join(''),
    randoms: sorted.map(({ ulid }) => ulid.slice(TIME_LENGTH)).join(''),
    versions: sorted.every(({ version }) => version === 1) ? [] : sorted.map(({ version }) => version),
    columns,
  };
  return deflateRawSync(JSON.stringify(block));
};

/** Throws when the bytes are not a block, which means that the index was tampered with. */
export const unpackSortEntries = (packed: Uint8Array): SortIndexBlock => {
  const stored = StoredBlock.parse(JSON.parse(inflateRawSync(packed).toString('utf8')));
  const { times, randoms, versions, columns } = stored;
  return {
    size: times.length / TIME_LENGTH,
    ulidAt: (row) =>
      times.slice(row * TIME_LENGTH, (row + 1) * TIME_LENGTH) +
      randoms.slice(row * RANDOM_LENGTH, (row + 1) * RANDOM_LENGTH),
    versionAt: (row) => versions[row] ?? 1,
    column: (name) => {
      const { values, rows } = columns[name];
      return { values, indexAt: rows === null ? (row) => row : (row) => rows[row] ?? 0 };
    },
  };
};

/** The sort entries of a block. */
export const sortEntriesIn = (block: SortIndexBlock): SortEntry[] =>
  Array.from({ length: block.size }, (_, row) => ({
    ulid: block.ulidAt(row),
    version: block.versionAt(row),
    values: sortEntryValues((column) => {
      const { values, indexAt } = block.column(column);
      return values[indexAt(row)] ?? null;
    }),
  }));
