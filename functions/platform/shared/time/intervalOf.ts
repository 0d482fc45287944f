import { DAY_MS } from '../../../../schemas/durations.ts';
import type { Interval } from './interval.ts';

const TIME = /^\d{4}-\d{2}-\d{2}(?:T|$)/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
/** Digits after the milliseconds, which `Date.parse` drops. */
const BELOW_MILLISECOND = /\.\d{3}\d*[1-9]/;

/** The whole milliseconds that a date or an instant stands for. Null if the text is neither. */
export const intervalOf = (text: string): Interval | null => {
  const floor = TIME.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(floor)) return null;
  if (DAY.test(text)) return { from: floor, to: floor + DAY_MS };
  return { from: BELOW_MILLISECOND.test(text) ? floor + 1 : floor, to: floor + 1 };
};
