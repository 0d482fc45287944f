import { sum } from '../../../../sdk/shared/decimal.ts';
import type { getUsageReport } from '../../../../sdk/typescript/src/operations.ts';
import type { AttributionRecord, UsageReport } from '../../../../sdk/typescript/src/types.ts';
import { formatCount, formatUsd, plural } from '../../format/amount.ts';
import { queryOf, type RecordFilters } from './recordFilters.ts';

/** The filters of records that reports have too. The others would need the single calls. */
const REPORTED: ReadonlySet<string> = new Set([
  'owner',
  'service',
  'provider',
  'served_model',
  'owner[exists]',
  'service[exists]',
]);

type UsageQuery = NonNullable<Parameters<typeof getUsageReport>[1]>;

/** The report that sums all calls of a filter. Or why there is none. */
export const reportOf = (filters: RecordFilters): UsageQuery | string => {
  const { sort: _, 'occurred_at[gte]': from, 'occurred_at[lt]': to, ...others } = queryOf(filters);
  if (Object.keys(others).some((name) => !REPORTED.has(name)))
    return 'Stored sums do not have all of these filters.';
  if (from === undefined || to === undefined) return 'Choose both days for the sum of all that match.';
  return { from, to, ...others, limit: 1 };
};

interface Sums {
  readonly invocations: number;
  readonly cost_usd: string | null;
  readonly unpriced_invocations: number;
}

export const sumsOfRows = (rows: readonly AttributionRecord[]): Sums => ({
  invocations: rows.length,
  cost_usd: sum(rows.map(({ cost_usd }) => cost_usd)),
  unpriced_invocations: rows.filter(({ cost_usd }) => cost_usd === null).length,
});

/** How many calls there are, and what they cost. `hidden` may match too, and privacy does not say whether they do. */
export const sumsText = (
  { invocations, cost_usd, unpriced_invocations: unknown }: Sums,
  hidden: UsageReport['undetermined_invocations'] = 0,
): string =>
  [
    `${hidden > 0 ? 'at least ' : ''}${plural(invocations, 'call')}`,
    formatUsd(cost_usd),
    ...(unknown === 0 ? [] : [`${formatCount(unknown)} of unknown cost`]),
  ].join(' · ');
