import { magnitude } from '../../../../sdk/shared/decimal.ts';
import { getForecastReport } from '../../../../sdk/typescript/src/operations.ts';
import type { Budget, ForecastRow } from '../../../../sdk/typescript/src/types.ts';
import { useRead } from '../../api/useRead.ts';
import { PAGE_ROWS, wholeReport } from '../../api/wholeReport.ts';
import { Card } from '../../components/Card.tsx';
import { Loaded } from '../../components/reading/Loaded.tsx';
import { type Column, Table } from '../../components/tables/Table.tsx';
import { formatRange, formatUsd } from '../../format/amount.ts';
import { spentColumn } from '../overview/spentColumn.tsx';

const SHOWN = 6;

const columns: readonly Column<ForecastRow>[] = [
  { title: 'Owner', cell: ({ owner }) => owner, order: ({ owner }) => owner },
  spentColumn('This month so far'),
  {
    title: 'Whole month',
    right: true,
    cell: ({ forecast_usd: forecast, forecast_range_usd: range }) => (
      <>
        <span className={forecast === null ? 'unknown' : ''}>{formatUsd(forecast)}</span>
        {range !== null && <span className="sub">{formatRange(range.low, range.high, 'cost')}</span>}
      </>
    ),
    order: ({ forecast_usd: forecast }) => forecast,
  },
];

interface UnbudgetedOwnersProps {
  readonly budgets: readonly Budget[];
  /** Opens the dialog for a budget of an owner. Absent: the person may not create one. */
  readonly create: ((owner: string) => void) | undefined;
}

/** The owners who will spend most this month and have no budget of their own. */
export const UnbudgetedOwners = ({ budgets, create }: UnbudgetedOwnersProps) => {
  const report = useRead(['forecast', 'owners'], (client, options) =>
    wholeReport(getForecastReport(client, { limit: PAGE_ROWS, group_by: 'owner' }, options)),
  );
  const budgeted = new Set(budgets.map(({ scope }) => scope.owner));
  return (
    <Card title="Owners without a budget" aside={<p>the largest forecasts of this month</p>}>
      <Loaded of={report} height={240}>
        {({ data }) => {
          const rows = data
            .filter(
              ({ kind, owner }) => kind === 'group' && typeof owner === 'string' && !budgeted.has(owner),
            )
            .toSorted((one, other) => magnitude(other.forecast_usd) - magnitude(one.forecast_usd))
            .slice(0, SHOWN);
          return rows.length === 0 ? (
            <p className="quiet small">Each owner that reports name has a budget.</p>
          ) : (
            <Table
              label="Owners without a budget"
              columns={columns}
              rows={rows}
              keyOf={({ owner }) => owner ?? ''}
              actions={
                create === undefined
                  ? undefined
                  : ({ owner }) => [
                      {
                        label: 'Create a budget',
                        subject: `for ${owner ?? ''}`,
                        run: () => create(owner ?? ''),
                      },
                    ]
              }
            />
          );
        }}
      </Loaded>
    </Card>
  );
};
