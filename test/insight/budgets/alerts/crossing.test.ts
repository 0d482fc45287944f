import { describe, expect, it } from 'vitest';
import {
  findReachedThresholds,
  isCrossingInEffect,
  isRearmed,
  periodKey,
} from '../../../../functions/insight/budgets/alerts/crossing.ts';
import { crossedEvent } from '../../../../functions/insight/budgets/alerts/crossingEvents.ts';
import { calendarIn } from '../../../../functions/platform/shared/time/calendar.ts';
import { DEFAULT_THRESHOLDS } from '../../../../schemas/insight/budgets.ts';
import { aTenant } from '../../../attribution/engine/events.ts';

const DAY = 24 * 60 * 60 * 1_000;
const AT = '2026-05-20T12:00:00.000Z';
const now = Date.parse(AT);
const period = { from: Date.parse('2026-05-01'), to: Date.parse('2026-06-01') };
const crossing = { budget_id: 'bud_1', threshold: 75, rearm_count: 0, crossed_at: AT } as const;

describe('the key of a budget period', () => {
  it('is the kind and the first day, and the kind alone for a rolling period', () => {
    expect([
      periodKey('month', period, calendarIn('UTC')),
      periodKey('quarter', period, calendarIn('UTC')),
      periodKey('rolling_30d', period, calendarIn('UTC')),
    ]).toEqual(['month#2026-05-01', 'quarter#2026-05-01', 'rolling_30d']);
  });
});

describe('a crossing', () => {
  it('holds for 30 days in a rolling period, and always in a calendar period', () => {
    const holds = (kind: 'month' | 'rolling_30d', days: number, more = 0) =>
      isCrossingInEffect(kind, crossing, now + days * DAY + more);

    expect([holds('rolling_30d', 0), holds('rolling_30d', 30, -1), holds('rolling_30d', 30)]).toEqual([
      true,
      true,
      false,
    ]);
    expect(holds('month', 365)).toBe(true);
    expect(isCrossingInEffect('month', { ...crossing, rearmed_at: AT }, now)).toBe(false);
  });
});

describe('the reached thresholds', () => {
  it.each([
    ['74.999999999999', []],
    ['75', [75]],
    ['99.99', [75]],
    ['100', [75, 100]],
    ['149.99', [75, 100]],
    ['150', [75, 100, 150]],
  ])('of 100 USD are exact for %s USD', (spent, reached) => {
    expect(findReachedThresholds({ ceiling_usd: '100', thresholds: DEFAULT_THRESHOLDS }, spent)).toEqual(
      reached,
    );
  });
});

describe('a crossing is rearmed', () => {
  const before = '2026-05-19T00:00:00.000Z';
  const later = '2026-05-21T00:00:00.000Z';
  it.each<[string, string | undefined, string, string, boolean]>([
    ['not while its spend reaches the threshold', undefined, '75', '75', false],
    ['not by a correction of 5 percent of the ceiling', undefined, '70', '70', false],
    ['by a larger correction', undefined, '69.99', '69.99', true],
    ['not when days leave a rolling period', undefined, '10', '80', false],
    ['by terms that changed later, under which the spend is below', later, '74.99', '80', true],
    ['not by terms that changed later, under which the spend still reaches it', later, '75', '80', false],
    ['not by terms that changed before', before, '74.99', '74.99', false],
  ])('%s', (_, terms_changed_at, spent, ofCrossing, expected) => {
    const budget = { ceiling_usd: '100', terms_changed_at };

    expect(isRearmed(budget, crossing, { now: spent, ofCrossing })).toBe(expected);
  });
});

describe('the event of a crossing', () => {
  const spend = { spent: '80.000000000001', byState: {}, priced: 1, unpriced: 0, asOf: now - 60_000 };
  const budget = {
    name: 'Search',
    ceiling_usd: '100',
    period: 'month' as const,
    basis: 'records' as const,
    residency: 'eu',
  };
  const forecast = {
    forecast_usd: '120.5',
    forecast_range_usd: { low: '110', high: '131' },
    forecast_unknown: null,
  };
  const raise = (
    change: Partial<{ rearm_count: number; crossed_at: string; threshold: 75 | 100 }> = {},
    kind: 'month' | 'rolling_30d' = 'month',
    asOf: number | null = spend.asOf,
  ) =>
    crossedEvent(
      aTenant(),
      { ...budget, period: kind },
      { ...crossing, ...change },
      { period, spend: { ...spend, asOf }, forecast },
    );

  it('has the amounts as numbers and exactly, with the period and the age of the figures', () => {
    expect(raise()).toMatchObject({
      type: 'budget.threshold.crossed',
      data: {
        budget_id: 'bud_1',
        name: 'Search',
        residency: 'eu',
        threshold: 75,
        period_to_date_usd: 80.000000000001,
        ceiling_usd: 100,
        exact: { period_to_date_usd: '80.000000000001', ceiling_usd: '100', forecast_usd: '120.5' },
        as_of: '2026-05-20T11:59:00.000Z',
      },
    });
    expect(raise({}, 'month', null).data['as_of']).toBe(AT);
  });

  it('has the same id for the same crossing, and another for each other crossing', () => {
    const later = { crossed_at: '2026-05-20T12:00:00.001Z' };
    const suffixOf = ({ id }: { readonly id: string }) => id.slice(-16);

    expect(raise().id).toBe(raise().id);
    // Two evaluations of a calendar period find one crossing. A rolling period has a crossing every 30 days.
    expect(suffixOf(raise(later))).toBe(suffixOf(raise()));
    expect(suffixOf(raise(later, 'rolling_30d'))).not.toBe(suffixOf(raise({}, 'rolling_30d')));
    const others = [raise(), raise({ threshold: 100 }), raise({ rearm_count: 1 }), raise({}, 'rolling_30d')];
    expect(new Set(others.map(suffixOf)).size).toBe(4);
  });
});
