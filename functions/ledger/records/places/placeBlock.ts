import { deflateRawSync, inflateRawSync } from 'node:zlib';
import * as z from 'zod';
import { type Place, type PlaceColumn, placeColumns, placeValues } from './place.ts';

const TIME_LENGTH = 10;
const RANDOM_LENGTH = 16;

/** A column: its distinct values, and the index of the value of each row. Null: row n has value n. Empty: all have the first. */
const Column = z.object({ values: z.array(z.string().nullable()), rows: z.array(z.int()).nullable() });
type Column = z.infer<typeof Column>;

/** Columns compress better than rows: neighbours are alike. Times and random parts of ULIDs are kept apart for that reason. */
const StoredBlock = z.object({
  times: z.string(),
  randoms: z.string(),
  versions: z.array(z.int()),
  columns: z.record(z.enum(placeColumns), Column),
});

/** Decoded places, by row. */
export interface PlaceBlock {
  readonly size: number;
  readonly ulidAt: (row: number) => string;
  readonly versionAt: (row: number) => number;
  readonly column: (name: PlaceColumn) => ColumnValues;
}

export interface ColumnValues {
  /** The distinct values. */
  readonly values: readonly (string | null)[];
  /** The index of the value of a row. */
  readonly indexAt: (row: number) => number;
}

const columnOf = (places: readonly Place[], name: PlaceColumn): Column => {
  const indexes = new Map<string | null, number>();
  const rows = places.map(({ values }) => {
    const value = values[name];
    const index = indexes.get(value) ?? indexes.size;
    indexes.set(value, index);
    return index;
  });
  if (indexes.size === 1) return { values: [...indexes.keys()], rows: [] };
  // Costs often differ in every row.
  if (indexes.size > places.length / 2)
    return { values: places.map(({ values }) => values[name]), rows: null };
  return { values: [...indexes.keys()], rows };
};

/** Packs places, in the order of their ULIDs. */
export const packPlaces = (places: readonly Place[]): Uint8Array => {
  const sorted = places.toSorted((one, other) => (one.ulid < other.ulid ? -1 : 1));
  const columns = Object.fromEntries(placeColumns.map((name) => [name, columnOf(sorted, name)]));
  const block = {
    times: sorted.map(({ ulid }) => ulid.slice(0, TIME_LENGTH)).join(''),
    randoms: sorted.map(({ ulid }) => ulid.slice(TIME_LENGTH)).join(''),
    versions: sorted.every(({ version }) => version === 1) ? [] : sorted.map(({ version }) => version),
    columns,
  };
  return deflateRawSync(JSON.stringify(block));
};

/** Throws when the bytes are not a block, which means that the index was tampered with. */
export const unpackPlaces = (packed: Uint8Array): PlaceBlock => {
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

/** The places of a block. */
export const placesIn = (block: PlaceBlock): Place[] =>
  Array.from({ length: block.size }, (_, row) => ({
    ulid: block.ulidAt(row),
    version: block.versionAt(row),
    values: placeValues((column) => {
      const { values, indexAt } = block.column(column);
      return values[indexAt(row)] ?? null;
    }),
  }));
