import { BillingMonth } from '../../../schemas/chargeback/periods.ts';
import { adjustedPeriod, type Closings, closingOf } from '../../insight/periods/closings.ts';
import { RETENTION_MILLISECONDS } from '../../ledger/records/ledgerItem.ts';
import { ProblemError } from '../../platform/shared/problem.ts';
import { type Month, startOfMonth, startOfNextMonth } from '../../platform/shared/time/month.ts';

/** The period that a path names. Throws NOT_FOUND for one that has not begun, and for anything else. */
export const periodIn = (parameters: Readonly<Record<string, string>>, now: number): Month => {
  const month = BillingMonth.safeParse(parameters['period']).data;
  if (month === undefined || startOfMonth(month) > now)
    throw new ProblemError('NOT_FOUND', 'There is no such period. A period is a month, such as 2026-10.');
  return month;
};

/** Throws CONFLICT if a month cannot be closed at `now` (epoch milliseconds). */
export const requireClosable = (closings: Closings, month: Month, now: number): void => {
  if (startOfNextMonth(month) > now)
    throw new ProblemError('CONFLICT', `The period ${month} has not ended. Its end is midnight UTC.`);
  const next = adjustedPeriod(closings);
  if (next !== null && month !== next)
    throw new ProblemError(
      'CONFLICT',
      month < next
        ? `Periods are closed in their order, and the first one was later than ${month}.`
        : `Periods are closed in their order. Close ${next} first.`,
    );
};

/** Throws CONFLICT if a month is not the last that was closed: what it changes is in the books of the next one. */
export const requireReopenable = (closings: Closings, month: Month): void => {
  if (closingOf(closings, month) === undefined)
    throw new ProblemError('CONFLICT', `The period ${month} is open.`);
  const last = closings.at(-1)?.month;
  if (last !== month)
    throw new ProblemError(
      'CONFLICT',
      `The period ${last} was closed after ${month}, and has its adjustments. Reopen ${last} first.`,
    );
};

/** Without those whose records have expired. */
export const retainedClosings = (closings: Closings, now: number): Closings =>
  closings.filter(({ month }) => startOfNextMonth(month) + RETENTION_MILLISECONDS > now);
