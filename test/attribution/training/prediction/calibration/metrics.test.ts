import { describe, expect, it } from 'vitest';
import {
  binsOf,
  calibrationError,
  chanceError,
  computeMetrics,
  percentile,
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

  it('returns the number of outcomes and the accuracy', () => {
    expect(figures.n).toBe(8);
    expect(figures.accuracy).toBe(0.5);
  });

  it('returns calibration error and over-confidence', () => {
    expect(figures.calibration_error).toBeCloseTo((0.15 + 0.05) / 2, 10);
    expect(figures.capped_over_confidence).toBeCloseTo(0.1, 10);
  });

  it('returns the Brier score', () => {
    expect(figures.brier).toBeCloseTo((3 * 0.01 + 0.81 + 0.49 + 3 * 0.09) / 8, 10);
  });

  it('returns precision and coverage of confident predictions', () => {
    expect(figures.precision).toBe(0.75);
    expect(figures.coverage).toBe(0.5);
  });
});

it('precision is null without a confident prediction', () => {
  expect(computeMetrics([outcome(0.79, true)])).toMatchObject({ precision: null, coverage: 0 });
});

it('a confidence equal to the floor counts as confident', () => {
  expect(computeMetrics([outcome(0.8, true)])).toMatchObject({ precision: 1, coverage: 1 });
});

it('the ceiling causes no over-confidence', () => {
  const sure = Array.from({ length: 20 }, () => outcome(1, true));

  expect(computeMetrics(sure)).toMatchObject({ calibration_error: 0, capped_over_confidence: 0 });
  expect(computeMetrics(sure).capped_calibration_error).toBeCloseTo(0.05, 10);
});

it('metrics use the weights of the calls', () => {
  const figures = computeMetrics([outcome(0.9, true, 3), outcome(0.9, false, 1)]);

  expect(figures.accuracy).toBe(0.75);
  expect(figures.calibration_error).toBeCloseTo(0.15, 10);
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

it.each([
  [0.5, 2],
  [0.99, 4],
  [0.25, 1],
])('percentile returns the nearest rank for the share %f', (share, value) => {
  expect(percentile(Float64Array.of(4, 1, 3, 2), share)).toBe(value);
});
