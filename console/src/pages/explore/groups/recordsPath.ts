import type { UsageReport } from '../../../../../sdk/typescript/src/types.ts';
import type { Dimension } from '../../../charts/usage.ts';
import { daysOf, type RecordFilters, recordsLink } from '../../records/recordFilters.ts';
import { type ExploreState, filtersOf } from '../exploreState.ts';

/** The filter of records for a value of a dimension. The other dimensions have none. */
const recordFilter: Partial<Record<Dimension, (value: string | null) => Partial<RecordFilters>>> = {
  owner: (value) => (value === null ? { named: 'nobody' } : { owner: value }),
  service: (value) => (value === null ? { served: 'none' } : { service: value }),
  provider: (value) => ({ provider: value ?? '' }),
  served_model: (value) => ({ model: value ?? '' }),
};

/** The page with exactly the calls of these days that have these values, and pass `further` filters. Null if records cannot be filtered so. */
export const recordsOf = (
  period: Pick<UsageReport['period'], 'from' | 'to'>,
  values: Iterable<readonly [Dimension, string | null]>,
  further: Partial<RecordFilters> = {},
): string | null => {
  const filters: Partial<RecordFilters>[] = [];
  for (const [dimension, value] of values) {
    const filter = recordFilter[dimension];
    if (filter === undefined) return null;
    filters.push(filter(value));
  }
  return recordsLink(Object.assign(daysOf(period), further, ...filters));
};

/** The page with exactly the calls of a group, in the days and with the filters of the explore page. */
export const recordsPath = (
  state: ExploreState,
  period: Pick<UsageReport['period'], 'from' | 'to'>,
  values: readonly (string | null)[],
): string | null =>
  recordsOf(period, [
    ...filtersOf(state),
    ...state.group.map((dimension, index) => [dimension, values[index] ?? null] as const),
  ]);
