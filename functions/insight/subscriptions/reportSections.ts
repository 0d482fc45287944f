import type { ChangePart, ChangeTotals } from '../../../schemas/insight/changes.ts';
import type { ForecastTotals } from '../../../schemas/insight/forecast.ts';
import type { Saving } from '../../../schemas/insight/savings.ts';
import type { ReportContent } from '../../delivery/notifications/text/reportContent.ts';
import { decimal, sumDecimals, toDecimalString } from '../../platform/shared/decimal.ts';
import { changeText, rangeText } from './figureText.ts';

type Section = ReportContent['sections'][number];
type Row = Section['rows'][number];

const HIDDEN = 'Hidden: fewer than 5 people';
const MOVERS_MAXIMUM = 5;
const SAVINGS_MAXIMUM = 3;

const PART_WORDS: Readonly<Record<ChangePart, string>> = {
  volume_usd: 'number of calls',
  mix_usd: 'other models',
  tokens_usd: 'tokens in a call',
  cache_usd: 'share of cached input',
  price_usd: 'price',
  undivided_usd: 'parts that are not known',
};

/** The name of a group of a report. Undefined: suppression hides it. */
const nameOf = (name: string | null | undefined): string =>
  name === undefined ? HIDDEN : (name ?? 'Nobody named');

/** The part of a change that is the largest in its direction. */
const mainPart = ({ change_usd: change, parts }: Pick<ChangeTotals, 'change_usd' | 'parts'>): string => {
  if (change === null || parts === null) return '';
  const sign = decimal(change).gt('0') ? decimal('1') : decimal('-1');
  const [largest] = Object.entries(PART_WORDS)
    .map(([part, words]) => ({
      words,
      size: decimal(Object.entries(parts).find(([name]) => name === part)?.[1] ?? '0').times(sign),
    }))
    .toSorted((one, other) => other.size.cmp(one.size));
  return largest === undefined || largest.size.lte('0') ? '' : `, mostly ${largest.words}`;
};

/**
 * Spend of calls that name nobody: unassigned, or divided among owners. Of calls whose owner is hidden, it can be none or all.
 */
const unownedText = ({ owner_states: { unassigned, allocated, mixed } }: ChangeTotals['current']): string => {
  const unowned = [unassigned, allocated].filter((state) => state !== undefined);
  const states = mixed === undefined ? unowned : [...unowned, mixed];
  const priced = states.filter((state) => state.unpriced_invocations < state.invocations);
  if (states.length === 0) return 'none';
  if (priced.length === 0) return 'unknown';
  const low = sumDecimals(unowned.map(({ cost_usd }) => cost_usd ?? '0'));
  const isUnpriced = states.some((state) => state.unpriced_invocations > 0);
  return isUnpriced
    ? `at least ${rangeText(low, low)}`
    : rangeText(low, toDecimalString(decimal(low).plus(mixed?.cost_usd ?? '0')));
};

/** Spend of a period beside the one before. `isWhole`: of all owners. */
export const spendSection = (
  { current, previous, change_usd: change, change_range_usd: range }: ChangeTotals,
  isComplete: boolean,
  isWhole: boolean,
): Section => {
  const rows: Row[] = [
    { name: 'Spend', value: rangeText(current.cost_usd, current.cost_usd_maximum) },
    {
      name: 'The period before',
      value: `${rangeText(previous.cost_usd, previous.cost_usd_maximum)}${isComplete ? '' : ', maybe without all calls'}`,
    },
  ];
  if (change !== null && range !== null) {
    const value =
      range.low === range.high ? changeText(change) : `${changeText(range.low)} to ${changeText(range.high)}`;
    rows.push({ name: 'Change', value });
  }
  rows.push({ name: 'Calls', value: rangeOfCounts(current.invocations, current.invocations_maximum) });
  if (current.unpriced_invocations > 0) {
    rows.push({ name: 'Calls of unknown cost, in no amount', value: String(current.unpriced_invocations) });
  }
  if (isWhole) rows.push({ name: 'Without an owner', value: unownedText(current) });
  return { title: 'Spend', rows };
};

const rangeOfCounts = (low: number, high: number): string =>
  low === high ? String(low) : `${low} to ${high}`;

/** The largest changes, in the order of the report of changes. */
export const moversSection = (
  rows: readonly (ChangeTotals & { readonly owner?: string | null; readonly service?: string | null })[],
  field: 'owner' | 'service',
): Section => ({
  title: `Largest changes by ${field}`,
  rows: rows
    .filter(({ change_usd: change }) => change === null || !decimal(change).eq('0'))
    .slice(0, MOVERS_MAXIMUM)
    .map((row) => ({
      name: nameOf(row[field]),
      value: row.change_usd === null ? 'unknown' : `${changeText(row.change_usd)}${mainPart(row)}`,
    })),
});

const UNKNOWN_FORECASTS = {
  unpriced_calls: 'unknown, because calls have no known price',
  too_few_days: 'unknown, because fewer than three whole days with calls are known',
} as const;

export const forecastSection = (totals: ForecastTotals, month: string): Section => {
  const { forecast_usd: expected, forecast_range_usd: range, forecast_unknown: reason } = totals;
  const known =
    expected === null || range === null
      ? 'unknown'
      : `${rangeText(expected, expected)} (${rangeText(range.low, range.high)} in nine of ten cases)`;
  return {
    title: `Forecast of ${month}`,
    rows: [
      { name: 'So far', value: rangeText(totals.spent_usd, totals.spent_usd_maximum) },
      { name: 'At its end', value: reason === null ? known : UNKNOWN_FORECASTS[reason] },
    ],
  };
};

const SAVING_WORDS: Readonly<Record<Saving['saving'], string>> = {
  prompt_caching: 'Cache what prompts have in common',
  batch: 'Send calls as batches',
  replacement_model: 'Use the model that the provider recommends',
  failed_calls: 'Reduce calls that fail and cost something',
  long_context: 'Shorten calls just above a higher price',
  idle_nodes: 'Release idle nodes',
};

/** The largest suggestions. They overlap, so there is no sum. */
export const savingsSection = (savings: readonly Saving[]): Section => ({
  title: 'Suggested savings in 30 days, each by itself',
  rows: savings
    .filter(({ high_usd }) => high_usd !== '0')
    .slice(0, SAVINGS_MAXIMUM)
    .map((one) => ({
      name: `${SAVING_WORDS[one.saving]}: ${one.pool ?? nameOf(one.service)}${one.served_model == null ? '' : `, ${one.served_model}`}`,
      value: rangeText(one.low_usd, one.high_usd),
    })),
});
