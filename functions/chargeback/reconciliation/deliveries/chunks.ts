import type { BillLine } from '../rows/bill.ts';

/** Bytes of a document of rows, less than the 400 KB of a DynamoDB item. */
const CHUNK_BYTES = 256 * 1_024;

export interface Chunk {
  readonly day: string;
  /** Tells the chunks of a day apart. */
  readonly index: number;
  readonly lines: readonly BillLine[];
}

const chunksOfDay = (day: string, lines: readonly BillLine[]): Chunk[] => {
  const chunks: BillLine[][] = [];
  let bytes = CHUNK_BYTES;
  for (const line of lines) {
    const size = Buffer.byteLength(JSON.stringify(line));
    if (bytes + size > CHUNK_BYTES) {
      chunks.push([]);
      bytes = 0;
    }
    bytes += size;
    chunks.at(-1)?.push(line);
  }
  return chunks.map((chunk, index) => ({ day, index, lines: chunk }));
};

/** Rows by UTC day, in chunks that fit into a document each. */
export const chunksOf = (lines: readonly BillLine[]): Chunk[] =>
  [...Map.groupBy(lines, ({ day }) => day)].flatMap(([day, ofDay]) => chunksOfDay(day, ofDay));
