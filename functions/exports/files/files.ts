import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Row } from '../focus/cells.ts';
import type { Encoder } from './encoder.ts';

/** What one file holds at most; `bytes` before compression. */
export interface Limits {
  readonly rows: number;
  readonly bytes?: number;
}

/** Where the bytes of a file go. */
export interface Destination {
  write(bytes: Uint8Array): Promise<void>;
  /** All of it was written. */
  close(): Promise<void>;
}

export interface WrittenFile {
  readonly rows: number;
  readonly bytes: number;
  /** Of the bytes as they lie in store. */
  readonly sha256: string;
}

export interface Layout {
  /** A new one for each file. */
  readonly encoder: () => Encoder;
  readonly compressed: boolean;
  readonly limits: Limits;
  /** Rows encoded at once: what memory goes by, and the row group of Parquet. */
  readonly batch: number;
}

type Rows = AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>;

/** Rows in batches of a size, whatever batches they come in. */
async function* inBatches(rows: Rows, size: number): AsyncGenerator<readonly Row[]> {
  let open: Row[] = [];
  for await (const some of rows) {
    for (const row of some) {
      open.push(row);
      if (open.length < size) continue;
      yield open;
      open = [];
    }
  }
  if (open.length > 0) yield open;
}

/** Batches one after another, the next of which can be looked at before it is taken. */
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

/** The bytes of one file: as many batches as it may hold, and one however long that is. */
async function* bytesOf(
  encoder: Encoder,
  batches: Batches,
  { rows: most, bytes: longest = Number.POSITIVE_INFINITY }: Limits,
  count: (rows: number) => void,
): AsyncGenerator<Uint8Array> {
  const head = encoder.head();
  yield head;
  let [rows, bytes] = [0, head.length];
  for (let batch = batches.peek(); batch !== null; batch = batches.peek()) {
    if (rows > 0 && rows + batch.length > most) break;
    const encoded = encoder.rows(batch);
    if (rows > 0 && bytes + encoded.length > longest) break;
    yield encoded;
    rows += batch.length;
    bytes += encoded.length;
    count(batch.length);
    await batches.advance();
  }
  yield encoder.tail();
}

/**
 * Writes rows as files, each with a head and within the limits, as they come; `open` makes the destination of each,
 * counted from 1. There is always one: without rows it has its head alone. The same rows give the same bytes.
 * Fails when a destination does; what was written until then is not closed.
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
    const content = bytesOf(encoder(), batches, limits, (more) => {
      count += more;
    });
    // Node's gzip header holds no time and no name, so its bytes follow from the rows alone.
    if (compressed) await pipeline(content, createGzip(), store);
    else await pipeline(content, store);
    await destination.close();
    written.push({ rows: count, bytes, sha256: digest.digest('hex') });
  } while (batches.peek() !== null);
  return written;
};
