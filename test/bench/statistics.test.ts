import fc from 'fast-check';
import { expect, it } from 'vitest';
import { median, percentile } from '../../bench/statistics.ts';

it.each([
  [0.5, 5],
  [0.9, 9],
  [0.99, 10],
  [1, 10],
  [0, 1],
])('finds the %d quantile of ten values at rank %d', (share, value) => {
  expect(percentile([10, 1, 9, 2, 8, 3, 7, 4, 6, 5], share)).toBe(value);
});

it('has no quantile of nothing', () => {
  expect(median([])).toBeNaN();
});

it('returns one of the values, with at least that share of them at or below it', () => {
  const cases = fc.tuple(fc.array(fc.integer(), { minLength: 1 }), fc.integer({ min: 1, max: 100 }));

  fc.assert(
    fc.property(cases, ([values, percent]) => {
      const found = percentile(values, percent / 100);
      const below = values.filter((value) => value <= found).length;

      expect(values).toContain(found);
      expect(below).toBeGreaterThanOrEqual(Math.floor((values.length * percent) / 100));
    }),
  );
});
