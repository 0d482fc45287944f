import type { ExportBasis } from '../../../../schemas/chargeback/exports.ts';
import { DAY_MS } from '../../../../schemas/durations.ts';
import type { NodeHourLineReader } from '../../../attribution/allocation/nodeHours/nodeHourLine.store.ts';
import { bookOf, type Closings, type Correction } from '../../../insight/periods/closings.ts';
import { copyNameOf, idleDigestOf, intervalOf } from '../../../insight/periods/monthCopies.ts';
import type { ReadCompleteness } from '../../../ledger/freshness/completeTotals.ts';
import { isSameContent, noContent } from '../../../ledger/records/content.ts';
import type { PeriodVersionReader } from '../../../ledger/rollups/periodVersions.store.ts';
import type { RollupReader } from '../../../ledger/rollups/rollup.store.ts';
import type { Interval } from '../../../platform/shared/time/interval.ts';
import { type Month, monthsBetween, startOfMonth } from '../../../platform/shared/time/month.ts';
import { planCohortPartitions } from '../steps/gatherCohorts.ts';
import { planPartitions, type TimePartition } from '../steps/partitions.ts';
import type { BookPart } from './bookPart.ts';

export interface PlanStores {
  readonly rollups: RollupReader;
  readonly periodVersions: PeriodVersionReader;
  readonly nodeHourLines: NodeHourLineReader;
  readonly readCompleteness: ReadCompleteness;
}

/** A partition, and the state of the month that it reads, if a close has fixed it or a correction names it. */
export interface BookPartition extends TimePartition {
  readonly book?: BookPart | undefined;
}

/**
 * The days on which a month has changed between two states, from the first to the last; null if it has not. A day with a
 * change that is not in the totals of today counts as one.
 */
const changedDays = async (
  { periodVersions, nodeHourLines, readCompleteness }: PlanStores,
  tenantId: string,
  { month, from, to }: Correction,
): Promise<Interval | null> => {
  const whole = intervalOf(month);
  const names = [copyNameOf(tenantId, from.copy), to === null ? tenantId : copyNameOf(tenantId, to.copy)];
  const [[idleBefore, idleAfter], [before, after], isComplete] = await Promise.all([
    Promise.all(names.map(async (name) => idleDigestOf(await nodeHourLines.list(name, whole)))),
    Promise.all(names.map((name) => periodVersions.read(name, { grain: 'day', ...whole }))),
    to === null ? readCompleteness(tenantId) : () => true,
  ]);
  if (idleBefore !== idleAfter) return whole;
  const changed: number[] = [];
  for (let day = whole.from; day < whole.to; day += DAY_MS) {
    const next = day + DAY_MS;
    const [was, is] = [before, after].map((days) => days?.get(day));
    const isSame = is !== null && was !== null && isSameContent(was ?? noContent, is ?? noContent);
    if (isSame && isComplete({ from: day, to: next })) continue;
    changed.push(day);
  }
  const [first] = changed;
  const last = changed.at(-1);
  return first === undefined || last === undefined ? null : { from: first, to: last + DAY_MS };
};

/**
 * The partitions of an export: the calls of its period, those of closed months as the close fixed them, and the corrections
 * that are booked in its months. A correction is read twice, as it was booked and as it is: what is the same has no row.
 */
export const planBooks = async (
  stores: PlanStores,
  tenantId: string,
  closings: Closings,
  { basis, period, asOf }: { readonly basis: ExportBasis; readonly period: Interval; readonly asOf: number },
): Promise<readonly BookPartition[]> => {
  const partitionsOf = async (interval: Interval): Promise<readonly TimePartition[]> =>
    basis === 'cohorts' ? planCohortPartitions(interval) : planPartitions(stores.rollups, tenantId, interval);

  const correctionsOf = async (billedIn: Month, correction: Correction): Promise<BookPartition[]> => {
    const { month, from, to } = correction;
    const days = await changedDays(stores, tenantId, correction);
    if (days === null) return [];
    const states = [
      { ...from, sign: -1, other: to?.copy ?? null },
      { asOf: to?.asOf ?? asOf, copy: to?.copy ?? null, sign: 1, other: from.copy },
    ] as const;
    // Cohorts are counted by month. A record is on its day.
    const parts = await partitionsOf(basis === 'cohorts' ? intervalOf(month) : days);
    return states.flatMap(({ asOf: at, copy, sign, other }) =>
      parts.map((part) => ({
        ...part,
        month: billedIn,
        book: { month, asOf: at, copy, correction: { sign, other } },
      })),
    );
  };

  const books = new Map(
    monthsBetween(period.from, period.to - 1).map((month) => [month, bookOf(closings, month)]),
  );
  const own = (await partitionsOf(period)).map((partition): BookPartition => {
    const fixed = books.get(partition.month)?.own ?? null;
    return fixed === null
      ? partition
      : { ...partition, book: { month: partition.month, ...fixed, correction: null } };
  });
  const corrections: BookPartition[] = [];
  for (const [month, book] of books) {
    // They are booked at the start of a period, so each of several exports of a part of it does not repeat them.
    const start = startOfMonth(month);
    if (start < period.from || period.to <= start) continue;
    for (const correction of book.corrections) corrections.push(...(await correctionsOf(month, correction)));
  }
  return [...own, ...corrections];
};
