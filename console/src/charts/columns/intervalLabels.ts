import { formatClock, formatDay, formatDayOfYear, formatMonth, formatWeekday } from '../../format/time.ts';

export type IntervalLength = 'hour' | 'day' | 'month';

/** The name of an interval as it is read alone. */
export const intervalName = (at: string, length: IntervalLength): string => {
  if (length === 'month') return formatMonth(at);
  const day = `${formatWeekday(at)} ${formatDayOfYear(at)}`;
  return length === 'day' ? day : `${day}, ${formatClock(at)} UTC`;
};

/** Two lines below a column. */
export const axisLines = (
  at: string,
  length: IntervalLength,
  isPartial: boolean,
  isNarrow: boolean,
): readonly [string, string] => {
  if (length === 'hour') return [formatClock(at), isPartial ? 'so far' : formatDay(at)];
  if (length === 'month') {
    const [month = '', year = ''] = formatMonth(at).split(' ');
    return [month, isPartial ? 'so far' : year];
  }
  const day = isNarrow ? String(Number(at.slice(8, 10))) : formatDay(at);
  return [formatWeekday(at), isPartial ? (isNarrow ? 'now' : 'so far') : day];
};

/** Every how many columns a label fits. */
export const labelStep = (columns: number, width: number): number =>
  Math.max(1, Math.ceil((columns * 46) / Math.max(width, 1)));
