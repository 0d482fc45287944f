import { magnitude } from '../../../../sdk/shared/decimal.ts';
import type { UsageRow } from '../../../../sdk/typescript/src/types.ts';
import { readUsage } from '../../api/usageReport.ts';
import { useRead } from '../../api/useRead.ts';
import { TREEMAP_HEIGHT, Treemap } from '../../charts/treemap/Treemap.tsx';
import type { TreeNode } from '../../charts/treemap/treemap.ts';
import { type Dimension, estimateOf } from '../../charts/usage.ts';
import { Loaded } from '../../components/reading/Loaded.tsx';
import type { Measure } from '../../format/amount.ts';
import { type ExploreState, filtersOf } from './exploreState.ts';

const LEVELS = ['owner', 'service', 'served_model'] as const satisfies readonly Dimension[];

/** The rows as a tree, one level for each dimension. A merged row stays at the level at which its groups differ. */
const treeOf = (rows: readonly UsageRow[], measure: Measure, level = 0): TreeNode[] => {
  const dimension = LEVELS[level];
  if (dimension === undefined) return [];
  const keyOf = (row: UsageRow): string => {
    if (!(dimension in row)) return row.kind === 'other' ? ':other' : ':folded';
    return row[dimension] ?? ':nobody';
  };
  return [...Map.groupBy(rows, keyOf)].map(([key, own]): TreeNode => {
    const children = key === ':folded' || key === ':other' ? [] : treeOf(own, measure, level + 1);
    return children.length > 0
      ? { key, children }
      : { key, value: own.reduce((total, row) => total + magnitude(estimateOf(row, measure).central), 0) };
  });
};

interface TreemapViewProps {
  readonly state: ExploreState;
  readonly range: { readonly from: number; readonly to: number };
  readonly change: (members: Partial<ExploreState>) => void;
}

export const TreemapView = ({ state, range, change }: TreemapViewProps) => {
  const filters = filtersOf(state);
  const usage = useRead(
    ['usage', 'treemap', range.from, range.to, ...[...filters].flat()],
    (client, options) => readUsage(client, { ...range, groupBy: LEVELS, filters }, options),
  );
  return (
    <Loaded of={usage} height={TREEMAP_HEIGHT}>
      {({ data }) => (
        <Treemap
          tree={treeOf(data, state.measure)}
          measure={state.measure}
          choose={([owner, service, model]) =>
            change({
              ...(owner !== undefined && { owner }),
              ...(service !== undefined && { service }),
              ...(model !== undefined && { served_model: model }),
            })
          }
        />
      )}
    </Loaded>
  );
};
