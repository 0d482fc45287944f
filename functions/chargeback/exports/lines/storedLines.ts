import * as z from 'zod';
import { DAY_MS } from '../../../../schemas/durations.ts';
import type { Interval } from '../../../platform/shared/time/interval.ts';
import type { WorkStore } from '../files/file.store.ts';
import type { Database } from './database.ts';
import { createTexts } from './kinds.ts';
import { CREATE_TABLES, mergedLines, singleLines } from './lineColumns.ts';
import { literal, type Sql } from './sql.ts';

/** The lines that a call of the gather step leaves: a Parquet file in the order of charge periods, if there are any. */
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
 * Merges the lines of a source into the table `merged`, as a query makes rows of merged lines. Rows are ordered by charge
 * period first, so one slice of charge periods after the other gives the order of all, and what does not fit into memory is
 * not sorted. The lines of one file are merged already.
 */
const mergeLines = async (
  { run, rows }: Database,
  source: Sql,
  rowsOf: (merged: Sql) => Sql,
  sliceLines = SLICE_LINES,
): Promise<void> => {
  const slices = await rows(
    `SELECT min(chargeStart)::VARCHAR AS start, (max(chargeStart) + 1)::VARCHAR AS end,
       coalesce(min(first) = max(last), false) AS isMerged
     FROM (SELECT chargeStart, min(file) AS first, max(file) AS last,
         sum(count(*)) OVER (ORDER BY chargeStart) // ${sliceLines} AS slice
       FROM ${source} GROUP BY chargeStart)
     GROUP BY slice ORDER BY slice`,
    z.object({ start: z.string(), end: z.string(), isMerged: z.boolean() }),
  );
  const rowsIn = (condition: Sql, isMerged: boolean): Sql =>
    rowsOf(`(${(isMerged ? singleLines : mergedLines)(`${source} WHERE ${condition}`)})`);
  await run(`CREATE OR REPLACE TEMP TABLE merged AS ${rowsIn('false', false)}`);
  for (const { start, end, isMerged } of slices)
    await run(`INSERT INTO merged ${rowsIn(`chargeStart >= ${start} AND chargeStart < ${end}`, isMerged)}`);
};

/** Stores the lines of the table `lines`, merged. Small row groups let a reader take one after the other into memory. */
export const storeLines = async (database: Database, work: WorkStore, key: string): Promise<StoredLines> => {
  const { path, run, rows } = database;
  await mergeLines(
    database,
    '(SELECT *, NULL AS file FROM lines)',
    (merged) => `FROM ${merged} ORDER BY chargeStart`,
  );
  const days = await rows(
    `SELECT chargeStart // ${DAY_MS} AS day, count(*) AS lines FROM merged GROUP BY day ORDER BY day`,
    DayCount,
  );
  if (days.length > 0) {
    const file = path('lines.parquet');
    await run(
      `COPY (SELECT * EXCLUDE (kind) FROM merged JOIN kinds USING (kind)) TO ${literal(file)}
       (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${GROUP_LINES})`,
    );
    await work.putFile(key, file);
  }
  return { key, days };
};

/**
 * Merged lines, in order. A line that tells no model, meter or price list is one request at its cost, which is known only
 * after the merge. A price is never negative, so a credit is -1 of them. Unknown energy and carbon are null.
 */
const orderedLines = (merged: Sql): Sql => `
  SELECT * EXCLUDE (isTotal, hasEnergy, hasCarbon, shownRank, termsRank) REPLACE (
    CASE WHEN isTotal THEN abs(cost) ELSE priceUnit END AS priceUnit,
    CASE WHEN isTotal THEN CASE WHEN cost < 0 THEN -1 ELSE 1 END ELSE priced END AS priced,
    coalesce(listCost, cost) AS listCost,
    CASE WHEN hasEnergy THEN energy END AS energy,
    CASE WHEN hasCarbon THEN carbon END AS carbon)
  FROM ${merged} JOIN (SELECT kind, isTotal, hasEnergy, hasCarbon, shownRank, termsRank FROM texts) USING (kind)
  ORDER BY chargeStart, chargeEnd, shownRank, recordId, termsRank, priceUnit, listUnit`;

/**
 * Merged lines with the texts of their kinds, and with their position. The texts are looked up when a row is written, because
 * there are many columns of them.
 */
const CREATE_ROWS: Sql = `CREATE OR REPLACE TEMP VIEW charges AS
  SELECT merged.rowid AS position, merged.*, texts.* EXCLUDE (kind) FROM merged JOIN texts USING (kind)`;

/**
 * Reads the lines of files whose charge periods start in an interval, merged, as the view `charges`, with the texts that follow
 * from their kinds.
 */
export const loadLines = async (
  database: Database,
  work: WorkStore,
  keys: readonly string[],
  { from, to }: Interval,
  texts: readonly Sql[],
  sliceLines?: number,
): Promise<void> => {
  const { path, run } = database;
  const files = keys.map((_, index) => path(`lines-${index}.parquet`));
  for (const [index, key] of keys.entries()) await work.getFile(key, files[index] ?? '');
  await run(CREATE_TABLES);
  // The empty tables add the columns that the files of an earlier release lack.
  const stored = [
    'SELECT * EXCLUDE (kind), NULL AS file FROM lines JOIN kinds USING (kind)',
    ...(files.length === 0
      ? []
      : [`SELECT *, filename AS file FROM read_parquet([${files.map(literal).join(', ')}])`]),
  ].join(' UNION ALL BY NAME ');
  const lines = `(FROM (${stored}) WHERE chargeStart >= ${from} AND chargeStart < ${to})`;
  await createTexts(database, lines, texts);
  const keyed = `(FROM ${lines} JOIN (SELECT shown, terms, kind FROM keys) USING (shown, terms))`;
  await mergeLines(database, keyed, orderedLines, sliceLines);
  await run(CREATE_ROWS);
};
