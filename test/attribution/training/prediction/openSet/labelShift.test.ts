import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addAssignedCalls,
  applyShift,
  estimateLabelledShares,
  estimateLabelShares,
  shiftRatiosOf,
} from '../../../../../functions/attribution/training/prediction/openSet/labelShift.ts';
import type { LabelLikelihoods } from '../../../../../functions/attribution/training/prediction/posterior.ts';
import { numbers } from '../syntheticTraffic.ts';

const sum = (values: Float64Array): number => values.reduce((total, value) => total + value, 0);
const positive = fc.double({ min: 0.001, max: 1, noNaN: true });

const anyTraffic = fc.array(
  fc.record({
    weight: fc.double({ min: 0.1, max: 2, noNaN: true }),
    evidence: fc
      .tuple(positive, positive, positive)
      .map((likelihoods): LabelLikelihoods => ({ labels: [0, 1, 2], likelihoods })),
  }),
);

describe('estimateLabelShares', () => {
  it('returns shares that sum to one for any traffic', () => {
    fc.assert(
      fc.property(anyTraffic, (traffic) => {
        expect(sum(estimateLabelShares(traffic, Float64Array.of(0.5, 0.3, 0.2)))).toBeCloseTo(1, 9);
      }),
    );
  });

  it('returns the expected shares without unlabelled traffic', () => {
    expect([...estimateLabelShares([], Float64Array.of(0.5, 0.3, 0.2))]).toEqual([0.5, 0.3, 0.2]);
  });

  it('recovers a shift of the shares', () => {
    const draw = numbers(7);
    const traffic = Array.from({ length: 5_000 }, () => {
      const truth = draw() < 0.8 ? 0 : 1;
      // Features name the right label nine times in ten.
      const seen = draw() < 0.9 ? truth : 1 - truth;
      return { weight: 1, evidence: { labels: [0, 1], likelihoods: seen === 0 ? [0.9, 0.1] : [0.1, 0.9] } };
    });

    const [first] = estimateLabelShares(traffic, Float64Array.of(0.2, 0.8));

    expect(first).toBeGreaterThan(0.77);
    expect(first).toBeLessThan(0.83);
  });

  it('counts a call by its weight', () => {
    const call = (label: number, weight: number) => ({
      weight,
      evidence: { labels: [label], likelihoods: [1] },
    });
    const traffic = [
      ...Array.from({ length: 300 }, () => call(0, 1)),
      ...Array.from({ length: 300 }, () => call(1, 0.1)),
    ];

    const [first = 0, second = 1] = estimateLabelShares(traffic, Float64Array.of(0.5, 0.5));

    expect(first / second).toBeCloseTo(325 / 55, 6);
  });
});

describe('shiftRatiosOf', () => {
  it('returns ratios within the bounds', () => {
    const [most = 0, least = 1] = shiftRatiosOf(Float64Array.of(90_000, 10), Float64Array.of(10, 90_000));

    expect(most).toBeLessThanOrEqual(40);
    expect(least).toBeGreaterThanOrEqual(0.03);
  });

  it('returns ratios that turn labelled shares into those of the traffic', () => {
    const labelled = Float64Array.of(5_000, 5_000);

    const [first] = applyShift(labelled, shiftRatiosOf(Float64Array.of(8_000, 2_000), labelled));

    expect(first).toBeCloseTo(0.8, 2);
  });

  it('stays close to the average for a label with few calls', () => {
    const [, rare = 0] = shiftRatiosOf(Float64Array.of(10_000, 8), Float64Array.of(10_000, 1));

    expect(rare).toBeCloseTo(18 / 11, 2);
  });
});

describe('addAssignedCalls', () => {
  it('adds each call to the labels that it may have, by their probability', () => {
    const calls = Float64Array.of(1, 1);

    addAssignedCalls(
      calls,
      [{ weight: 10, evidence: { labels: [0, 1], likelihoods: [1, 1] } }],
      Float64Array.of(0.7, 0.3),
    );

    expect([...calls].map((value) => Math.round(value * 1_000) / 1_000)).toEqual([8, 4]);
  });
});

it('estimateLabelledShares uses the all-time shares when there is little recent traffic', () => {
  const [first = 0, second = 0] = estimateLabelledShares(Float64Array.of(0, 0), Float64Array.of(899.5, 99.5));

  expect(first).toBeCloseTo(0.9, 10);
  expect(second).toBeCloseTo(0.1, 10);
});
