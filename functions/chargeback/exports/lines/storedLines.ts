import * as z from 'zod';
import { DAY_MS } from '../../../../schemas/durations.ts';
import type { Interval } from '../../../platform/shared/time/interval.ts';
import type { WorkStore } from '../files/file.store.ts';
import type { Database } from './database.ts';
import { createTexts } from './kinds.ts';
import { CREATE_TABLES, mergedLines } from './lineColumns.ts';
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
 * not sorted.
 */
const mergeLines = async (
  { run, rows }: Database,
  source: Sql,
  rowsOf: (merged: Sql) => Sql,
  sliceLines = SLICE_LINES,
): Promise<void> => {
  const slices = await rows(
    `SELECT min(chargeStart)::VARCHAR AS start, (max(chargeStart) + 1)::VARCHAR AS end
     FROM (SELECT chargeStart, sum(count(*)) OVER (ORDER BY chargeStart) // ${sliceLines} AS slice
       FROM ${source} GROUP BY chargeStart)
     GROUP BY slice ORDER BY slice`,
    z.object({ start: z.string(), end: z.string() }),
  );
  const rowsIn = (condition: Sql): Sql => rowsOf(`(${mergedLines(`${source} WHERE ${condition}`)})`);
  await run(`CREATE OR REPLACE TEMP TABLE merged AS ${rowsIn('false')}`);
  for (const { start, end } of slices)
    await run(`INSERT INTO merged ${rowsIn(`chargeStart >= ${start} AND chargeStart < ${end}`)}`);
};

/** Stores the lines of the table `lines`, merged. Small row groups let a reader take one after the other into memory. */
export const storeLines = async (database: Database, work: WorkStore, key: string): Promise<StoredLines> => {
  const { path, run, rows } = database;
  await mergeLines(database, 'lines', (merged) => `FROM ${merged} ORDER BY chargeStart`);
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
 * The rows of merged lines, in order. A line that tells no model, meter or price list is one request at its cost, which is
 * known only after the merge. A price is never negative, so a credit is -1 of them. Unknown energy and carbon are null.
 */
const rowsOf = (merged: Sql): Sql => `
  SELECT * EXCLUDE (kind, isTotal, hasEnergy, hasCarbon, shownRank, termsRank) REPLACE (
    CASE WHEN isTotal THEN abs(cost) ELSE priceUnit END AS priceUnit,
    CASE WHEN isTotal THEN CASE WHEN cost < 0 THEN -1 ELSE 1 END ELSE priced END AS priced,
    coalesce(listCost, cost) AS listCost,
    CASE WHEN hasEnergy THEN energy END AS energy,
    CASE WHEN hasCarbon THEN carbon END AS carbon)
  FROM ${merged} JOIN texts USING (kind)
  ORDER BY chargeStart, chargeEnd, shownRank, recordId, termsRank, priceUnit, listUnit`;

/**
 * Reads the lines of files whose charge periods start in an interval, merged, into the table `merged`, with the texts that
 * follow from their kinds.
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
    'SELECT * EXCLUDE (kind) FROM lines JOIN kinds USING (kind)',
    ...(files.length === 0 ? [] : [`FROM read_parquet([${files.map(literal).join(', ')}])`]),
  ].join(' UNION ALL BY NAME ');
  const lines = `(FROM (${stored}) WHERE chargeStart >= ${from} AND chargeStart < ${to})`;
  await createTexts(database, lines, texts);
  const keyed = `(FROM ${lines} JOIN (SELECT shown, terms, kind FROM keys) USING (shown, terms))`;
  await mergeLines(database, keyed, rowsOf, sliceLines);
};
