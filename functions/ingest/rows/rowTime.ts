import { timestampOf } from '../formats/observedCall.ts';
import { toTimestamp } from '../formats/values.ts';

/** Rows that are older, or whose number is no time. */
const EARLIEST = '2015';

/** Whole units since 1970. A text of nanoseconds is more precise than a number. */
const unitsIn = (value: unknown): bigint | undefined => {
  if (typeof value === 'string') return /^\d{9,19}$/.test(value) ? BigInt(value) : undefined;
  return typeof value === 'number' && Number.isFinite(value) && value >= 1
    ? BigInt(Math.trunc(value))
    : undefined;
};

/** A time in RFC 3339, or in seconds, milliseconds or finer units since 1970. */
export const timeOf = (value: unknown): string | undefined => {
  const units = unitsIn(value);
  const time = units === undefined ? toTimestamp(value) : timestampOf(units);
  return time === undefined || time < EARLIEST ? undefined : time;
};
