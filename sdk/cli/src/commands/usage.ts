import { changeSince, type HiddenAmounts } from '../../../shared/comparison.ts';
import { magnitude, quotient, sum } from '../../../shared/decimal.ts';
import {
  getUsageReport,
  type UsageReport,
  type UsageRow,
  type UsageTotals,
} from '../../../typescript/src/index.ts';
import type { Command } from '../command.ts';
import type { Column } from '../table.ts';
import { shown } from '../text.ts';
import { COHORT_GROUPS, ownersLine, unknownBeside } from './groups.ts';
import { integerOf, pageOptions } from './lists.ts';
import {
  comparedOptions,
  comparedQuery,
  groupedOptions,
  groupsOf,
  printReport,
  reportQuery,
} from './reports.ts';

const GROUPS = [...COHORT_GROUPS, 'day', 'hour'];
const TIMES: ReadonlySet<string> = new Set(['day', 'hour']);

const withUnknown = (amount: string | null, unknown: number): string =>
  unknown === 0 || amount === null ? shown(amount) : `${shown(amount)} + ${unknown} unknown`;

const amounts: readonly Column<UsageRow>[] = [
  { title: 'CALLS', value: ({ invocations }) => invocations, isAmount: true },
  {
    title: 'COST USD',
    value: ({ cost_usd }) => cost_usd,
    remark: ({ cost_usd, unpriced_invocations }) => unknownBeside(cost_usd, unpriced_invocations),
    isAmount: true,
  },
  {
    title: 'USD PER CALL',
    value: ({ cost_usd, invocations, unpriced_invocations }) =>
      quotient(cost_usd, invocations - unpriced_invocations),
    isAmount: true,
  },
  {
    title: 'ENERGY WH',
    value: ({ energy_wh }) => energy_wh,
    remark: ({ energy_wh, unknown_energy_invocations }) =>
      unknownBeside(energy_wh, unknown_energy_invocations),
    isAmount: true,
  },
  {
    title: 'CARBON G',
    value: ({ carbon_gco2e }) => carbon_gco2e,
    remark: ({ carbon_gco2e, unknown_carbon_invocations }) =>
      unknownBeside(carbon_gco2e, unknown_carbon_invocations),
    isAmount: true,
  },
  { title: 'INPUT TOKENS', value: ({ input_tokens }) => input_tokens, isAmount: true },
  { title: 'OUTPUT TOKENS', value: ({ output_tokens }) => output_tokens, isAmount: true },
];

/** How many characters of an ISO date name the interval. */
const DATE_LENGTHS: Readonly<Record<string, number>> = { day: 10, month: 7 };

/** A day or month as the tenant names it. Its start is an instant, in UTC often on the day before. */
const intervalName = (start: string, interval: string, timeZone: string): string => {
  const length = DATE_LENGTHS[interval];
  // Swedish dates are ISO dates.
  const date = () => new Date(start).toLocaleDateString('sv', { timeZone });
  return length === undefined ? start : date().slice(0, length);
};

/** The highest cost first. Rows of unknown cost are last, because their cost can be anything. */
const byCost = (rows: readonly UsageRow[]): readonly UsageRow[] =>
  rows.toSorted(
    (one, other) =>
      Number(one.cost_usd === null) - Number(other.cost_usd === null) ||
      magnitude(other.cost_usd) - magnitude(one.cost_usd),
  );

/** `+12.3 (+231 %)`, in USD. */
const changeOf = (
  report: UsageReport,
  { cost_usd }: Pick<UsageRow, 'cost_usd'>,
  past: Pick<UsageTotals, 'cost_usd'> | undefined,
  hidden?: HiddenAmounts,
): string => {
  const change = changeSince(report, cost_usd, past?.cost_usd, hidden);
  if (change === null) return '-';
  const signed = (text: string, isLess: boolean): string => (isLess ? text : `+${text}`);
  const amount = signed(shown(change.difference), change.difference.startsWith('-'));
  if (change.relative === null) return amount;
  const percent = Math.round(change.relative * 100);
  return `${amount} (${signed(String(percent), percent < 0)} %)`;
};

const startColumn = (interval: string, timeZone: string): Column<UsageRow> => ({
  title: 'FROM',
  value: ({ interval_start = '' }) => intervalName(interval_start, interval, timeZone),
});

const changeColumn = (page: UsageReport): Column<UsageRow> => {
  const folded = page.data.filter(({ kind }) => kind === 'folded');
  const hidden = {
    now: sum(folded.map(({ cost_usd }) => cost_usd)),
    before: sum(folded.map(({ previous }) => previous?.cost_usd)),
  };
  return {
    title: 'CHANGE USD',
    value: (row) =>
      changeOf(page, row, row.previous, row.kind === 'folded' || folded.length === 0 ? undefined : hidden),
    isAmount: true,
  };
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
    ownersLine(totals.owner_states),
    ...describeComparison(report),
    ...(totals.suppressed_groups > 0
      ? [
          `Groups of fewer than five persons are merged into larger ones: ${totals.suppressed_groups}, each counted once a day.`,
        ]
      : []),
    ...(stale ? [`Calls may be missing: the totals are complete up to ${as_of}.`] : []),
  ];
};

export const usage: Command = {
  name: 'usage',
  summary: 'Report calls, cost, energy, carbon and tokens',
  options: {
    ...groupedOptions(GROUPS),
    interval: {
      placeholder: 'UNIT',
      help: 'One row for each hour, day or month',
      values: ['hour', 'day', 'month'],
    },
    top: { placeholder: 'N', help: 'Only the N groups with the highest cost, and one row for all others' },
    compare: { help: 'Add the change of the cost from the same part of the period before' },
    ...comparedOptions,
    ...pageOptions,
  },
  run: (call) => {
    const interval = call.option('interval');
    const top = integerOf(call, 'top');
    const isCompared = call.flag('compare') || call.option('previous-from') !== undefined;
    const query: object = {
      ...reportQuery(call),
      interval,
      ...(isCompared && { compare: 'previous_period', ...comparedQuery(call) }),
      ...(top !== undefined && { top }),
    };
    const isOverTime = interval !== undefined || groupsOf(call).some((group) => TIMES.has(group));
    return printReport<UsageRow, UsageReport>(
      call,
      getUsageReport(call.client(), query, { signal: call.terminal.signal }),
      {
        start: ({ time_zone }) => (interval === undefined ? [] : [startColumn(interval, time_zone)]),
        // A row has its own past without intervals only.
        columns: (page) =>
          isCompared && interval === undefined ? [...amounts, changeColumn(page)] : amounts,
        empty: 'No calls in this period.',
        notes: describeTotals,
        inOrder: isOverTime ? undefined : byCost,
      },
    );
  },
};
