import { type ChangePart, PARTS } from '../../../shared/changeParts.ts';
import { priceChangeText } from '../../../shared/priceChange.ts';
import { type ChangeRow, type ChangesReport, getChangesReport } from '../../../typescript/src/index.ts';
import type { Command } from '../command.ts';
import type { Column } from '../table.ts';
import { safeText, shortAmount, shown } from '../text.ts';
import { ownersLine, unknownBeside } from './groups.ts';
import { pageOptions } from './lists.ts';
import { comparedOptions, comparedQuery, groupedOptions, printReport, reportQuery } from './reports.ts';

const columnOf = (name: ChangePart): Column<ChangeRow> => ({
  title: name.replace('_usd', '').toUpperCase(),
  value: ({ parts }) => parts?.[name] ?? null,
  isAmount: true,
});

/** The known cost is a range if suppression hides calls that can be among them. */
const cost = (title: string, side: 'current' | 'previous'): Column<ChangeRow> => ({
  title,
  range: (row) => ({ low: row[side].cost_usd ?? '0', high: row[side].cost_usd_maximum }),
  remark: (row) => unknownBeside(row[side].cost_usd, row[side].unpriced_invocations),
  isAmount: true,
});

const amounts: readonly Column<ChangeRow>[] = [
  cost('BEFORE USD', 'previous'),
  cost('COST USD', 'current'),
  {
    title: 'CHANGE USD',
    range: ({ change_range_usd: range }) => range,
    isAmount: true,
  },
  ...PARTS.map(columnOf),
];

const describeTotals = ({
  totals,
  period,
  previous,
  price_changes,
  as_of,
  stale,
}: ChangesReport): string[] => [
  `Change: ${shown(totals.change_usd)} USD, from ${period.from} to ${period.to}, compared with ${previous.period.from} to ${previous.period.to}`,
  ownersLine(totals.current.owner_states),
  ...(previous.complete
    ? []
    : [`No calls are known from before ${previous.period.from}, so the period before may not be complete.`]),
  ...price_changes.map(
    (change) => `${change.at}: ${safeText(priceChangeText(change, (usd) => `${shortAmount(usd)} USD`))}`,
  ),
  ...(stale ? [`Calls may be missing: the totals are complete up to ${as_of}.`] : []),
];

export const changes: Command = {
  name: 'changes',
  summary: 'Explain the change of the cost since the period before, the largest changes first',
  options: {
    ...groupedOptions(),
    ...comparedOptions,
    ...pageOptions,
  },
  run: (call) => {
    const query: object = {
      ...reportQuery(call),
      ...comparedQuery(call),
    };
    return printReport<ChangeRow, ChangesReport>(
      call,
      getChangesReport(call.client(), query, { signal: call.terminal.signal }),
      { columns: () => amounts, empty: 'No calls in these periods.', notes: describeTotals },
    );
  },
};
