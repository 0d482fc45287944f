import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { csvRows } from './csvRows.ts';
import { eventReader } from './eventRow.ts';
import { detectFormat, type Format } from './format.ts';
import { jsonRows } from './jsonRows.ts';
import { splitLines } from './lines.ts';
import { mooncakeReader } from './mooncakeRow.ts';
import { isRefused, kebabCase, type Labels, type ReadRow } from './row.ts';

/** Enough to detect the format from the first line. */
const HEAD_BYTES = 65_536;

/** The result of the first pass over a file. */
export interface TraceSummary {
  /** SHA-256 of the whole content, in hexadecimal. */
  readonly digest: string;
  readonly rows: number;
  /** Earliest and latest time of a valid row. Undefined without a valid row. */
  readonly extent: Extent | undefined;
}

/** Times on the scale of `Row.at`. */
export interface Extent {
  readonly first: number;
  readonly last: number;
}

export interface Trace {
  readonly format: Format;
  /** Streams the rows in file order. Each call reads the file again. */
  rows(): AsyncGenerator<ReadRow>;
  summarize(signal?: AbortSignal): Promise<TraceSummary>;
}

const headOf = async (path: string): Promise<string> => {
  const file = await open(path);
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
};

/** Opens a trace file. Throws UnreadableFile or a file system error. */
export const openTrace = async (path: string, labels: Labels): Promise<Trace> => {
  const format = detectFormat(await headOf(path));
  const defaultService = kebabCase(basename(path, extname(path))) || 'replay';
  const read = (chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ReadRow> => {
    switch (format) {
      case 'csv':
        return csvRows(chunks, labels, defaultService);
      case 'mooncake':
        return jsonRows(splitLines(chunks), mooncakeReader(labels, defaultService));
      case 'events':
        return jsonRows(splitLines(chunks), eventReader(labels));
    }
  };
  return {
    format,
    rows: () => read(createReadStream(path)),
    async summarize(signal) {
      const hash = createHash('sha256');
      const hashed = async function* (): AsyncGenerator<Uint8Array> {
        for await (const chunk of createReadStream(path)) {
          signal?.throwIfAborted();
          hash.update(chunk);
          yield chunk;
        }
      };
      let rows = 0;
      let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
      for await (const row of read(hashed())) {
        rows += 1;
        if (isRefused(row)) continue;
        [first, last] = [Math.min(first, row.at), Math.max(last, row.at)];
      }
      return { digest: hash.digest('hex'), rows, extent: first <= last ? { first, last } : undefined };
    },
  };
};
