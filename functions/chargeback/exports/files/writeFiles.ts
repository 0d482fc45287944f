import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import * as z from 'zod';
import type { Database } from '../lines/database.ts';
import type { OutputPlan } from '../request/outputPlan.ts';
import { copyCsv } from './csv.ts';
import { BATCH_ROWS, fileRanges } from './fileRanges.ts';
import { copyParquet } from './parquet.ts';

export interface WrittenFile {
  readonly rows: number;
  readonly bytes: number;
  /** Hash of the stored bytes, after compression. Lowercase hex. */
  readonly sha256: string;
}

const sha256Of = async (path: string): Promise<string> => {
  const digest = createHash('sha256');
  await pipeline(createReadStream(path), digest);
  return digest.digest('hex');
};

/** The sizes of all batches of lines in bytes. The column of the lines is named as their header. */
const batchSizes = async ({ rows }: Database, { row, headers }: OutputPlan): Promise<number[]> => {
  const sizes = await rows(
    `SELECT sum(strlen("${headers.join()}") + 1)::UINTEGER AS size
     FROM (SELECT position // ${BATCH_ROWS} AS batch, ${row} FROM charges)
     GROUP BY batch ORDER BY batch`,
    z.object({ size: z.int() }),
  );
  return sizes.map(({ size }) => size);
};

/**
 * Writes the `count` rows of the view `charges` as files within the limits of the plan. `store` receives the path of each
 * file, counted from 1. Without rows there is one file without rows. The same rows always give the same bytes.
 */
export const writeFiles = async (
  database: Database,
  plan: OutputPlan,
  count: number,
  store: (part: number, path: string) => Promise<void>,
): Promise<readonly WrittenFile[]> => {
  const { format, limits, row, headers } = plan;
  const bytes = limits.bytes === undefined ? [] : await batchSizes(database, plan);
  const written: WrittenFile[] = [];
  for (const { from, to } of fileRanges(count, limits, { header: headers.join().length + 1, bytes })) {
    const path = database.path(`part.${format}`);
    const rows = `SELECT ${row} FROM charges WHERE position >= ${from} AND position < ${to}`;
    await database.run(
      format === 'parquet' ? copyParquet(rows, path) : copyCsv(rows, path, format === 'csv.gz'),
    );
    const file = { rows: to - from, bytes: (await stat(path)).size, sha256: await sha256Of(path) };
    await store(written.length + 1, path);
    await rm(path);
    written.push(file);
  }
  return written;
};
