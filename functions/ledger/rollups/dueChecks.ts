import { LENGTH, startOf } from './grain.ts';

/** Late events of an hour have mostly arrived by then. */
const HOUR_CHECK_AGE_MS = 2 * LENGTH.hour;
/** The UTC hour in which days are checked. */
const DAYS_CHECK_HOUR = 3;
/** The ages in days at which a day is checked: for the late events of the night, of a week and of a month. */
const DAY_AGES = [1, 8, 30];

/**
 * The periods to compare with the ledger in the hour of `now` (epoch milliseconds). Each hour is checked once when it is two
 * hours old, and each day after one, eight and thirty days.
 */
export const dueChecks = (now: number): { readonly from: number; readonly to: number }[] => {
  const hour = startOf('hour', now);
  const recent = { from: hour - HOUR_CHECK_AGE_MS, to: hour - HOUR_CHECK_AGE_MS + LENGTH.hour };
  if (new Date(now).getUTCHours() !== DAYS_CHECK_HOUR) return [recent];
  const today = startOf('day', now);
  const days = DAY_AGES.map((age) => today - age * LENGTH.day);
  return [recent, ...days.map((day) => ({ from: day, to: day + LENGTH.day }))];
};
