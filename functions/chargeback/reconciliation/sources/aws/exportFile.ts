import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import {
  type AsyncBuffer,
  type FileMetaData,
  parquetMetadata,
  parquetScan,
  parquetSchema,
  type RowGroup,
} from 'hyparquet';
import { parquetHeader } from 'hyparquet/src/column.js';
import { ItemBudget } from '../../../../platform/shared/itemBudget.ts';
import {
  DETAIL_COLUMNS,
  type LineItem,
  mayBeBedrock,
  OPTIONAL_COLUMNS,
  PRODUCT_NAME,
  SELECTING_COLUMNS,
} from './lineItem.ts';
import { endOfStruct } from './thriftItems.ts';

/** The file is larger than a run can read. Such an export must be narrowed. */
export class ExportTooLarge extends Error {
  override readonly name = 'ExportTooLarge';
}

/** Reads bytes of a file, `end` excluded. */
export type ReadRange = (start: number, end: number) => Promise<Uint8Array>;

/**
 * The file is written by others, so each size in it is checked before memory is used for it. The worker has 512 MB: a
 * million rows in two row groups raised the memory of a process by 240 MB (measured).
 */
const FOOTER_BYTES_MAXIMUM = 4 * 1_024 * 1_024;
const GROUP_ROWS_MAXIMUM = 500_000;
const CHUNK_BYTES_MAXIMUM = 32 * 1_024 * 1_024;
const PAGES_BYTES_MAXIMUM = 64 * 1_024 * 1_024;
/** A map has several values in a row. */
const MAP_VALUES_MAXIMUM = 1_500_000;
/**
 * Fields and list elements of a footer, and of the page headers of a column: 150 columns in 100 row groups have about 30
 * each. A million elements raised the memory of a process by 200 MB (measured).
 */
const METADATA_ITEMS_MAXIMUM = 512 * 1_024;

/** All attributes of the product, for exports that do not select its name. */
const PRODUCT = 'product';

const compressors = {
  GZIP: (input: Uint8Array) => gunzipSync(input, { maxOutputLength: PAGES_BYTES_MAXIMUM }),
  ZSTD: (input: Uint8Array) => zstdDecompressSync(input, { maxOutputLength: PAGES_BYTES_MAXIMUM }),
};

/** The length of the footer, from the last bytes of a file. */
export const footerLengthOf = (tail: Uint8Array): number => {
  const length =
    new DataView(tail.buffer, tail.byteOffset, tail.byteLength).getUint32(tail.length - 8, true) + 8;
  if (length > FOOTER_BYTES_MAXIMUM) throw new ExportTooLarge('a footer is too long');
  return length;
};

/** Throws if the pages of a column have more values or bytes than the footer and the limits allow. */
const checkPages = (bytes: Uint8Array, valuesMaximum: number): void => {
  const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: 0 };
  let values = 0;
  let uncompressed = 0;
  const budget = new ItemBudget(METADATA_ITEMS_MAXIMUM);
  while (reader.offset < bytes.length - 1) {
    endOfStruct(bytes, reader.offset, budget);
    const header = parquetHeader(reader);
    const data = header.data_page_header ?? header.data_page_header_v2;
    const ownValues = Number((data ?? header.dictionary_page_header)?.num_values ?? 0);
    const size = Number(header.uncompressed_page_size);
    const isValid = header.compressed_page_size >= 0 && size >= 0 && ownValues >= 0;
    if (!isValid || ownValues > valuesMaximum) throw new RangeError('a page has wrong sizes');
    if (data !== undefined) values += ownValues;
    uncompressed += size;
    if (values > valuesMaximum) throw new RangeError('a column has more values than rows');
    if (uncompressed > PAGES_BYTES_MAXIMUM) throw new ExportTooLarge('a column has too many bytes');
    reader.offset += header.compressed_page_size;
  }
};

interface Chunk {
  readonly start: number;
  readonly end: number;
  readonly bytes: Uint8Array;
}

/** Fetches the values of a column in a row group, and checks them. The parts of a map are next to each other. */
const fetchColumn = async (group: RowGroup, column: string, read: ReadRange): Promise<Chunk> => {
  const parts = group.columns
    .flatMap(({ meta_data }) => meta_data ?? [])
    .filter(({ path_in_schema: [name] }) => name === column)
    .map((part) => {
      const start = Number(part.dictionary_page_offset ?? part.data_page_offset);
      const values = part.path_in_schema.length > 1 ? MAP_VALUES_MAXIMUM : Number(group.num_rows);
      return { start, end: start + Number(part.total_compressed_size), values };
    });
  const start = Math.min(...parts.map((part) => part.start));
  const end = Math.max(...parts.map((part) => part.end));
  if (!(end - start <= CHUNK_BYTES_MAXIMUM)) throw new ExportTooLarge('a column has too many bytes');
  const bytes = await read(start, end);
  for (const part of parts) checkPages(bytes.subarray(part.start - start, part.end - start), part.values);
  return { start, end, bytes };
};

const productNameOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && PRODUCT_NAME in value ? value[PRODUCT_NAME] : value;

/** The columns of a file that are read besides those that select rows. It must have all but the optional ones. */
const columnsOf = (
  metadata: FileMetaData,
): { readonly product: string; readonly details: readonly string[] } => {
  const present = new Map(parquetSchema(metadata).children.map(({ element }) => [element.name, element]));
  for (const name of [...SELECTING_COLUMNS, ...DETAIL_COLUMNS]) {
    const element = present.get(name);
    // The library converts decimals to floating-point numbers. CUR 2.0 has doubles, whose text is exact.
    const isDecimal = element?.converted_type === 'DECIMAL' || element?.logical_type?.type === 'DECIMAL';
    if (element === undefined || isDecimal) {
      throw new RangeError('an export lacks a column, or it has another type');
    }
  }
  const product = [PRODUCT_NAME, PRODUCT].find((name) => present.has(name));
  if (product === undefined) throw new RangeError('an export lacks the name of the product');
  return { product, details: [...DETAIL_COLUMNS, ...OPTIONAL_COLUMNS.filter((name) => present.has(name))] };
};

/**
 * Reads the rows of a Parquet file that can be charges of Amazon Bedrock, one row group and one column after the other.
 * `footer` is the end of the file of `size` bytes. Throws for a file that is not of the documented form.
 */
export const readLineItems = async (
  { footer, size, read }: { readonly footer: Uint8Array; readonly size: number; readonly read: ReadRange },
  accept: (item: LineItem) => void,
): Promise<void> => {
  endOfStruct(footer, footer.length - footerLengthOf(footer), new ItemBudget(METADATA_ITEMS_MAXIMUM));
  const metadata = parquetMetadata(new Uint8Array(footer));
  const { product, details } = columnsOf(metadata);
  let chunk: Chunk | null = null;
  const file: AsyncBuffer = {
    byteLength: size,
    slice: (start, end = size) => {
      if (chunk === null || start < chunk.start || end > chunk.end)
        throw new RangeError('a column is not where the footer says');
      return new Uint8Array(chunk.bytes.subarray(start - chunk.start, end - chunk.start)).buffer;
    },
  };
  const scan = await parquetScan({ file, metadata, useOffsetIndex: false, compressors });
  let rowStart = 0;
  for (const group of metadata.row_groups) {
    const rows = Number(group.num_rows);
    if (rows > GROUP_ROWS_MAXIMUM) throw new ExportTooLarge('a row group has too many rows');
    const range = { rowStart, rowEnd: rowStart + rows };
    rowStart += rows;
    const columnOf = async (column: string): Promise<ArrayLike<unknown>> => {
      chunk = await fetchColumn(group, column, read);
      const values = await scan.readColumn({ column, ...range });
      // A missing value must not look like a row of another service.
      if (values.length !== rows) throw new RangeError('a column has fewer values than rows');
      return values;
    };
    const [codes, entities] = [await columnOf(SELECTING_COLUMNS[0]), await columnOf(SELECTING_COLUMNS[1])];
    const selected: number[] = [];
    for (let row = 0; row < rows; row += 1) if (mayBeBedrock(codes[row], entities[row])) selected.push(row);
    if (selected.length === 0) continue;
    const picked = new Map<string, unknown[]>();
    const pick = (column: string, values: ArrayLike<unknown>) =>
      picked.set(
        column,
        selected.map((row) => values[row]),
      );
    pick(SELECTING_COLUMNS[0], codes);
    pick(SELECTING_COLUMNS[1], entities);
    for (const column of details) pick(column, await columnOf(column));
    const products = await columnOf(product);
    picked.set(
      PRODUCT_NAME,
      selected.map((row) => productNameOf(products[row])),
    );
    for (const index of selected.keys()) accept((column) => picked.get(column)?.[index]);
  }
};
