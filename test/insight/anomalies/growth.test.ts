import { describe, expect, it } from 'vitest';
import { growthQuality } from '../../../bench/quality/anomalyGrowth.ts';
import { detectDeviation } from '../../../functions/insight/anomalies/deviation.ts';
import { weeklyGrowth } from '../../../functions/insight/anomalies/growth.ts';
import { LENGTH } from '../../../functions/ledger/rollups/grain.ts';
import { decimal } from '../../../functions/platform/shared/decimal.ts';

const totals = (...values: number[]) => values.map((value) => decimal(String(value)));

describe('the weekly growth', () => {
  it('is the growth of most pairs of weeks, newest first', () => {
    expect(Math.exp(weeklyGrowth(totals(133.1, 121, 110, 100)))).toBeCloseTo(1.1, 9);
  });

  it('is not changed by one unusual week', () => {
    expect(Math.exp(weeklyGrowth(totals(146.41, 133.1, 900, 110, 100)))).toBeCloseTo(1.1, 1);
  });

  it('is at most 15 %, so that a drift is still reported', () => {
    expect(Math.exp(weeklyGrowth(totals(800, 400, 200, 100)))).toBeCloseTo(1.15, 9);
  });

  it.each([
    ['less than four weeks', totals(121, 110, 100)],
    ['an idle week', totals(121, 110, 0, 100)],
  ])('is none with %s', (_, weeks) => {
    expect(weeklyGrowth(weeks)).toBe(0);
  });
});

it('expects a steadily growing series at its current level', () => {
  const since = Date.UTC(2026, 0, 5);
  const day = since + 56 * LENGTH.day;
  const cost = (_: unknown, start: number) =>
    decimal((100 * 1.1 ** ((start - since) / (7 * LENGTH.day))).toFixed(6));
  const doubled = (grain: unknown, start: number) =>
    start === day ? cost(grain, start).times('2') : cost(grain, start);

  const found = detectDeviation({ cost: doubled, since, perCall: decimal('0.02') }, 'day', day, {
    minimum: decimal('5'),
  });

  // 100 · 1.1⁸
  expect(Number(found?.central.toFixed(2))).toBeCloseTo(214.36, 1);
});

// Takes about two seconds.
it('finds most doubled days in growing series, with few false alarms', () => {
  const { precision, recall } = growthQuality(1, 2);

  expect(precision).toBeGreaterThanOrEqual(0.93);
  expect(recall.get(2)).toBeGreaterThanOrEqual(0.65);
  expect(recall.get(3)).toBeGreaterThanOrEqual(0.9);
});
