import { listBudgetPeriods } from '../../../../sdk/typescript/src/operations.ts';
import type { Budget, BudgetPeriodRecord } from '../../../../sdk/typescript/src/types.ts';
import { useRead } from '../../api/useRead.ts';
import { Loaded } from '../../components/reading/Loaded.tsx';
import { type Column, Table } from '../../components/tables/Table.tsx';
import { formatShareOf, formatUsd, plural } from '../../format/amount.ts';
import { Dialog } from '../../forms/Dialog.tsx';
import { daysOfPeriod, knownSpend } from './budgetSpend.ts';

const PERIODS = 12;

const columnsOf = (ceiling: string): readonly Column<BudgetPeriodRecord>[] => [
  {
    title: 'Period',
    cell: ({ period, time_zone: zone, is_current: isCurrent }) => (
      <>
        {daysOfPeriod(period, zone)}
        {isCurrent && <span className="sub">so far</span>}
      </>
    ),
  },
  {
    title: 'Spent',
    right: true,
    cell: ({ spent_usd: spent, unpriced_invocations: unpriced }) => formatUsd(knownSpend(spent, unpriced)),
  },
  {
    title: 'Of the ceiling',
    right: true,
    cell: ({ spent_usd: spent, unpriced_invocations: unpriced }) =>
      formatShareOf(knownSpend(spent, unpriced), ceiling),
  },
  {
    title: 'Unknown price',
    right: true,
    cell: ({ unpriced_invocations: count }) => (count === null ? 'unknown' : plural(count, 'call')),
  },
];

/** What a budget spent in its last periods, measured with its present scope and ceiling. */
export const PeriodsDialog = ({ budget, close }: { budget: Budget; close: () => void }) => {
  const periods = useRead(['budget-periods', budget.id], (client, options) =>
    listBudgetPeriods(client, budget.id, { limit: PERIODS }, options),
  );
  return (
    <Dialog title={`Periods of ${budget.name}`} isWide close={close}>
      <p>Earlier periods are measured with the present scope and ceiling.</p>
      <Loaded of={periods} height={360}>
        {({ data, page }) => (
          <Table
            label="Periods"
            columns={columnsOf(budget.ceiling_usd)}
            rows={data}
            hasMore={page.next_cursor !== null}
            keyOf={({ period }) => period.from}
          />
        )}
      </Loaded>
      <footer>
        <button type="button" className="button" onClick={close}>
          Close
        </button>
      </footer>
    </Dialog>
  );
};
