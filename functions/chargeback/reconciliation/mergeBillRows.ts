import pMap from 'p-map';
import { commit, type Revision, type Write } from '../../platform/shared/aws/document.store.ts';
import { ProblemError } from '../../platform/shared/problem.ts';
import { CONFLICT, retryOnConflict } from '../../platform/shared/retry/retryOnConflict.ts';
import type { BillWriter } from './bill.store.ts';
import { type KeyedRow, mergeRows } from './bill.ts';

/** Days written in one transaction. With the most rows allowed they take about 3 MB of the 4 MB limit. */
const CHUNK_DAYS = 10;
/** Transactions in parallel. */
const CONCURRENCY = 8;
/** Optimistic lock: each round at least one writer succeeds, so this many concurrent calls for one day all finish. */
const MAX_ATTEMPTS = 12;
/** Most rows of a model and day, about 300 KB of the DynamoDB item limit of 400 KB. */
const DAY_ROWS_MAXIMUM = 2_000;

const tooMany = () =>
  new ProblemError(
    'VALIDATION_FAILED',
    `A model has more than ${DAY_ROWS_MAXIMUM} rows on one day. Aggregate the rows before sending them.`,
  );

/** Groups rows by model and day. */
const daysOf = (rows: readonly KeyedRow[]): KeyedRow[][] => [
  ...Map.groupBy(rows, ({ line, day }) => JSON.stringify([day, line.provider, line.model])).values(),
];

/**
 * Merges rows into their days under an optimistic lock. Idempotent: a retry after a crash changes nothing that is already
 * written. Throws VALIDATION_FAILED when a day would have too many rows, and a WriteConflictError after too many lost races.
 */
export const mergeBillRows = async (
  bills: Pick<BillWriter, 'day' | 'putDay'>,
  tenantId: string,
  rows: readonly KeyedRow[],
  by: Revision,
): Promise<void> => {
  const days = daysOf(rows);
  if (days.some(({ length }) => length > DAY_ROWS_MAXIMUM)) throw tooMany();

  const writeOf = async (dayRows: readonly KeyedRow[]): Promise<Write[]> => {
    const [firstRow] = dayRows;
    if (firstRow === undefined) return [];
    const stored = await bills.day(tenantId, firstRow.day, firstRow.line);
    const next = mergeRows(stored?.document ?? null, firstRow, dayRows);
    if (next === null) return [];
    if (Object.keys(next.rows).length > DAY_ROWS_MAXIMUM) throw tooMany();
    return [bills.putDay(tenantId, next, { expectedRevision: stored?.revision ?? null, by })];
  };

  const writeDays = async (chunk: readonly KeyedRow[][]): Promise<void> => {
    const writeOnce = async (): Promise<undefined | typeof CONFLICT> => {
      const writes = (await Promise.all(chunk.map(writeOf))).flat();
      return writes.length === 0 || (await commit(writes)) ? undefined : CONFLICT;
    };
    await retryOnConflict(writeOnce, { maxAttempts: MAX_ATTEMPTS, subject: 'the bill days of a tenant' });
  };

  const chunks = Array.from({ length: Math.ceil(days.length / CHUNK_DAYS) }, (_, index) =>
    days.slice(index * CHUNK_DAYS, (index + 1) * CHUNK_DAYS),
  );
  await pMap(chunks, writeDays, { concurrency: CONCURRENCY });
};
