import pMap from 'p-map';
import type { StoredBook } from '../../../schemas/chargeback/periods.ts';
import type {
  NodeHourLineReader,
  NodeHourLineWriter,
} from '../../attribution/allocation/nodeHours/nodeHourLine.store.ts';
import { bookedState, type Closings } from '../../insight/periods/closings.ts';
import {
  contentOfDays,
  copyNameOf,
  copyOf,
  idleDigestOf,
  intervalOf,
  isBooked,
  sumsOf,
} from '../../insight/periods/monthCopies.ts';
import type { ReadCompleteness } from '../../ledger/freshness/completeTotals.ts';
import { addContent, isSameContent, noContent } from '../../ledger/records/content.ts';
import type { PeriodVersionReader } from '../../ledger/rollups/periodVersions.store.ts';
import type { CountedReader } from '../../ledger/rollups/rollup.store.ts';
import { NO_ROLLUP, type RollupWriter } from '../../ledger/rollups/rollupWriter.store.ts';
import { ProblemError } from '../../platform/shared/problem.ts';
import type { Month } from '../../platform/shared/time/month.ts';

export interface BookStores {
  readonly rollups: CountedReader;
  readonly periodVersions: PeriodVersionReader;
  readonly nodeHourLines: NodeHourLineReader;
  readonly readCompleteness: ReadCompleteness;
  readonly rollupWriter: Pick<RollupWriter, 'put'>;
  readonly nodeHourLineWriter: NodeHourLineWriter;
}

/**
 * A version begins up to three seconds before it is written, by a clock that may differ by some seconds. So between the newest
 * change in the totals and this close must lie twice that, and the instant of the close is in the middle: each version in the
 * totals began before it, and each later one begins after it.
 */
const MARGIN_MS = 10_000;
const SETTLED_MS = 2 * MARGIN_MS;
/** Rows of a copy written in parallel. */
const CONCURRENCY = 8;

const notComplete = (month: Month): ProblemError =>
  new ProblemError(
    'CONFLICT',
    `Calls or changes of ${month} are not in its totals yet, or came within the last ${SETTLED_MS / 1_000} seconds. Close the period again in a minute.`,
  );

/** The content of a month. Throws CONFLICT if the sum of one of its days is not stored yet. */
const readContent = async ({ periodVersions }: BookStores, tenantId: string, month: Month) => {
  const content = contentOfDays(await periodVersions.read(tenantId, { grain: 'day', ...intervalOf(month) }));
  if (content === null) throw notComplete(month);
  return content;
};

const requireComplete = async (
  { readCompleteness }: BookStores,
  tenantId: string,
  months: readonly Month[],
): Promise<void> => {
  const isComplete = await readCompleteness(tenantId);
  const missing = months.find((month) => !isComplete(intervalOf(month)));
  if (missing !== undefined) throw notComplete(missing);
};

/** Copies the totals of a month, and what nobody used of own nodes in it. */
const copyMonth = async (
  stores: BookStores,
  tenantId: string,
  month: Month,
  now: number,
): Promise<StoredBook> => {
  const interval = intervalOf(month);
  const [days, lines] = await Promise.all([
    stores.rollups.read(tenantId, { grain: 'day', ...interval }),
    stores.nodeHourLines.list(tenantId, interval),
  ]);
  if (days.some(({ asOf }) => asOf > now - SETTLED_MS)) throw notComplete(month);
  const content = days.map((day) => day.content).reduce(addContent, noContent);
  const idle = idleDigestOf(lines);
  const copy = copyOf(month, content, idle);
  const name = copyNameOf(tenantId, copy);
  // A row that exists is one of an earlier attempt, and the same.
  await pMap(days, (day) => stores.rollupWriter.put(name, day, NO_ROLLUP), { concurrency: CONCURRENCY });
  await pMap(lines, (line) => stores.nodeHourLineWriter.put(name, line), { concurrency: CONCURRENCY });
  return { month, copy, ...content, idle, sums: sumsOf(days) };
};

/**
 * The books of a close at `now` (epoch milliseconds): of its own month, and of each month closed before that has changed since
 * it was booked. Throws CONFLICT while totals lack a change, or have just got one. What it has written then is used by the
 * next attempt, or expires.
 */
export const takeBooks = async (
  stores: BookStores,
  tenantId: string,
  month: Month,
  closings: Closings,
  now: number,
): Promise<{ readonly asOf: number; readonly books: readonly StoredBook[] }> => {
  const months = [...closings.map((closing) => closing.month), month];
  await requireComplete(stores, tenantId, months);
  const books: StoredBook[] = [];
  const contents = new Map<Month, Awaited<ReturnType<typeof readContent>>>();
  for (const one of months) {
    const content = await readContent(stores, tenantId, one);
    contents.set(one, content);
    const booked = bookedState(closings, one)?.book;
    const isSameIdle =
      booked?.idle === idleDigestOf(await stores.nodeHourLines.list(tenantId, intervalOf(one)));
    if (booked !== undefined && isBooked(booked, content) && isSameIdle) continue;
    const book = await copyMonth(stores, tenantId, one, now);
    if (!isBooked(book, content)) throw notComplete(one);
    books.push(book);
  }
  // A change that came during the copy: it is in the totals of one month, or pending.
  await requireComplete(stores, tenantId, months);
  for (const [one, before] of contents) {
    if (!isSameContent(before, await readContent(stores, tenantId, one))) throw notComplete(one);
  }
  return { asOf: now - MARGIN_MS, books };
};
