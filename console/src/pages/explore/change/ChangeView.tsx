import type { ChangeRow, ChangesReport } from '../../../../../sdk/typescript/src/types.ts';
import { groupOf, nameOfDimension, servedDimensions } from '../../../charts/usage.ts';
import { ChangeSteps } from '../../../charts/waterfall/ChangeSteps.tsx';
import { Empty } from '../../../components/reading/Empty.tsx';
import { Loaded } from '../../../components/reading/Loaded.tsx';
import { type Column, Table } from '../../../components/tables/Table.tsx';
import { formatCount, formatRange } from '../../../format/amount.ts';
import { formatDays } from '../../../format/time.ts';
import type { ExploreState } from '../exploreState.ts';
import { nameOfGroup } from '../groups/nameOfGroup.ts';
import { mainPart, signedRange } from './changeText.ts';
import { PriceChanges } from './PriceChanges.tsx';
import { useChanges } from './useChanges.ts';

/** The known cost, as a range if privacy hides calls that can be among them. */
const costOf = ({ cost_usd: low, cost_usd_maximum: high }: ChangeRow['current']): string =>
  high === null ? 'unknown' : formatRange(low ?? '0', high, 'cost');

const moversOf = (group: ExploreState['group']): readonly Column<ChangeRow>[] => [
  {
    title: group.map(nameOfDimension).join(' and '),
    cell: (row) => nameOfGroup(groupOf(row, group), group),
    order: (row) => nameOfGroup(groupOf(row, group), group),
  },
  {
    title: 'Before',
    right: true,
    cell: ({ previous }) => costOf(previous),
    order: ({ previous }) => previous.cost_usd,
  },
  {
    title: 'Now',
    right: true,
    cell: ({ current }) => costOf(current),
    order: ({ current }) => current.cost_usd,
  },
  {
    title: 'Change',
    right: true,
    cell: (row) => signedRange(row) ?? <span className="unknown">unknown</span>,
  },
  { title: 'Mostly', cell: (row) => mainPart(row) ?? <span className="quiet">none</span> },
];

const Changes = ({ report, group }: { report: ChangesReport; group: ExploreState['group'] }) => {
  const { totals, previous } = report;
  const since = formatDays(previous.period);
  if (!previous.complete) {
    return (
      <Empty title="No period to compare with">
        No calls are known from before {since}, so what changed since then cannot be told. Compare with a
        later period, or choose fewer days.
      </Empty>
    );
  }
  if (totals.parts === null || totals.current.cost_usd === null || totals.previous.cost_usd === null) {
    return (
      <Empty title="The change is unknown">
        No call of one of the periods has a known cost. Compared with {since}.
      </Empty>
    );
  }
  const unpriced = totals.current.unpriced_invocations + totals.previous.unpriced_invocations;
  return (
    <>
      <ChangeSteps of={totals} />
      <PriceChanges changes={report.price_changes} />
      <p className="quiet small">
        The period before: {since}.
        {unpriced > 0 && ` ${formatCount(unpriced)} calls of unknown cost are left out.`}
      </p>
      <h3 className="movers">Largest changes</h3>
      <Table
        label="Largest changes"
        columns={moversOf(group)}
        rows={report.data}
        hasMore={report.page.next_cursor !== null}
        keyOf={(row) => groupOf(row, group).key}
      />
    </>
  );
};

interface ChangeViewProps {
  readonly state: ExploreState;
  readonly range: { readonly from: number; readonly to: number };
}

/** What led from the cost of an earlier period to that of this one, and which groups changed most. */
export const ChangeView = ({ state, range }: ChangeViewProps) => (
  <Loaded of={useChanges(state, range)} height={420}>
    {(report) => <Changes report={report} group={servedDimensions(state.group)} />}
  </Loaded>
);
