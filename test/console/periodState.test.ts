import { describe, expect, it } from 'vitest';
import { actionsIn, adjustmentOf, foldPeriods } from '../../console/src/pages/exports/periodState.ts';
import type { Period } from '../../sdk/typescript/src/types.ts';

const NOW = Date.parse('2026-11-26T12:00:00Z');
const MONTHS = ['2026-11', '2026-10', '2026-09', '2026-08'];

const sums = (cost: string) => ({ records: 1, cost_usd: cost, energy_wh: '0', carbon_gco2e: '0' });
const at = '2026-11-02T00:00:00Z';
const closed: Period['closed'] = { at, by: 'usr_1', as_of: at, sums: sums('1') };

const periodsWith = (closedMonths: readonly string[]): Period[] =>
  MONTHS.map((period) => ({
    period,
    state: closedMonths.includes(period) ? 'closed' : 'open',
    closed: closedMonths.includes(period) ? closed : null,
    adjustments: [],
  }));

describe('what can be done with billing periods', () => {
  it.each([
    ['the first close is that of any month that has ended', [], ['2026-10', '2026-09', '2026-08'], undefined],
    [
      'then only the next month can be closed, and the last one reopened',
      ['2026-08'],
      ['2026-09'],
      '2026-08',
    ],
    ['the current month cannot be closed', ['2026-10', '2026-09', '2026-08'], [], '2026-10'],
  ])('%s', (_, closedMonths, closable, reopenable) => {
    const actions = actionsIn(periodsWith(closedMonths), NOW);

    expect([...actions.closable]).toEqual(closable);
    expect(actions.reopenable).toBe(reopenable);
  });
});

describe('the billing periods that are shown without being asked for', () => {
  it.each([
    ['the running month and the last one, before the first close', [], ['2026-11', '2026-10']],
    [
      'also the month that can be closed, and the one that can be reopened',
      ['2026-08'],
      ['2026-11', '2026-10', '2026-09', '2026-08'],
    ],
    ['no closed month before the last one', ['2026-10', '2026-09', '2026-08'], ['2026-11', '2026-10']],
  ])('are %s', (_, closedMonths, expected) => {
    const periods = periodsWith(closedMonths);
    const { shown, folded } = foldPeriods(periods, actionsIn(periods, NOW));

    expect(shown.map(({ period }) => period)).toEqual(expected);
    expect(new Set([...shown, ...folded])).toEqual(new Set(periods));
  });

  it('are also those that have changed since their close', () => {
    const closedMonths = ['2026-10', '2026-09', '2026-08'];
    const periods = periodsWith(closedMonths).map(
      (one): Period => (one.period === '2026-08' ? { ...one, state: 'adjusted' } : one),
    );

    const { shown } = foldPeriods(periods, actionsIn(periods, NOW));

    expect(shown.map(({ period }) => period)).toEqual(['2026-11', '2026-10', '2026-08']);
  });
});

it('sums the adjustments of a month over the periods that book them', () => {
  const adjustments = ['0.1', '-0.3'].map((cost, index) => ({
    booked_in: MONTHS[index] ?? '',
    sums: sums(cost),
  }));

  expect(adjustmentOf({ adjustments })).toBe('-0.2');
});
