import { Link } from 'wouter';
import { readUnitCosts } from '../../../api/unitCostsReport.ts';
import { useRead } from '../../../api/useRead.ts';
import { nameOfDimension, servedDimensions } from '../../../charts/usage.ts';
import { Empty } from '../../../components/reading/Empty.tsx';
import { Loaded } from '../../../components/reading/Loaded.tsx';
import { Segments } from '../../../components/Segments.tsx';
import { type Column, Table } from '../../../components/tables/Table.tsx';
import { formatCount } from '../../../format/amount.ts';
import { type ExploreState, filtersOf } from '../exploreState.ts';
import { recordsOf } from '../groups/recordsPath.ts';
import { type UnitCostLine, unitCostLines } from './unitCostRows.ts';

const figure = (
  title: string,
  member: Exclude<keyof UnitCostLine, 'key' | 'name' | 'isPartlyUnknown'>,
): Column<UnitCostLine> => ({
  title,
  right: true,
  cell: (line) => {
    const shown = line[member];
    if (shown === null)
      return line.isPartlyUnknown ? (
        <span className="unknown">unknown</span>
      ) : (
        <span className="quiet">none</span>
      );
    return (
      <>
        {shown.text}
        {shown.count !== undefined && <span className="sub">{shown.count}</span>}
      </>
    );
  },
  order: (line) => line[member]?.amount,
});

/** All of them are too many for a phone, and for a comparison. */
const SETS = [
  { value: 'calls', label: 'Calls' },
  { value: 'tokens', label: 'Tokens' },
  { value: 'cache', label: 'Cache' },
] as const;

const FIGURES: Readonly<Record<ExploreState['units'], readonly Column<UnitCostLine>[]>> = {
  calls: [figure('A call', 'call'), figure('A person', 'person')],
  tokens: [
    figure('1M input tokens', 'input'),
    figure('1M from cache', 'cachedInput'),
    figure('1M output tokens', 'output'),
  ],
  cache: [figure('Input from cache', 'cacheShare'), figure('Cache saved', 'cacheSaving')],
};

/** The service shows them to those who may see single records. */
const OUTCOMES: readonly Column<UnitCostLine>[] = [
  figure('Failed calls', 'failed'),
  figure('Incomplete calls', 'incomplete'),
];

/** What a call, a person and a million tokens of each kind cost, by group. Spreadsheets have all figures. */
export const UnitCostView = ({
  state,
  range,
  change,
}: {
  state: ExploreState;
  range: { readonly from: number; readonly to: number };
  change: (members: Partial<ExploreState>) => void;
}) => {
  const groupBy = servedDimensions(state.group);
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
          <div className="stack">
            <div className="controls">
              <Segments
                label="Unit costs of"
                options={SETS}
                value={state.units}
                onChange={(units) => change({ units })}
              />
            </div>
            <Table
              label="Unit costs"
              columns={[
                {
                  title: groupBy.map(nameOfDimension).join(' and '),
                  cell: ({ name }) => name,
                  order: ({ name }) => name,
                },
                ...FIGURES[state.units],
                ...(totals.outcomes === undefined || state.units !== 'calls' ? [] : OUTCOMES),
              ]}
              rows={unitCostLines({ totals, data }, groupBy)}
              pinned={1}
              source={[{ kind: 'all', ...totals }, ...data]}
              keyOf={({ key }) => key}
            />
            <p className="quiet small">
              The cost of a call is divided among its tokens by their prices. A cost of a person is a range,
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
          </div>
        )
      }
    </Loaded>
  );
};
