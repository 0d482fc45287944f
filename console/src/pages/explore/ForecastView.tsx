import { magnitude } from '../../../../sdk/shared/decimal.ts';
import { getForecastReport } from '../../../../sdk/typescript/src/operations.ts';
import type { ForecastRow, ForecastTotals } from '../../../../sdk/typescript/src/types.ts';
import { filterParameters } from '../../api/usageReport.ts';
import { useRead } from '../../api/useRead.ts';
import { PAGE_ROWS, wholeReport } from '../../api/wholeReport.ts';
import { groupOf, nameOfDimension, servedDimensions } from '../../charts/usage.ts';
import { Loaded } from '../../components/reading/Loaded.tsx';
import { type Column, Table } from '../../components/tables/Table.tsx';
import { formatRange, formatUsd } from '../../format/amount.ts';
import { formatDayIn } from '../../format/time.ts';
import { unknownForecasts } from '../overview/forecastFigure.ts';
import { spentColumn } from '../overview/spentColumn.tsx';
import { type ExploreState, filtersOf } from './exploreState.ts';
import { nameOfGroup } from './groups/nameOfGroup.ts';

interface Line extends ForecastTotals {
  readonly key: string;
  readonly name: string;
}

/** Why a group has no forecast. Without a reason, privacy hides it. */
const unknownText = ({ forecast_unknown: reason }: Line): string =>
  reason === null ? 'hidden' : unknownForecasts[reason];

const columnsOf = (title: string): readonly Column<Line>[] => [
  { title, cell: ({ name }) => name, order: ({ name }) => name },
  spentColumn('So far'),
  {
    title: 'Whole month',
    right: true,
    cell: (line) =>
      line.forecast_usd === null ? (
        <span className="unknown">unknown</span>
      ) : (
        <strong>{formatUsd(line.forecast_usd)}</strong>
      ),
    order: ({ forecast_usd: forecast }) => forecast,
  },
  {
    title: 'Range',
    right: true,
    cell: (line) =>
      line.forecast_range_usd === null ? (
        <span className="quiet">{unknownText(line)}</span>
      ) : (
        formatRange(line.forecast_range_usd.low, line.forecast_range_usd.high, 'cost')
      ),
  },
];

/** What the current month will have cost at its end, by group. */
export const ForecastView = ({ state }: { state: ExploreState }) => {
  const groupBy = servedDimensions(state.group);
  const filters = filtersOf(state);
  const report = useRead(['forecast', 'groups', groupBy.join(), ...[...filters].flat()], (client, options) =>
    wholeReport(
      getForecastReport(
        client,
        { limit: PAGE_ROWS, group_by: groupBy.join(), ...filterParameters(filters) },
        options,
      ),
    ),
  );
  const lineOf = (row: ForecastRow): Line => {
    const group = groupOf(row, groupBy);
    return { ...row, key: group.key, name: nameOfGroup(group, groupBy) };
  };
  const lines = (rows: readonly ForecastRow[]): readonly Line[] =>
    rows.map(lineOf).toSorted((one, other) => magnitude(other.forecast_usd) - magnitude(one.forecast_usd));
  return (
    <Loaded of={report} height={420}>
      {({ totals, data, period, time_zone: zone }) => (
        <div className="stack">
          <Table
            label="Forecast"
            columns={columnsOf(groupBy.map(nameOfDimension).join(' and '))}
            rows={[{ ...totals, key: ':all', name: 'All calls' }, ...lines(data)]}
            pinned={1}
            source={[{ kind: 'all', ...totals }, ...data]}
            keyOf={({ key }) => key}
          />
          <p className="quiet small">
            The month from {formatDayIn(period.from, zone)}, in {zone}. A range holds about nine of ten
            outcomes.
          </p>
        </div>
      )}
    </Loaded>
  );
};
