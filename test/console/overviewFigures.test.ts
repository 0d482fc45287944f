import { describe, expect, it } from 'vitest';
import { mainPart, signedRange } from '../../console/src/pages/explore/change/changeText.ts';
import { budgetOfMonth } from '../../console/src/pages/overview/forecastFigure.ts';
import { largestNamed } from '../../console/src/pages/overview/largestNamed.ts';
import { unownedShare } from '../../console/src/pages/overview/unowned.ts';
import type { Budget, UsageTotals } from '../../sdk/typescript/src/types.ts';
import { usageRow } from './usageRow.ts';

const state = (cost: string, unpriced = 0): UsageTotals['owner_states'][string] => ({
  ...usageRow({}),
  invocations: 10,
  cost_usd: cost,
  unpriced_invocations: unpriced,
});

describe('the spend without an owner', () => {
  it.each([
    [
      'unassigned and allocated calls',
      { confirmed: state('8'), unassigned: state('1'), allocated: state('1') },
      '$2.00',
      '20',
    ],
    [
      'hidden calls as a range',
      { confirmed: state('8'), allocated: state('1'), mixed: state('1') },
      '$1.00 – $2.00',
      '10–20',
    ],
    ['hidden calls only, as a range', { confirmed: state('9'), mixed: state('1') }, '$0.00 – $1.00', '0–10'],
    ['no call', { confirmed: state('9') }, 'none', '0'],
    [
      'calls without a known price as unknown',
      { confirmed: state('9'), unassigned: state('0', 10) },
      'unknown',
      'unknown',
    ],
  ])('counts %s', (_, states, cost, share) => {
    const shown = unownedShare(states);
    expect(shown?.cost).toBe(cost);
    expect(shown?.shareText).toBe(share === 'unknown' ? share : `${share}\u202f%`);
  });
});

describe('the budget that a forecast is compared with', () => {
  const budget = (members: Partial<Budget>): Budget => ({
    id: 'bud_1',
    name: 'All',
    ceiling_usd: '100',
    period: 'month',
    scope: {},
    thresholds: [75, 100],
    forecast_thresholds: [],
    basis: 'records',
    residency: null,
    created_at: '2026-11-01T00:00:00Z',
    updated_at: '2026-11-01T00:00:00Z',
    created_by: 'usr_1',
    time_zone: 'UTC',
    stale: false,
    current_period: { from: '2026-11-01T00:00:00Z', to: '2026-12-01T00:00:00Z' },
    period_to_date_usd: '10',
    spent_by_owner_state: null,
    unpriced_invocations: 0,
    forecast_usd: '20',
    forecast_range_usd: { low: '15', high: '30' },
    forecast_unknown: null,
    crossed: [],
    as_of: '2026-11-20T00:00:00Z',
    warnings: [],
    ...members,
  });

  it('is the most urgent one of the month for all calls', () => {
    const budgets = [
      budget({}),
      budget({ forecast_usd: '120' }),
      budget({ period: 'quarter', forecast_usd: '900' }),
      budget({ scope: { owner: 'ads' }, forecast_usd: '900' }),
    ];
    expect(budgetOfMonth(budgets)).toEqual({ tone: 'warn', text: 'Budget $100.00: heading for 120\u202f%' });
  });

  it('is missing without a budget of the month for all calls', () => {
    expect(
      budgetOfMonth([budget({ period: 'quarter' }), budget({ scope: { tags: ['env:prod'] } })]),
    ).toBeNull();
  });
});

describe('the text of a change', () => {
  const parts = {
    volume_usd: '3',
    mix_usd: '-5',
    tokens_usd: '1',
    cache_usd: '0',
    price_usd: '0',
    undivided_usd: '0',
  };

  it('names the part that is the largest in its direction', () => {
    expect(mainPart({ parts, change_usd: '-1' })).toBe('Models and providers: −$5.00');
    expect(mainPart({ parts, change_usd: '2' })).toBe('Number of calls: +$3.00');
    expect(mainPart({ parts: null, change_usd: null })).toBeNull();
  });

  it('is a range if privacy hides calls, and unknown without known ends', () => {
    expect(signedRange({ change_range_usd: { low: '-1', high: '2' } })).toBe('−$1.00 to +$2.00');
    expect(signedRange({ change_range_usd: { low: '2', high: '2' } })).toBe('+$2.00');
    expect(signedRange({ change_range_usd: { low: '-9.6101', high: '-9.61' } })).toBe('−$9.61');
    expect(signedRange({ change_range_usd: null })).toBeNull();
  });
});

describe('the largest owner', () => {
  it.each([
    ['the first owner that is named', ['named', 'named'], 0],
    ['no hidden group, nobody, and not the sum of the others', ['folded', 'nobody', 'other', 'named'], 3],
  ] as const)('is %s', (_, kinds, expected) => {
    const owners = kinds.map((kind) => ({ kind }));

    expect(largestNamed(owners)).toBe(owners[expected]);
  });

  it('is nobody where no owner is named', () => {
    expect(largestNamed([{ kind: 'nobody' }, { kind: 'folded' }])).toBeUndefined();
  });
});
