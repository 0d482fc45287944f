import type { Dimension } from '../../charts/usage.ts';
import { isoDay } from '../../format/time.ts';
import { type ExplorePeriod, type ExploreState, filtersOf } from './exploreState.ts';

/** The names of the filters of records, by dimension. The others have none. */
const recordFilters: Partial<Record<Dimension, string>> = {
  owner: 'owner',
  service: 'service',
  provider: 'provider',
  served_model: 'model',
};

/**
 * The page with exactly the calls of a group, in the period and with the filters of the explore page. Null if the records
 * cannot be filtered so.
 */
export const recordsPath = (
  state: ExploreState,
  { from, to }: Pick<ExplorePeriod, 'from' | 'to'>,
  values: readonly (string | null)[],
): string | null => {
  const search = new URLSearchParams();
  const chosen = state.group.map((dimension, index) => [dimension, values[index] ?? null] as const);
  for (const [dimension, value] of [...filtersOf(state), ...chosen]) {
    const name = recordFilters[dimension];
    // Calls without an owner are those that no stage could resolve.
    if (dimension === 'owner' && value === null) search.set('state', 'unresolved');
    else if (name === undefined || value === null) return null;
    else search.set(name, value);
  }
  search.set('from', isoDay(from));
  search.set('to', isoDay(to - 1));
  return `/records?${search}`;
};
