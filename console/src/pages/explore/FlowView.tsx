import { magnitude } from '../../../../sdk/shared/decimal.ts';
import { readUsage } from '../../api/usageReport.ts';
import { useRead } from '../../api/useRead.ts';
import { Flows } from '../../charts/flows/Flows.tsx';
import { type Dimension, estimateOf } from '../../charts/usage.ts';
import { Loaded } from '../../components/reading/Loaded.tsx';
import { HIDDEN } from '../../format/words.ts';
import { type ExploreState, filtersOf } from './exploreState.ts';
import { keepLargest } from './groups/regroup.ts';

const ENDS: readonly Dimension[] = ['owner', 'provider'];
const OWNERS_SHOWN = 10;

interface FlowViewProps {
  readonly state: ExploreState;
  readonly range: { readonly from: number; readonly to: number };
}

export const FlowView = ({ state, range }: FlowViewProps) => {
  const filters = filtersOf(state);
  const usage = useRead(['usage', 'flow', range.from, range.to, ...[...filters].flat()], (client, options) =>
    readUsage(client, { ...range, groupBy: ENDS, filters }, options),
  );
  return (
    <Loaded of={usage} height={420}>
      {({ data }) => {
        const rows = keepLargest(data, ['owner'], state.measure, OWNERS_SHOWN);
        return (
          <Flows
            measure={state.measure}
            flows={rows.map((row) => ({
              from:
                row.kind === 'other'
                  ? 'All others'
                  : row.owner === undefined
                    ? HIDDEN
                    : (row.owner ?? 'Nobody named'),
              to: row.provider ?? 'several providers',
              value: magnitude(estimateOf(row, state.measure).central),
            }))}
          />
        );
      }}
    </Loaded>
  );
};
