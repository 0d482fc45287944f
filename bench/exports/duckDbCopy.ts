import { DuckDBInstance } from '@duckdb/node-api';
import * as z from 'zod';

const Format = z.enum(['csv.gz', 'parquet']);
export type DuckDbFormat = z.infer<typeof Format>;

/** Loads Parquet files into memory, or writes the loaded rows as one file. */
const Task = z.union([
  z.object({ load: z.array(z.string()) }),
  z.object({ write: z.string(), format: Format }),
]);

const FORMATS = {
  'csv.gz': 'FORMAT csv, HEADER, COMPRESSION gzip',
  parquet: 'FORMAT parquet, COMPRESSION snappy',
} as const satisfies Readonly<Record<DuckDbFormat, string>>;

const connection = (await DuckDBInstance.create()).connect();

/** Writes the exported rows with DuckDB on one thread, because an export step has one core. Runs in a separate process. */
export const handler = async (event: unknown): Promise<null> => {
  const task = Task.parse(event);
  const duckDb = await connection;
  if ('load' in task) {
    const files = task.load.map((file) => `'${file}'`).join(', ');
    await duckDb.run('SET threads = 1');
    await duckDb.run(`CREATE OR REPLACE TABLE focus AS FROM read_parquet([${files}])`);
  } else {
    await duckDb.run(`COPY focus TO '${task.write}' (${FORMATS[task.format]})`);
  }
  return null;
};
