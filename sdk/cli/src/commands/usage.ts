import { changeSince } from '../../../typescript/src/comparison.ts';
import {
  getUsageReport,
  type UsageReport,
  type UsageRow,
  type UsageTotals,
} from '../../../typescript/src/index.ts';
import type { Command } from '../command.ts';
import type { Column } from '../table.ts';
import { note } from '../terminal.ts';
import { shown } from '../text.ts';
import { integerOf, pageOptions, pageQuery, printCollection } from './lists.ts';

const GROUPS = ['owner', 'service', 'provider', 'served_model', 'pathway_category', 'day', 'hour'] as const;
type Group = (typeof GROUPS)[number];

const isGroup = (name: string): name is Group => GROUPS.some((group) => group === name);

/** The name of a group. A member that is absent was merged; one that is null is not attributed. */
const groupOf = (row: UsageRow, group: Group): string => {
  const value = row[group];
  if (value === undefined) return row.kind === 'other' ? '(other)' : '(suppressed)';
  return shown(value, '(not attributed)');
};

/** Calls with an unknown amount beside the sum: they are in no sum, and are not zero. */
const withUnknown = (amount: string | null, unknown: number): string =>
  unknown === 0 || amount === null ? shown(amount) : `${shown(amount)} + ${unknown} unknown`;

const amounts: readonly Column<UsageRow | UsageTotals>[] = [
  { title: 'CALLS', value: ({ invocations }) => shown(invocations), isAmount: true },
  {
    title: 'COST USD',
    value: ({ cost_usd, unpriced_invocations }) => withUnknown(cost_usd, unpriced_invocations),
    isAmount: true,
  },
  {
    title: 'ENERGY WH',
    value: ({ energy_wh, unknown_energy_invocations }) => withUnknown(energy_wh, unknown_energy_invocations),
    isAmount: true,
  },
  {
    title: 'CARBON G',
    value: ({ carbon_gco2e, unknown_carbon_invocations }) =>
      withUnknown(carbon_gco2e, unknown_carbon_invocations),
    isAmount: true,
  },
  { title: 'INPUT TOKENS', value: ({ input_tokens }) => shown(input_tokens), isAmount: true },
  { title: 'OUTPUT TOKENS', value: ({ output_tokens }) => shown(output_tokens), isAmount: true },
];

/** `+12.3 (+231 %)`, in USD. */
const changeOf = (
  report: UsageReport,
  { cost_usd }: Pick<UsageRow, 'cost_usd'>,
  past: Pick<UsageTotals, 'cost_usd'> | undefined,
): string => {
  const change = changeSince(report, cost_usd, past?.cost_usd);
  if (change === null) return '-';
  const signed = (text: string, isLess: boolean): string => (isLess ? text : `+${text}`);
  const amount = signed(shown(change.difference), change.difference.startsWith('-'));
  if (change.relative === null) return amount;
  const percent = Math.round(change.relative * 100);
  return `${amount} (${signed(String(percent), percent < 0)} %)`;
};

const describeComparison = (report: UsageReport): string[] => {
  const { previous, totals } = report;
  if (previous === undefined) return [];
  const { from, to } = previous.period;
  return previous.complete
    ? [`Change: ${changeOf(report, totals, previous.totals)} USD, compared with ${from} to ${to}`]
    : [`Not compared: no calls are known from before ${from}, so the period before is not complete.`];
};

const describeTotals = (report: UsageReport): string[] => {
  const { totals, period, as_of, stale } = report;
  return [
    `Total: ${totals.invocations} calls, ${withUnknown(totals.cost_usd, totals.unpriced_invocations)} USD, from ${period.from} to ${period.to}`,
    ...describeComparison(report),
    ...(totals.suppressed_groups > 0
      ? [`${totals.suppressed_groups} groups of fewer than five persons are merged into larger ones.`]
      : []),
    ...(stale ? [`Calls may be missing: the totals are complete up to ${as_of}.`] : []),
  ];
};

export const usage: Command = {
  name: 'usage',
  summary: 'Report calls, cost, energy, carbon and tokens',
  options: {
    'group-by': { placeholder: 'FIELDS', help: `Comma-separated: ${GROUPS.join(', ')}`, values: GROUPS },
    from: { placeholder: 'TIME', help: 'ISO date or time, inclusive. Default: 30 days before today' },
    to: { placeholder: 'TIME', help: 'Exclusive. Default: now' },
    interval: {
      placeholder: 'UNIT',
      help: 'One row for each hour, day or month',
      values: ['hour', 'day', 'month'],
    },
    top: { placeholder: 'N', help: 'Only the N groups with the highest cost, and one row for all others' },
    compare: { help: 'Add the change of the cost from the same part of the period before' },
    ...pageOptions,
  },
  run: async (call) => {
    const { terminal, option, flag } = call;
    const top = integerOf(call, 'top');
    const given = {
      group_by: option('group-by'),
      from: option('from'),
      to: option('to'),
      interval: option('interval'),
    };
    const isCompared = flag('compare');
    const query: object = {
      ...given,
      ...(isCompared && { compare: 'previous_period' }),
      ...(top !== undefined && { top }),
      ...pageQuery(call),
    };
    const groups = (given.group_by ?? '').split(',').filter(isGroup);
    const columns: readonly Column<UsageRow>[] = [
      ...(given.interval === undefined
        ? []
        : [{ title: 'FROM', value: ({ interval_start }: UsageRow) => shown(interval_start) }]),
      ...groups.map((group) => ({
        title: group.toUpperCase(),
        value: (row: UsageRow) => groupOf(row, group),
      })),
      ...amounts,
    ];
    let report: UsageReport | undefined;
    await printCollection<UsageRow, UsageReport>(
      call,
      getUsageReport(call.client(), query, { signal: terminal.signal }),
      (page) => {
        report = page;
        // A row has its own past without intervals only.
        if (!isCompared || given.interval !== undefined) return columns;
        const change = (row: UsageRow): string => changeOf(page, row, row.previous);
        return [...columns, { title: 'CHANGE USD', value: change, isAmount: true }];
      },
      'No calls in this period.',
    );
    if (report !== undefined && !flag('json'))
      for (const line of describeTotals(report)) note(terminal, line);
  },
};
