import { describe, expect, it } from 'vitest';
import { bandShares } from '../../console/src/charts/bands.ts';
import { REST } from '../../console/src/charts/palette.ts';
import { timelineOf } from '../../console/src/charts/series.ts';
import { spokenInterval } from '../../console/src/charts/spokenInterval.ts';
import { costOfPart } from '../../console/src/charts/usage.ts';
import { formatShareOf } from '../../console/src/format/amount.ts';
import { forecastOf, spentOf } from '../../console/src/pages/budgets/budgetSpend.ts';
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

describe('the cost of a part of the calls of a report', () => {
  it('is unknown if all of the calls can be unpriced', () => {
    expect(costOfPart({ invocations: 4, cost_usd: '0' }, { unpriced_invocations: 4 })).toBeNull();
  });

  it('is zero if more calls cost nothing than are unpriced', () => {
    expect(costOfPart({ invocations: 5, cost_usd: '0' }, { unpriced_invocations: 4 })).toBe('0');
  });

  it('is unknown for a confidence band without a known price', () => {
    const [ready] = bandShares(
      usageRow({
        unpriced_invocations: 2,
        confidence_bands: { chargeback_ready: { invocations: 2, cost_usd: '0' } },
      }),
    );
    expect(ready).toMatchObject({ band: 'chargeback_ready', cost: null });
  });
});

describe('a budget', () => {
  const budget = (members: Partial<Budget>): Budget => ({
    id: 'bud_1',
    name: 'Risk',
    ceiling_usd: '10',
    period: 'month',
    scope: {},
    residency: null,
    basis: 'records',
    created_at: DAY,
    updated_at: DAY,
    created_by: 'key_1',
    current_period: { from: DAY, to: DAY },
    period_to_date_usd: '0',
    unpriced_invocations: 0,
    forecast_usd: '0',
    crossed: [],
    as_of: DAY,
    stale: false,
    ...members,
  });

  it('has an unknown spend and forecast if no call has a known price', () => {
    const unpriced = budget({ unpriced_invocations: 97 });
    expect([spentOf(unpriced), forecastOf(unpriced)]).toEqual([null, null]);
  });

  it('has spent nothing if there are no calls', () => {
    expect(spentOf(budget({}))).toBe('0');
  });
});
