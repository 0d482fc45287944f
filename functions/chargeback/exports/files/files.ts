import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Row } from '../focus/cells.ts';
import type { Encoder } from './encoder.ts';

/** Limits of one file; `bytes` before compression. */
export interface Limits {
  readonly rows: number;
  readonly bytes?: number;
}

/** Receives the bytes of a file. */
export interface Destination {
  write(bytes: Uint8Array): Promise<void>;
  /** Completes the file. */
  close(): Promise<void>;
}

export interface WrittenFile {
  readonly rows: number;
  readonly bytes: number;
  /** Hash of the stored bytes, after compression. Lowercase hex. */
  readonly sha256: string;
}

export interface Layout {
  /** Creates the encoder of one file. */
  readonly encoder: () => Encoder;
  readonly compressed: boolean;
  readonly limits: Limits;
  /** Rows encoded at a time. Determines memory use and the row group size of Parquet. */
  readonly batch: number;
}

type Rows = AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>;

/** Regroups rows into batches of a given size. */
async function* inBatches(rows: Rows, size: number): AsyncGenerator<readonly Row[]> {
  let open: Row[] = [];
  for await (const chunk of rows) {
    for (const row of chunk) {
      open.push(row);
      if (open.length < size) continue;
      yield open;
      open = [];
    }
  }
  if (open.length > 0) yield open;
}

/** Iterates over batches with a lookahead of one. */
const peekable = async (batches: AsyncGenerator<readonly Row[]>) => {
  let next = await batches.next();
  return {
    peek: (): readonly Row[] | null => (next.done === true ? null : next.value),
    advance: async (): Promise<void> => {
      next = await batches.next();
    },
  };
};

type Batches = Awaited<ReturnType<typeof peekable>>;

/** Yields the bytes of one file: as many batches as its limits allow, and at least one of any size. */
async function* bytesOf(
  encoder: Encoder,
  batches: Batches,
  { rows: maxRows, bytes: maxBytes = Number.POSITIVE_INFINITY }: Limits,
  count: (rows: number) => void,
): AsyncGenerator<Uint8Array> {
  const head = encoder.head();
  yield head;
  let [rows, bytes] = [0, head.length];
  for (let batch = batches.peek(); batch !== null; batch = batches.peek()) {
    if (rows > 0 && rows + batch.length > maxRows) break;
    const encoded = encoder.rows(batch);
    if (rows > 0 && bytes + encoded.length > maxBytes) break;
    yield encoded;
    rows += batch.length;
    bytes += encoded.length;
    count(batch.length);
    await batches.advance();
  }
  yield encoder.tail();
}

/**
 * Streams rows into files, each with a header and within the limits. `open` creates the destination of each file, counted
 * from 1. Without rows there is one file that has only a header. The same rows always give the same bytes. Rejects when a
 * destination fails. The current destination is then not closed.
 */
export const writeFiles = async (
  rows: Rows,
  { encoder, compressed, limits, batch }: Layout,
  open: (part: number) => Promise<Destination>,
): Promise<readonly WrittenFile[]> => {
  const batches = await peekable(inBatches(rows, Math.min(batch, limits.rows)));
  const written: WrittenFile[] = [];
  do {
    const destination = await open(written.length + 1);
    const digest = createHash('sha256');
    let [count, bytes] = [0, 0];
    const store = async (chunks: AsyncIterable<Uint8Array>): Promise<void> => {
      for await (const chunk of chunks) {
        digest.update(chunk);
        bytes += chunk.length;
        await destination.write(chunk);
      }
    };
    const content = bytesOf(encoder(), batches, limits, (added) => {
      count += added;
    });
    // Node's gzip header has no time and no name, so the bytes depend only on the rows.
    if (compressed) await pipeline(content, createGzip(), store);
    else await pipeline(content, store);
    await destination.close();
    written.push({ rows: count, bytes, sha256: digest.digest('hex') });
  } while (batches.peek() !== null);
  return written;
};
