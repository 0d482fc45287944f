import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { periodsUntil } from '../../../functions/insight/budgets/budgetPeriod.ts';
import { readSpend } from '../../../functions/insight/budgets/spend/readSpend.ts';
import { spendWithin } from '../../../functions/insight/budgets/spend/spend.ts';
import { addDecimals } from '../../../functions/platform/shared/decimal.ts';
import { calendarIn } from '../../../functions/platform/shared/time/calendar.ts';
import { DAY_MS, MINUTE_MS } from '../../../schemas/durations.ts';
import { BudgetBasis, BudgetPeriod } from '../../../schemas/insight/budgets.ts';
import { rollupReaderOf } from '../reports/calls.ts';

const NOW = Date.parse('2026-11-15T12:00:00Z');
const scenario = fc.record({
  timeZone: fc.constantFrom(
    'UTC',
    'Asia/Kathmandu',
    'America/Havana',
    'Australia/Lord_Howe',
    'Pacific/Chatham',
  ),
  kind: fc.constantFrom(...BudgetPeriod.options),
  basis: fc.constantFrom(...BudgetBasis.options),
  /** Minutes before now. */
  ages: fc.array(fc.integer({ min: 0, max: (200 * DAY_MS) / MINUTE_MS }), { maxLength: 40, size: 'max' }),
});

// About a second.
it('counts exactly the calls of each period of a time zone', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async ({ timeZone, kind, basis, ages }) => {
      const calls = ages.map((age, index) => ({
        at: NOW - age * MINUTE_MS,
        cost: `${index}.${String(index + 1).padStart(12, '0')}`,
      }));
      const periods = periodsUntil(kind, NOW, 3, calendarIn(timeZone));
      const budget = { scope: {}, residency: null, basis };

      const { spendOf } = await readSpend(rollupReaderOf(calls), 'acme', [budget], periods);

      for (const period of periods) {
        const own = calls.filter(({ at }) => period.from <= at && at < period.to);
        expect(spendWithin(spendOf(budget), period).spent).toBe(
          own.reduce((total, { cost }) => addDecimals(total, cost), '0'),
        );
      }
    }),
    { numRuns: 60 },
  );
});
