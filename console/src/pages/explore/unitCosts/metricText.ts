import type { MetricCost } from '../../../../../sdk/typescript/src/types.ts';
import { formatRange, formatUsd } from '../../../format/amount.ts';

/** Whose cost a metric divides. */
export const scopeOfMetric = ({ owner, service }: Pick<MetricCost, 'owner' | 'service'>): string =>
  [owner, service].filter((name) => name !== null).join(' · ') || 'all calls';

/** The range of the cost of a unit, if it is one. */
export const metricRange = ({
  cost_per_unit_range_usd: range,
}: Pick<MetricCost, 'cost_per_unit_range_usd'>): string => {
  if (range === null || range.low === null || range.low === range.high) return '';
  return range.high === null
    ? `at least ${formatUsd(range.low)}`
    : formatRange(range.low, range.high, 'cost');
};
