import { describe, expect, it } from 'vitest';
import { spokenInterval } from '../../console/src/charts/columns/spokenInterval.ts';
import { REST } from '../../console/src/charts/palette.ts';
import { timelineOf } from '../../console/src/charts/series.ts';
import { OWNER_STATES, stateShares } from '../../console/src/charts/states/stateShares.ts';
import { formatShareOf } from '../../console/src/format/amount.ts';
import { warningText } from '../../console/src/format/warnings.ts';
import {
  daysOfPeriod,
  forecastText,
  marksOf,
  spendLink,
  spentOf,
} from '../../console/src/pages/budgets/budgetSpend.ts';
import type { Budget, UsageRow } from '../../sdk/typescript/src/types.ts';
import { usageRow } from './usageRow.ts';

const DAY = '2026-11-16T00:00:00.000Z';
const FROM = Date.parse(DAY);
const PERIOD = { from: FROM, to: FROM + 86_400_000, interval: 'day' } as const;

const spokenOf = (rows: readonly UsageRow[], now = PERIOD.to): string => {
  const [interval] = timelineOf(
    rows,
    ['owner'],
    'cost',
    PERIOD,
    now,
    (names) => new Map(names.map((name) => [name, REST])),
  ).intervals;
  if (interval === undefined) throw new Error('the period has one day');
  return spokenInterval(interval, 'cost', 'day');
};

describe('what a screen reader says for a column', () => {
  it('is the amount and its range', () => {
    const row = usageRow({ interval_start: DAY, cost_usd: '3', cost_usd_low: '2', cost_usd_high: '4' });
    expect(spokenOf([row])).toBe('Mon 16 Nov 2026: $3.00, range $2.00 – $4.00');
  });

  it('says that the amount is unknown, and of how many calls', () => {
    const row = usageRow({ interval_start: DAY, cost_usd: null, unpriced_invocations: 4 });
    expect(spokenOf([row])).toBe('Mon 16 Nov 2026: unknown, 4 calls of unknown amount');
  });

  it('says that there are no calls', () => {
    expect(spokenOf([])).toBe('Mon 16 Nov 2026: no calls');
  });

  it('says that the day has not ended', () => {
    expect(spokenOf([], PERIOD.to - 1)).toBe('Mon 16 Nov 2026: no calls, so far');
  });
});

describe('the share of an unknown amount', () => {
  it('is unknown', () => {
    expect(formatShareOf(null, '5')).toBe('unknown');
    expect(formatShareOf('0', '5')).toBe('0\u202f%');
  });
});

describe('the spend of a state', () => {
  const totals = (invocations: number, cost_usd: string, unpriced_invocations = 0) => ({
    invocations,
    cost_usd,
    unpriced_invocations,
  });
  const readOf = (states: UsageRow['owner_states']) =>
    stateShares(states, OWNER_STATES).map(({ state, cost, shareText }) => [state, cost, shareText]);

  it('is exact if no state is hidden', () => {
    expect(readOf({ confirmed: totals(3, '3'), unassigned: totals(1, '1') })).toEqual([
      ['confirmed', '$3.00', '75\u202f%'],
      ['provisional', 'none', '0\u202f%'],
      ['allocated', 'none', '0\u202f%'],
      ['unassigned', '$1.00', '25\u202f%'],
      ['mixed', 'none', '0\u202f%'],
    ]);
  });

  it('is a range if the state of some calls is hidden, never none or 0', () => {
    expect(
      readOf({ confirmed: totals(84, '84'), mixed: totals(3, '3'), unassigned: totals(13, '13') }),
    ).toEqual([
      ['confirmed', '$84.00 – $87.00', '84–87\u202f%'],
      ['provisional', '$0.00 – $3.00', '0–3\u202f%'],
      ['allocated', '$0.00 – $3.00', '0–3\u202f%'],
      ['unassigned', '$13.00 – $16.00', '13–16\u202f%'],
      ['mixed', '$3.00', '3\u202f%'],
    ]);
    expect(readOf({ mixed: totals(60, '0.27') })[0]).toEqual(['confirmed', '$0.00 – $0.27', '0–100\u202f%']);
  });

  it('is unknown if none of its calls has a known price', () => {
    const [confirmed] = readOf({ confirmed: totals(2, '0', 2), unassigned: totals(1, '1') });
    expect(confirmed).toEqual(['confirmed', 'unknown', 'unknown']);
  });
});

describe('a budget', () => {
  const budget = (members: Partial<Budget>): Budget => ({
    id: 'bud_1',
    name: 'Risk',
    ceiling_usd: '10',
    period: 'month',
    scope: {},
    thresholds: [75, 100, 150],
    forecast_thresholds: [],
    residency: null,
    basis: 'records',
    created_at: DAY,
    updated_at: DAY,
    created_by: 'key_1',
    time_zone: 'UTC',
    current_period: { from: DAY, to: DAY },
    period_to_date_usd: '0',
    spent_by_owner_state: {},
    unpriced_invocations: 0,
    warnings: [],
    forecast_usd: '0',
    forecast_range_usd: null,
    forecast_unknown: null,
    crossed: [],
    as_of: DAY,
    stale: false,
    ...members,
  });

  it('has an unknown spend and forecast if no call has a known price', () => {
    const unpriced = budget({
      unpriced_invocations: 97,
      forecast_usd: null,
      forecast_unknown: 'unpriced_calls',
    });
    expect([spentOf(unpriced), forecastText(unpriced)]).toEqual([null, 'forecast unknown: no known prices']);
  });

  it('has spent nothing if there are no calls', () => {
    expect(spentOf(budget({}))).toBe('0');
  });

  it('marks its own thresholds, and its ceiling', () => {
    expect(marksOf(budget({ thresholds: [50, 80] }))).toEqual([1, 0.5, 0.8]);
  });

  it('has the days of its own time zone', () => {
    const november = { from: '2026-10-31T18:30:00.000Z', to: '2026-11-30T18:30:00.000Z' };
    expect(daysOfPeriod(november, 'Asia/Kolkata')).toBe('1 Nov 2026 – 30 Nov 2026');
  });

  it('opens Explore with every label of its scope', () => {
    const names = { owner: 'a', service: 'b', provider: 'c', served_model: 'd', region: 'e' };
    const [, search] = spendLink(budget({ scope: { ...names, tags: ['env:prod'] } })).split('?');
    expect(Object.fromEntries(new URLSearchParams(search))).toMatchObject(names);
  });

  it.each([
    [
      { pointer: '/scope/service', detail: 'No call.', suggestion: 'search' },
      'Service: No call. Did you mean search?',
    ],
    [{ pointer: '/scope/tags/0', detail: 'No call.' }, 'Tags: No call.'],
    [{ parameter: 'served_model[in]', detail: 'No call.' }, 'Model: No call.'],
  ])('says what of its scope or of a filter no call has: %j', (warning, text) => {
    expect(warningText(warning)).toBe(text);
  });
});
