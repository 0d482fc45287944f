import { timestampOf } from '../formats/observedCall.ts';
import { toTimestamp } from '../formats/values.ts';

/** Rows that are older, or whose number is no time. */
const EARLIEST = '2015';

/** A time in RFC 3339, or in seconds, milliseconds or finer units since 1970. */
export const timeOf = (value: unknown): string | undefined => {
  const number = typeof value === 'string' && /^\d{9,19}$/.test(value) ? Number(value) : value;
  const time =
    Number.isFinite(number) && typeof number === 'number' && number >= 1
      ? timestampOf(BigInt(Math.trunc(number)))
      : toTimestamp(value);
  return time === undefined || time < EARLIEST ? undefined : time;
};
