import pMap from 'p-map';
import { commit, type Revision, type Write } from '../shared/aws/document.store.ts';
import { ProblemError, unavailable } from '../shared/problem.ts';
import type { BillWriter } from './bill.store.ts';
import { type KeyedRow, mergeRows } from './bill.ts';

/** Days of a model kept in one transaction: with the most rows they may have, some 3 MB of the 4 it may carry. */
const CHUNK_DAYS = 10;
/** Transactions under way at once. */
const CONCURRENCY = 8;
/** Of calls that change one day at the same moment one gets through each time, so this many do. */
const MAX_ATTEMPTS = 12;
/** Rows of a model and day: some 300 KB, where an item holds 400. */
const DAY_ROWS_MAXIMUM = 2_000;

const tooMany = () =>
  new ProblemError(
    'VALIDATION_FAILED',
    `A model has more than ${DAY_ROWS_MAXIMUM} rows on one day: sum them up first.`,
  );

/** Rows by the model and day they belong to. */
const daysOf = (rows: readonly KeyedRow[]): KeyedRow[][] => [
  ...Map.groupBy(rows, ({ line, day }) => JSON.stringify([day, line.provider, line.model])).values(),
];

/**
 * Merges rows into the days they belong to, each on top of whatever others put there at the same time. Done again, after
 * a crash anywhere, it changes nothing that is done. Throws VALIDATION_FAILED where a day would hold too many rows,
 * SERVICE_UNAVAILABLE where others change one too often.
 */
export const mergeBillRows = async (
  bills: Pick<BillWriter, 'day' | 'putDay'>,
  tenantId: string,
  rows: readonly KeyedRow[],
  by: Revision,
): Promise<void> => {
  const days = daysOf(rows);
  if (days.some(({ length }) => length > DAY_ROWS_MAXIMUM)) throw tooMany();

  const writeOf = async (ofDay: readonly KeyedRow[]): Promise<Write[]> => {
    const [firstRow] = ofDay;
    if (firstRow === undefined) return [];
    const known = await bills.day(tenantId, firstRow.day, firstRow.line);
    const next = mergeRows(known?.document ?? null, firstRow, ofDay);
    if (next === null) return [];
    if (Object.keys(next.rows).length > DAY_ROWS_MAXIMUM) throw tooMany();
    return [bills.putDay(tenantId, next, { expectedRevision: known?.revision ?? null, by })];
  };

  const keepDays = async (chunk: readonly KeyedRow[][]): Promise<void> => {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const writes = (await Promise.all(chunk.map(writeOf))).flat();
      if (writes.length === 0 || (await commit(writes))) return;
    }
    throw unavailable(new Error('too many changes at once'));
  };

  const chunks = Array.from({ length: Math.ceil(days.length / CHUNK_DAYS) }, (_, index) =>
    days.slice(index * CHUNK_DAYS, (index + 1) * CHUNK_DAYS),
  );
  await pMap(chunks, keepDays, { concurrency: CONCURRENCY });
};
