import { describe, expect, it } from 'vitest';
import {
  binsOf,
  calibrationError,
  capConfidence,
  chanceError,
  computeMetrics,
  overConfidence,
} from '../../../../../functions/attribution/training/prediction/calibration/metrics.ts';
import type { PredictionOutcome } from '../../../../../functions/attribution/training/prediction/calibration/predictionOutcome.ts';

const outcome = (score: number, right: boolean, weight = 1): PredictionOutcome => ({
  score,
  isRight: right,
  weight,
});

/** Two bins: four calls at .9, three right; four at .3, one right. */
const known = [
  ...[true, true, true, false].map((right) => outcome(0.9, right)),
  ...[true, false, false, false].map((right) => outcome(0.3, right)),
];

describe('computeMetrics against values computed by hand', () => {
  const figures = computeMetrics(known);

  it('returns the accuracy and the precision of confident predictions', () => {
    expect(figures).toEqual({ accuracy: 0.5, precision: 0.75 });
  });

  it('returns calibration error and over-confidence', () => {
    expect(calibrationError(binsOf(known))).toBeCloseTo((0.15 + 0.05) / 2, 10);
    expect(overConfidence(binsOf(known))).toBeCloseTo(0.1, 10);
  });
});

it('precision is null without a confident prediction', () => {
  expect(computeMetrics([outcome(0.79, true)]).precision).toBeNull();
});

it('a confidence equal to the floor counts as confident', () => {
  expect(computeMetrics([outcome(0.8, true)]).precision).toBe(1);
});

it('the ceiling causes no over-confidence', () => {
  const bins = binsOf(Array.from({ length: 20 }, () => capConfidence(outcome(1, true))));

  expect(calibrationError(bins)).toBeCloseTo(0.05, 10);
  expect(overConfidence(bins)).toBe(0);
});

it('metrics use the weights of the calls', () => {
  const outcomes = [outcome(0.9, true, 3), outcome(0.9, false, 1)];

  expect(computeMetrics(outcomes).accuracy).toBe(0.75);
  expect(calibrationError(binsOf(outcomes))).toBeCloseTo(0.15, 10);
});

it('a confidence of 1 is in the last bin', () => {
  expect(binsOf([outcome(1, true)]).at(-1)?.weight).toBe(1);
});

describe('chanceError', () => {
  it('is the expected error of an exact confidence', () => {
    const bins = binsOf(Array.from({ length: 100 }, (_, at) => outcome(0.5, at % 2 === 0)));

    expect(calibrationError(bins)).toBe(0);
    expect(chanceError(bins)).toBeCloseTo(Math.sqrt((2 * 0.0025) / Math.PI), 10);
  });

  it('approaches 0 with many calls', () => {
    const bins = binsOf(Array.from({ length: 40_000 }, () => outcome(0.5, true)));

    expect(chanceError(bins)).toBeLessThan(0.0021);
  });
});
