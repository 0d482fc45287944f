import {
  type ChangeParts,
  type ChangeRow,
  type ChangesReport,
  getChangesReport,
} from '../../../typescript/src/index.ts';
import type { Command } from '../command.ts';
import type { Column } from '../table.ts';
import { note } from '../terminal.ts';
import { shown } from '../text.ts';
import { COHORT_GROUPS, groupColumns, ownersLine, rangeText, unknownBeside } from './groups.ts';
import { isForPeople, pageOptions, pageQuery, printCollection, rangeOptions } from './lists.ts';

const part = (title: string, name: keyof ChangeParts): Column<ChangeRow> => ({
  title,
  value: ({ parts }) => parts?.[name] ?? null,
  isAmount: true,
});

/** The known cost, as a range if suppression hides calls that can be among them. */
const costOf = ({ cost_usd: low, cost_usd_maximum: high }: ChangeRow['current']): string | null =>
  high === null ? null : rangeText(low ?? '0', high);

const cost = (title: string, side: 'current' | 'previous'): Column<ChangeRow> => ({
  title,
  value: (row) => costOf(row[side]),
  remark: (row) => unknownBeside(row[side].cost_usd, row[side].unpriced_invocations),
  isAmount: true,
});

const amounts: readonly Column<ChangeRow>[] = [
  cost('BEFORE USD', 'previous'),
  cost('COST USD', 'current'),
  {
    title: 'CHANGE USD',
    value: ({ change_range_usd: range }) => (range === null ? null : rangeText(range.low, range.high)),
    isAmount: true,
  },
  part('VOLUME', 'volume_usd'),
  part('MIX', 'mix_usd'),
  part('TOKENS', 'tokens_usd'),
  part('CACHE', 'cache_usd'),
  part('PRICE', 'price_usd'),
  part('UNDIVIDED', 'undivided_usd'),
];

const describeTotals = ({ totals, period, previous, as_of, stale }: ChangesReport): string[] => [
  `Change: ${shown(totals.change_usd)} USD, from ${period.from} to ${period.to}, compared with ${previous.period.from} to ${previous.period.to}`,
  ownersLine(totals.current.owner_states),
  ...(previous.complete
    ? []
    : [`No calls are known from before ${previous.period.from}, so the period before may not be complete.`]),
  ...(stale ? [`Calls may be missing: the totals are complete up to ${as_of}.`] : []),
];

export const changes: Command = {
  name: 'changes',
  summary: 'Explain the change of the cost since the period before, the largest changes first',
  options: {
    'group-by': {
      placeholder: 'FIELDS',
      help: 'Comma-separated, also a tag such as tag:env',
      values: COHORT_GROUPS,
    },
    ...rangeOptions,
    'previous-from': {
      placeholder: 'TIME',
      help: 'Compare with the period from here. Default: the one before',
    },
    'previous-to': { placeholder: 'TIME', help: 'End of that period, exclusive' },
    ...pageOptions,
  },
  run: async (call) => {
    const { terminal, option } = call;
    const groupBy = option('group-by');
    const query: object = {
      group_by: groupBy,
      from: option('from'),
      to: option('to'),
      previous_from: option('previous-from'),
      previous_to: option('previous-to'),
      ...pageQuery(call),
    };
    let report: ChangesReport | undefined;
    await printCollection<ChangeRow, ChangesReport>(
      call,
      getChangesReport(call.client(), query, { signal: terminal.signal }),
      (page) => {
        report = page;
        return [...groupColumns<ChangeRow>(groupBy === undefined ? [] : groupBy.split(',')), ...amounts];
      },
      'No calls in these periods.',
    );
    if (report !== undefined && isForPeople(call))
      for (const line of describeTotals(report)) note(terminal, line);
  },
};
