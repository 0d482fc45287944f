import { expect, it } from 'vitest';
import { clopperPearsonLower } from '../../../../../functions/attribution/training/prediction/calibration/clopperPearson.ts';

/** Closed forms: all successes give (α/2)^(1/n). The rest is from tables of the exact binomial interval. */
it.each([
  [10, 10, 0.6915],
  [100, 100, 0.9638],
  [5, 10, 0.1871],
  [90, 100, 0.8238],
  [95, 100, 0.8872],
  [1, 20, 0.0013],
  [475, 500, 0.9271],
])('returns the lower bound for %i of %i: %f', (successes, trials, bound) => {
  expect(clopperPearsonLower(successes, trials)).toBeCloseTo(bound, 4);
});

it('returns 0 without trials or successes', () => {
  expect(clopperPearsonLower(0, 0)).toBe(0);
  expect(clopperPearsonLower(0, 50)).toBe(0);
});

it('accepts fractional numbers', () => {
  const bound = clopperPearsonLower(47.5, 50);

  expect(bound).toBeGreaterThan(clopperPearsonLower(47, 50));
  expect(bound).toBeLessThan(clopperPearsonLower(48, 50));
});

it('approaches the share with more trials', () => {
  expect(clopperPearsonLower(95_000, 100_000)).toBeCloseTo(0.9486, 3);
});
