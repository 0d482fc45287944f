import fc from 'fast-check';
import { expect, it } from 'vitest';
import { median, percentile } from '../../../bench/support/statistics.ts';

it.each([
  [0.5, 5],
  [0.9, 9],
  [0.99, 10],
  [1, 10],
  [0, 1],
])('returns the %d percentile of ten values at rank %d', (share, value) => {
  expect(percentile([10, 1, 9, 2, 8, 3, 7, 4, 6, 5], share)).toBe(value);
});

it('returns NaN for the median of an empty list', () => {
  expect(median([])).toBeNaN();
});

it('returns an element with at least the given share of values at or below it', () => {
  const cases = fc.tuple(fc.array(fc.integer(), { minLength: 1 }), fc.integer({ min: 1, max: 100 }));

  fc.assert(
    fc.property(cases, ([values, percent]) => {
      const result = percentile(values, percent / 100);
      const below = values.filter((value) => value <= result).length;

      expect(values).toContain(result);
      expect(below).toBeGreaterThanOrEqual(Math.floor((values.length * percent) / 100));
    }),
  );
});
