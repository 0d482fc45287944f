import { formatAmount, formatRange, type Measure, plural } from '../../format/amount.ts';
import type { Interval } from '../series.ts';
import { type IntervalLength, intervalName } from './intervalLabels.ts';

/** What a screen reader says for a column. An unknown amount is not zero, and neither is an interval without calls. */
export const spokenInterval = (
  { at, values, total, low, high, unknown, isPartial }: Interval,
  measure: Measure,
  length: IntervalLength,
): string => {
  const amounts = [
    formatAmount(total, measure),
    ...(total === null ? [] : [`range ${formatRange(low, high, measure)}`]),
    ...(unknown === 0 ? [] : [`${plural(unknown, 'call')} of unknown amount`]),
  ];
  const parts = [...(values.size === 0 ? ['no calls'] : amounts), ...(isPartial ? ['so far'] : [])];
  return `${intervalName(at, length)}: ${parts.join(', ')}`;
};
