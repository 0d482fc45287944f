import { zstdDecompressSync } from 'node:zlib';
import { type AsyncBuffer, type FileMetaData, parquetMetadata, parquetReadObjects } from 'hyparquet';
import type { Attribution } from '../../records/attribution.ts';
import { archiveColumns, attributionOfRow } from './archiveColumns.ts';
import { fromParquetValue, withRawDecimals } from './parquetValues.ts';

/** A row group of a file: its rows are those of one ledger partition, in the order of their ids and versions. */
export interface RowGroup {
  /** The smallest and the greatest record id. */
  readonly first: string;
  readonly last: string;
  /** The bytes of its columns in the file, `end` excluded. */
  readonly start: number;
  readonly end: number;
  readonly firstRow: number;
  readonly rows: number;
}

/** A row of a file. Its attribution is decoded and validated when it is read. */
export interface ArchivedRow {
  readonly id: string;
  readonly version: number;
  /** The start of the version, epoch milliseconds. */
  readonly from: number;
  readonly read: () => Attribution;
}

/** What the footer of a file says. */
export interface ArchiveFooter {
  readonly metadata: FileMetaData;
  readonly groups: readonly RowGroup[];
}

/** Reads a footer from the last bytes of a file of `size` bytes. Null when the footer is longer than those. */
export const readFooter = (tail: Uint8Array, size: number): ArchiveFooter | null => {
  const length = new DataView(tail.buffer, tail.byteOffset, tail.byteLength).getUint32(tail.length - 8, true);
  if (length + 8 > tail.length && tail.length < size) return null;
  const parsed = parquetMetadata(new Uint8Array(tail).buffer);
  const metadata = { ...parsed, schema: withRawDecimals(parsed.schema) };
  let firstRow = 0;
  const groups = metadata.row_groups.map(({ columns, num_rows }): RowGroup => {
    const chunks = columns.flatMap(({ meta_data }) => meta_data ?? []);
    const starts = chunks.map((chunk) => Number(chunk.dictionary_page_offset ?? chunk.data_page_offset));
    const ends = chunks.map((chunk, index) => (starts[index] ?? 0) + Number(chunk.total_compressed_size));
    const ids = chunks.find(({ path_in_schema }) => path_in_schema[0] === 'id')?.statistics;
    const rows = Number(num_rows);
    firstRow += rows;
    return {
      first: String(ids?.min_value),
      last: String(ids?.max_value),
      start: Math.min(...starts),
      end: Math.max(...ends),
      firstRow: firstRow - rows,
      rows,
    };
  });
  return { metadata, groups };
};

/** Decodes the row group in `bytes`, which are those from `group.start` to `group.end`. */
export const readGroup = async (
  { metadata }: ArchiveFooter,
  group: RowGroup,
  bytes: Uint8Array,
  tenantId: string,
): Promise<ArchivedRow[]> => {
  const file: AsyncBuffer = {
    byteLength: group.end,
    slice: (from, to = group.end) =>
      new Uint8Array(bytes.subarray(from - group.start, to - group.start)).buffer,
  };
  const rows = await parquetReadObjects({
    file,
    metadata,
    rowStart: group.firstRow,
    rowEnd: group.firstRow + group.rows,
    compressors: { ZSTD: (input) => zstdDecompressSync(input) },
  });
  const columns = archiveColumns.filter(({ isCopy }) => !isCopy);
  return rows.map((row) => ({
    id: String(row['id']),
    version: Number(row['version']),
    from: row['as_of'] instanceof Date ? row['as_of'].getTime() : Number.NaN,
    read: () =>
      attributionOfRow(
        new Map(columns.map((column) => [column.name, fromParquetValue(column, row[column.name])])),
        tenantId,
      ),
  }));
};
