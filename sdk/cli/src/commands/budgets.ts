import { type Budget, type BudgetPage, listBudgets } from '../../../typescript/src/index.ts';
import type { Command } from '../command.ts';
import type { Column } from '../table.ts';
import { noteWarnings, pageOptions, pageQuery, printCollection } from './lists.ts';

const scopeOf = ({ scope }: Budget): string => {
  const parts = Object.entries(scope).map(([name, value]) => `${name}=${String(value)}`);
  return parts.length === 0 ? 'all calls' : parts.join(' ');
};

/** Thresholds that were crossed. Null: the credential may not read the figures. */
const standingOf = ({ crossed, thresholds, stale }: Budget): string => {
  if (crossed === null) return 'not readable';
  const highest = crossed.at(-1);
  return `${highest === undefined ? `below ${thresholds[0]} %` : `${highest} % crossed`}${stale ? ' (calls may be missing)' : ''}`;
};

const columns: readonly Column<Budget>[] = [
  { title: 'ID', value: ({ id }) => id },
  { title: 'NAME', value: ({ name }) => name },
  { title: 'SCOPE', value: scopeOf },
  { title: 'PERIOD', value: ({ period }) => period },
  {
    title: 'SPENT USD',
    value: ({ period_to_date_usd }) => period_to_date_usd,
    remark: ({ unpriced_invocations }) => (unpriced_invocations ? ` + ${unpriced_invocations} unknown` : ''),
    isAmount: true,
  },
  { title: 'CEILING USD', value: ({ ceiling_usd }) => ceiling_usd, isAmount: true },
  { title: 'FORECAST USD', value: ({ forecast_usd }) => forecast_usd, isAmount: true },
  { title: 'STANDING', value: standingOf },
];

export const budgets: Command = {
  name: 'budgets',
  summary: 'List budgets with what is spent of them',
  options: pageOptions,
  run: async (call) => {
    const shown: Budget[] = [];
    await printCollection<Budget, BudgetPage>(
      call,
      listBudgets(call.client(), pageQuery(call), { signal: call.terminal.signal }),
      ({ data }) => {
        shown.push(...data);
        return columns;
      },
      'There is no budget.',
    );
    for (const { name, warnings } of shown) noteWarnings(call, `${name}:`, warnings);
  },
};
