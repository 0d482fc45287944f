import { readChanges } from '../../../api/changesReport.ts';
import { useRead } from '../../../api/useRead.ts';
import { servedDimensions } from '../../../charts/usage.ts';
import { type ExploreState, earlierPeriod, filtersOf } from '../exploreState.ts';

/** Groups that are shown, those with the largest change. */
const MOVERS = 8;

/** The change of the cost since the period before, which two views of the page show. */
export const useChanges = (
  state: ExploreState,
  range: { readonly from: number; readonly to: number },
  enabled = true,
) => {
  const { since } = state;
  const groupBy = servedDimensions(state.group);
  const filters = filtersOf(state);
  return useRead(
    ['changes', range.from, range.to, since, groupBy.join(), ...[...filters].flat()],
    (client, options) =>
      readChanges(
        client,
        { ...range, previous: earlierPeriod(range, since, Date.now()), groupBy, filters, limit: MOVERS },
        options,
      ),
    { enabled },
  );
};
