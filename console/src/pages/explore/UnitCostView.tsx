import { Link } from 'wouter';
import { readUnitCosts } from '../../api/unitCostsReport.ts';
import { useRead } from '../../api/useRead.ts';
import { nameOfDimension } from '../../charts/usage.ts';
import { Empty } from '../../components/Empty.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { type Column, Table } from '../../components/Table.tsx';
import { formatCount } from '../../format/amount.ts';
import { type ExploreState, filtersOf } from './exploreState.ts';
import { recordsOf } from './recordsPath.ts';
import { type UnitCostLine, unitCostLines } from './unitCostRows.ts';

const figure = (
  title: string,
  member: Exclude<keyof UnitCostLine, 'key' | 'name' | 'isPartlyUnknown'>,
): Column<UnitCostLine> => ({
  title,
  right: true,
  cell: (line) =>
    line[member]?.text ??
    (line.isPartlyUnknown ? <span className="unknown">unknown</span> : <span className="quiet">none</span>),
  order: (line) => line[member]?.amount,
});

const FIGURES: readonly Column<UnitCostLine>[] = [
  figure('A call', 'call'),
  figure('A person', 'person'),
  figure('1M input tokens', 'input'),
  figure('1M from cache', 'cachedInput'),
  figure('1M output tokens', 'output'),
  figure('Input from cache', 'cacheShare'),
  figure('Cache saved', 'cacheSaving'),
];

/** The service shows them to those who may see single records. */
const OUTCOMES: readonly Column<UnitCostLine>[] = [
  figure('Failed calls', 'failed'),
  figure('Incomplete calls', 'incomplete'),
];

/** What a call, a person and a million tokens of each kind cost, by group. */
export const UnitCostView = ({
  state,
  range,
}: {
  state: ExploreState;
  range: { readonly from: number; readonly to: number };
}) => {
  const { group: groupBy } = state;
  const filters = filtersOf(state);
  const report = useRead(
    ['unit-costs', range.from, range.to, groupBy.join(), ...[...filters].flat()],
    (client, options) => readUnitCosts(client, { ...range, groupBy, filters }, options),
  );
  const failedCalls = recordsOf(
    { from: new Date(range.from).toISOString(), to: new Date(range.to).toISOString() },
    filters,
    { outcome: 'error', sort: '-cost_usd' },
  );
  return (
    <Loaded of={report} height={420}>
      {({ totals, data }) =>
        totals.invocations === 0 ? (
          <Empty title="No calls in this period">Choose other days, or remove a filter.</Empty>
        ) : (
          <>
            <Table
              label="Unit costs"
              columns={[
                {
                  title: groupBy.map(nameOfDimension).join(' and '),
                  cell: ({ name }) => name,
                  order: ({ name }) => name,
                },
                ...FIGURES,
                ...(totals.outcomes === undefined ? [] : OUTCOMES),
              ]}
              rows={unitCostLines({ totals, data }, groupBy)}
              pinned={1}
              source={[{ kind: 'all', ...totals }, ...data]}
              keyOf={({ key }) => key}
            />
            <p className="quiet small">
              The cost of a call is divided among its tokens by list prices. A cost of a person is a range,
              because persons are rounded down.
              {totals.unpriced_invocations > 0 &&
                ` ${formatCount(totals.unpriced_invocations)} calls of unknown cost are left out.`}
              {(totals.outcomes?.unexamined_invocations ?? 0) > 0 &&
                ` Whether ${formatCount(totals.outcomes?.unexamined_invocations ?? 0)} calls failed is unknown.`}
            </p>
            {totals.outcomes !== undefined && failedCalls !== null && (
              <div className="controls">
                <Link className="link" href={failedCalls}>
                  See the failed calls, highest cost first
                </Link>
              </div>
            )}
          </>
        )
      }
    </Loaded>
  );
};
