import { DAY_MS, HOUR_MS } from '../../../../schemas/durations.ts';
import type { Interval } from '../../../platform/shared/time/interval.ts';
import { startOf } from '../grain.ts';

/** Late events of an hour have mostly arrived by then. */
const HOUR_CHECK_AGE_MS = 2 * HOUR_MS;
/** The time after midnight UTC from which days are checked. */
export const DAYS_CHECK_MS = 3 * HOUR_MS;
/** The ages in days at which a day is checked: for the late events of the night, of a week and of a month. */
const DAY_AGES = [1, 8, 30];
/** Runs that are made up for after an outage. */
const RUNS_MAXIMUM = 31;

/** The time since the last run of a check, epoch milliseconds. */
interface Window {
  readonly since: number;
  readonly now: number;
}

/**
 * The hours to compare with the ledger, as one period: each hour once when it is two hours old. Hours of runs that were
 * missed are included.
 */
export const dueHours = ({ since, now }: Window): Interval => {
  const to = startOf('hour', now) - HOUR_CHECK_AGE_MS + HOUR_MS;
  const last = startOf('hour', since) - HOUR_CHECK_AGE_MS + HOUR_MS;
  const from = Math.max(Math.min(last, to - HOUR_MS), to - RUNS_MAXIMUM * DAY_MS);
  return { from, to };
};

/**
 * The days to compare with the ledger: each day after one, eight and thirty days. Days of runs that were missed are
 * included.
 */
export const dueDays = ({ since, now }: Window): Interval[] => {
  const today = startOf('day', now);
  const last = startOf('day', since);
  const first = Math.max(Math.min(last + DAY_MS, today), today - (RUNS_MAXIMUM - 1) * DAY_MS);
  const starts = new Set<number>();
  for (let run = first; run <= today; run += DAY_MS) {
    for (const age of DAY_AGES) starts.add(run - age * DAY_MS);
  }
  return [...starts].map((from) => ({ from, to: from + DAY_MS }));
};
