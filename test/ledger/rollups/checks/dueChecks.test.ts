import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DAYS_CHECK_MS, dueDays, dueHours } from '../../../../functions/ledger/rollups/checks/dueChecks.ts';
import { LENGTH, startOf } from '../../../../functions/ledger/rollups/grain.ts';

const NOON = Date.parse('2026-05-14T12:05:00Z');

it('checks the hour that is two hours old', () => {
  expect(dueHours({ since: NOON - LENGTH.hour, now: NOON })).toEqual({
    from: Date.parse('2026-05-14T10:00:00Z'),
    to: Date.parse('2026-05-14T11:00:00Z'),
  });
});

it('checks each hour once, whichever hourly runs were missed', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 2, maxLength: 20 }), (pauses) => {
      const checked: number[] = [];
      let since = NOON;
      for (const hours of pauses) {
        const now = since + hours * LENGTH.hour;
        const { from, to } = dueHours({ since, now });
        for (let hour = from; hour < to; hour += LENGTH.hour) checked.push(hour);
        since = now;
      }
      const first = startOf('hour', NOON) - LENGTH.hour;
      const total = (startOf('hour', since) - startOf('hour', NOON)) / LENGTH.hour;
      expect(checked).toEqual(Array.from({ length: total }, (_, index) => first + index * LENGTH.hour));
    }),
    { numRuns: 30 },
  );
});

it('checks each day after one, eight and thirty days, and later where runs were missed', () => {
  const day = startOf('day', NOON);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 40, maxLength: 40 }), (pauses) => {
      const ages: number[] = [];
      let since = day + DAYS_CHECK_MS;
      for (const days of pauses) {
        const now = since + days * LENGTH.day;
        if (dueDays({ since, now }).some(({ from }) => from === day)) ages.push((now - since) / LENGTH.day);
        since = now;
      }
      // Ages that fall into one pause are checked once.
      expect(ages.length).toBeGreaterThanOrEqual(2);
      expect(ages.length).toBeLessThanOrEqual(3);
    }),
    { numRuns: 30 },
  );
  const daily = Array.from({ length: 40 }, (_, index) => day + index * LENGTH.day + DAYS_CHECK_MS);
  const ages = daily.flatMap((now, index) =>
    dueDays({ since: now - LENGTH.day, now }).some(({ from }) => from === day) ? [index] : [],
  );
  expect(ages).toEqual([1, 8, 30]);
});
