import * as z from 'zod';
import { DAY_MS } from '../../../../schemas/durations.ts';
import type { Interval } from '../../../platform/shared/time/interval.ts';
import type { WorkStore } from '../files/file.store.ts';
import type { Database } from './database.ts';
import { CREATE_LINES, keyColumns, mergedLines } from './lineColumns.ts';
import { literal, type Sql } from './sql.ts';

/** The lines that a call of the gather step leaves: a Parquet file in the order of their keys, if there are any. */
export const StoredLines = z.object({
  key: z.string(),
  /** Pairs of day (epoch milliseconds) and number of lines that start on it, ascending. */
  days: z.array(z.tuple([z.int(), z.int()])),
});
export type StoredLines = z.infer<typeof StoredLines>;

/** Lines of a row group, about 12 MB. */
const GROUP_LINES = 20_480;

const DayCount = z
  .object({ day: z.coerce.number(), lines: z.coerce.number() })
  .transform(({ day, lines }): [number, number] => [day * DAY_MS, lines]);

/** Lines that are merged and put in order at a time, in about 300 MB. */
const SLICE_LINES = 250_000;

/**
 * Merges the lines of a source into the table `merged`, in the order of their keys. A key starts with the start of its charge
 * period, so one slice of these after the other gives the order of all, and what does not fit into memory is not sorted.
 */
const mergeLines = async (
  { run, rows }: Database,
  source: Sql,
  columns: Sql,
  sliceLines = SLICE_LINES,
): Promise<void> => {
  const slices = await rows(
    `SELECT min(charge_start)::VARCHAR AS start, (max(charge_start) + 1)::VARCHAR AS end
     FROM (SELECT charge_start, sum(count(*)) OVER (ORDER BY charge_start) // ${sliceLines} AS slice
       FROM ${source} GROUP BY charge_start)
     GROUP BY slice ORDER BY slice`,
    z.object({ start: z.string(), end: z.string() }),
  );
  const linesOf = (condition: Sql): Sql =>
    `SELECT ${columns}, * EXCLUDE (key) FROM (${mergedLines(`${source} WHERE ${condition}`)})`;
  await run(`CREATE OR REPLACE TEMP TABLE merged AS ${linesOf('false')}`);
  for (const { start, end } of slices)
    await run(`INSERT INTO merged ${linesOf(`charge_start >= ${start} AND charge_start < ${end}`)}`);
};

/** Stores the lines of the table `lines`, merged. Small row groups let a reader take one after the other into memory. */
export const storeLines = async (database: Database, work: WorkStore, key: string): Promise<StoredLines> => {
  const { path, run, rows } = database;
  await mergeLines(database, 'lines', `(key->>'charge_start')::BIGINT AS charge_start, key`);
  const days = await rows(
    `SELECT charge_start // ${DAY_MS} AS day, count(*) AS lines FROM merged GROUP BY day ORDER BY day`,
    DayCount,
  );
  if (days.length > 0) {
    const file = path('lines.parquet');
    await run(
      `COPY merged TO ${literal(file)} (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${GROUP_LINES})`,
    );
    await work.putFile(key, file);
  }
  return { key, days };
};

/** Reads the lines of files whose charge periods start in an interval, merged, into the table `merged` with all columns. */
export const loadLines = async (
  database: Database,
  work: WorkStore,
  keys: readonly string[],
  { from, to }: Interval,
  sliceLines?: number,
): Promise<void> => {
  const { path, run } = database;
  const files = keys.map((_, index) => path(`lines-${index}.parquet`));
  for (const [index, key] of keys.entries()) await work.getFile(key, files[index] ?? '');
  await run(CREATE_LINES);
  const stored = files.length === 0 ? 'lines' : `read_parquet([${files.map(literal).join(', ')}])`;
  await mergeLines(
    database,
    `(FROM ${stored} WHERE charge_start >= ${from} AND charge_start < ${to})`,
    keyColumns,
    sliceLines,
  );
};
