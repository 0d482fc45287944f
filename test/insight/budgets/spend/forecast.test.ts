import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { periodOf } from '../../../../functions/insight/budgets/budgetPeriod.ts';
import { forecast } from '../../../../functions/insight/budgets/spend/forecast.ts';
import { spendOfRecords, spendWithin } from '../../../../functions/insight/budgets/spend/spend.ts';
import { LENGTH } from '../../../../functions/ledger/rollups/grain.ts';
import { decimal } from '../../../../functions/platform/shared/decimal.ts';
import { calendarIn } from '../../../../functions/platform/shared/time/calendar.ts';
import { aGroup } from '../rollupFixtures.ts';

const NOON = Date.parse('2026-05-20T12:00:00Z');
const TODAY = Date.parse('2026-05-20T00:00:00Z');
const MONTH = periodOf('month', NOON, calendarIn('UTC'));

const unknown = (reason: string) => ({
  forecast_usd: null,
  forecast_range_usd: null,
  forecast_unknown: reason,
});

/** Spend by day, from a function of the number of days ago. Null: no call on that day. `?`: a call without a known price. */
const spent = (usdAgo: (ago: number) => string | null, days: number) =>
  spendOfRecords(
    { scope: {}, residency: null },
    Array.from({ length: days + 1 }, (_, ago) => {
      const usd = usdAgo(ago);
      const groups = usd === null ? [] : [usd === '?' ? aGroup('0', { unpriced: 1 }) : aGroup(usd)];
      return { start: TODAY - ago * LENGTH.day, grain: 'day' as const, asOf: NOON, groups };
    }),
  );

describe('forecast', () => {
  it('projects each remaining day from the mean of the same weekday', () => {
    // 20 May 2026 is a Wednesday. Eleven days remain after it, four of them at weekends.
    const isWeekend = (ago: number) => [0, 6].includes(new Date(TODAY - ago * LENGTH.day).getUTCDay());
    const days = spent((ago) => (ago === 0 ? '5' : isWeekend(ago) ? '1' : '10'), 40);

    const spentSoFar = 5 + 13 * 10 + 6 * 1;
    expect(forecast(days, MONTH, NOON).forecast_usd).toBe(String(spentSoFar + 10 / 2 + 7 * 10 + 4 * 1));
  });

  it('is linear when fewer than 28 days are known', () => {
    expect(
      forecast(
        spent((ago) => (ago === 0 ? '0' : '6'), 4),
        MONTH,
        NOON,
      ).forecast_usd,
    ).toBe(String(24 + 3 + 11 * 6));
  });

  it('is linear when most days are idle', () => {
    const days = spent((ago) => (ago === 27 || ago === 28 || ago === 1 ? '28' : null), 28);

    expect(forecast(days, MONTH, NOON).forecast_usd).toBe(String(28 + 1.5 + 11 * 3));
  });

  it('uses the weekdays when exactly half of the days are idle, with each weekday at its own distance', () => {
    // Alternate days are idle, and all weeks cost 12: three days at 4, or four at 3.
    const days = spent((ago) => {
      if (ago === 0) return '0';
      return ago % 2 === 0 ? (Math.ceil(ago / 7) % 2 === 1 ? '4' : '3') : null;
    }, 28);
    const byWeekday = forecast(days, MONTH, NOON).forecast_usd;

    // Of four weeks, the newest counts eight times, the next four times, twice and once.
    const [inNewest, inNext] = [(4 * (8 + 2)) / 15, (3 * (4 + 1)) / 15];
    // The days 2 to 18 ago are in the month. Today's weekday is idle in the newest week, and so are six of the eleven days left.
    expect(Number(byWeekday)).toBeCloseTo(3 * 4 + 4 * 3 + 2 * 4 + inNext / 2 + 6 * inNext + 5 * inNewest, 6);
  });

  it('uses the weekdays when more than half of the days have calls', () => {
    // Calls on the weekday of today and on the three weekdays after it.
    const days = spent((ago) => (ago > 0 && [0, 4, 5, 6].includes(ago % 7) ? '7' : null), 28);
    const inMonth = [4, 5, 6, 7, 11, 12, 13, 14, 18, 19].length * 7;
    const remaining = [1, 2, 3, 7, 8, 9, 10].length * 7;

    expect(forecast(days, MONTH, NOON).forecast_usd).toBe(String(inMonth + 7 / 2 + remaining));
  });

  it('is known from exactly three whole days on', () => {
    expect(
      forecast(
        spent((ago) => (ago === 0 ? '0' : '6'), 3),
        MONTH,
        NOON,
      ).forecast_usd,
    ).toBe(String(18 + 3 + 11 * 6));
  });

  it('projects the growth of the last eight weeks', () => {
    // Each week costs a tenth more than the week before.
    const weekly = (ago: number) => (70 * 1.1 ** -Math.floor((ago - 1) / 7)).toFixed(9);
    const expected = forecast(
      spent((ago) => (ago === 0 ? '0' : weekly(ago)), 56),
      MONTH,
      NOON,
    );
    const inMonth = Array.from({ length: 19 }, (_, index) => Number(weekly(index + 1)));
    const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
    // 70 was the mean of the last week, whose middle was four days before today.
    const remaining = Array.from(
      { length: 12 },
      (_, ahead) => (ahead === 0 ? 35 : 70) * 1.1 ** ((ahead + 4) / 7),
    );

    expect(Number(expected.forecast_usd) / (sum(inMonth) + sum(remaining))).toBeCloseTo(1, 2);
  });

  it('has a range that is wider the more the weeks vary, and the less is known', () => {
    const width = (usdAgo: (ago: number) => string, days: number): number => {
      const expected = forecast(spent(usdAgo, days), MONTH, NOON);
      return Number(expected.forecast_range_usd?.high) - Number(expected.forecast_range_usd?.low);
    };
    const steady = width(() => '10', 56);
    const varying = width((ago) => (Math.floor((ago - 1) / 7) % 2 === 0 ? '8' : '12'), 56);

    expect(varying).toBeGreaterThan(2 * steady);
    expect(width(() => '10', 10)).toBeGreaterThan(2 * steady);
  });

  it.each([0, 1, 2])('is null when only %i whole days are known', (known) => {
    expect(
      forecast(
        spent(() => '6', known),
        MONTH,
        NOON,
      ),
    ).toEqual(unknown('too_few_days'));
  });

  it.each<[string, (ago: number) => string | null]>([
    ['no call of the days before', (ago) => (ago === 0 ? '5' : '?')],
    ['no call of the days before, and there is none today', (ago) => (ago === 0 ? null : '?')],
    ['no call of the period', (ago) => (ago < 20 ? '?' : '6')],
    ['no call of yesterday', (ago) => (ago === 1 ? '?' : '6')],
    ['no call of the last busy day', (ago) => (ago < 5 ? null : '?')],
  ])('is unknown, not zero, if %s has a known price', (_, usdAgo) => {
    expect(forecast(spent(usdAgo, 40), MONTH, NOON)).toEqual(unknown('unpriced_calls'));
  });

  it('uses the days after the last day without a known price, and a day with some known prices', () => {
    const days = spent((ago) => (ago === 0 ? '0' : ago > 4 ? '?' : '6'), 40);

    expect(forecast(days, MONTH, NOON).forecast_usd).toBe(String(24 + 3 + 11 * 6));
    const mixed = new Map([...days].map(([at, day]) => [at, { ...day, unpriced: day.unpriced + 1 }]));
    expect(forecast(mixed, MONTH, NOON).forecast_usd).toBe(String(24 + 3 + 11 * 6));
  });

  it('is null before the first call', () => {
    expect(forecast(new Map(), MONTH, NOON)).toEqual(unknown('too_few_days'));
  });

  it('is the spend of the period after its end', () => {
    expect(
      forecast(
        spent(() => '6', 30),
        periodOf('month', TODAY - 20 * LENGTH.day, calendarIn('UTC')),
        NOON,
      ).forecast_usd,
    ).toBe(String(11 * 6));
  });

  it('is a range of exact decimals, never below the spend, and equal to it at the end of the period', () => {
    const usd = fc
      .nat({ max: 10 ** 9 })
      .map((units) => decimal(String(units)).div(decimal('1000000000')).toFixed());
    fc.assert(
      fc.property(
        fc.array(fc.option(usd), { minLength: 1, maxLength: 60 }),
        fc.nat({ max: LENGTH.day - 1 }),
        (amounts, time) => {
          const days = spent((ago) => amounts[ago] ?? null, amounts.length - 1);
          const expected = forecast(days, MONTH, TODAY + time);
          const total = spendWithin(days, MONTH).spent;
          const { low, high } = expected.forecast_range_usd ?? { low: total, high: total };
          const ascending = [total, low, expected.forecast_usd ?? total, high];

          expect(ascending.every((one, index) => decimal(one).gte(ascending[index - 1] ?? '0'))).toBe(true);
          for (const one of ascending) expect(one).toMatch(/^\d+(\.\d{1,12})?$/);
          expect(forecast(days, MONTH, MONTH.to)).toEqual({
            forecast_usd: total,
            forecast_range_usd: { low: total, high: total },
            forecast_unknown: null,
          });
        },
      ),
    );
  });
});
