import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  calibrate,
  calibrateScore,
} from '../../../../../functions/attribution/training/prediction/calibration/isotonic.ts';
import type { PredictionOutcome } from '../../../../../functions/attribution/training/prediction/calibration/predictionOutcome.ts';

const share = fc.double({ min: 0, max: 1, noNaN: true });
const outcomes = fc.array(
  fc.record({ score: share, isRight: fc.boolean(), weight: fc.double({ min: 0, max: 20, noNaN: true }) }),
  { maxLength: 400 },
);

/** `calls` outcomes at a score, of which `right` are right. */
const at = (score: number, calls: number, right: number): PredictionOutcome[] =>
  Array.from({ length: calls }, (_, call) => ({ score, isRight: call < right, weight: 1 }));

/** The estimate for `right` of `calls`: Laplace's share minus 0.3 standard errors. */
const estimate = (right: number, calls: number): number => {
  const laplace = (right + 1) / (calls + 2);
  return laplace - 0.3 * Math.sqrt((laplace * (1 - laplace)) / (calls + 2));
};

describe('calibrate', () => {
  it('is monotone in the score, within 0 and 1', () => {
    fc.assert(
      fc.property(outcomes, share, share, (given, a, b) => {
        const calibration = calibrate(given);
        const [low, high] = [Math.min(a, b), Math.max(a, b)].map((score) =>
          calibrateScore(calibration, score),
        );

        expect(low).toBeGreaterThanOrEqual(0);
        expect(low).toBeLessThanOrEqual(high ?? 0);
        expect(high).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('returns the smoothed share of right predictions minus the caution', () => {
    const calibration = calibrate([...at(0.3, 100, 10), ...at(0.9, 100, 80)]);

    expect(calibrateScore(calibration, 0.3)).toBeCloseTo(estimate(10, 100), 10);
    expect(calibrateScore(calibration, 0.9)).toBeCloseTo(estimate(80, 100), 10);
  });

  it('is linear between two points and constant beyond them', () => {
    const calibration = calibrate([...at(0.2, 98, 0), ...at(0.6, 98, 98)]);

    expect(calibrateScore(calibration, 0.4)).toBeCloseTo((estimate(0, 98) + estimate(98, 98)) / 2, 10);
    expect(calibrateScore(calibration, 0.1)).toBeCloseTo(estimate(0, 98), 10);
    expect(calibrateScore(calibration, 1)).toBeCloseTo(estimate(98, 98), 10);
  });

  it('merges blocks that violate the order', () => {
    const calibration = calibrate([...at(0.5, 100, 60), ...at(0.7, 100, 40)]);

    expect(calibration.shares).toEqual([estimate(100, 200)]);
  });

  it('merges blocks of fewer than 60 calls', () => {
    const { shares } = calibrate([...at(0.2, 59, 0), ...at(0.8, 59, 59)]);

    expect(shares).toEqual([estimate(59, 118)]);
  });

  it('uses the effective sample size of weighted calls', () => {
    const heavy = at(0.8, 30, 30).map((outcome) => ({ ...outcome, weight: 10 }));

    expect(calibrate(heavy).shares).toEqual([estimate(30, 30)]);
  });

  it('weighs calls', () => {
    const weighed = [...at(0.8, 100, 100), ...at(0.8, 100, 0).map((outcome) => ({ ...outcome, weight: 4 }))];

    expect(calibrateScore(calibrate(weighed), 0.8)).toBeLessThan(0.25);
  });

  it('returns 0 without outcomes', () => {
    expect(calibrateScore(calibrate([]), 0.7)).toBe(0);
  });
});
