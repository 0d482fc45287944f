import { describe, expect, it } from 'vitest';
import {
  chargeThreshold,
  isMistaken,
} from '../../../../../functions/attribution/training/prediction/calibration/chargeThreshold.ts';
import type { PredictionOutcome } from '../../../../../functions/attribution/training/prediction/calibration/predictionOutcome.ts';
import { isWithinBudget } from '../../../../../functions/attribution/training/prediction/calibration/strangerBudget.ts';

/** Outcomes with a confidence, of which a share is right. */
const outcomes = (score: number, count: number, rightShare: number): PredictionOutcome[] =>
  Array.from({ length: count }, (_, at) => ({ score, isRight: at < count * rightShare, weight: 1 }));

describe('chargeThreshold', () => {
  it('is the chargeback floor when all predictions above it are precise', () => {
    expect(chargeThreshold([...outcomes(0.82, 100, 0.97), ...outcomes(0.95, 900, 0.99)])).toBe(0.8);
  });

  it('rises above predictions with exact confidences that would lower the precision below .95', () => {
    const threshold = chargeThreshold([...outcomes(0.82, 500, 0.82), ...outcomes(0.95, 500, 0.97)]);

    expect(threshold).toBeGreaterThan(0.82);
    expect(threshold).toBeLessThan(0.95);
  });

  it('charges nothing when no confidence is precise, or too few outcomes prove it', () => {
    expect(chargeThreshold(outcomes(0.95, 1_000, 0.9))).toBe(1);
    expect(chargeThreshold(outcomes(0.95, 15, 1))).toBe(1);
    expect(chargeThreshold([])).toBe(1);
    expect(chargeThreshold(outcomes(0.95, 150, 1), { outcomesMinimum: 200 })).toBe(1);
    expect(chargeThreshold(outcomes(0.95, 250, 1), { outcomesMinimum: 200 })).toBe(0.8);
  });
});

describe('isMistaken', () => {
  it.each([
    ['wrong often enough that chance does not explain it', outcomes(0.95, 100, 0.8), true],
    ['wrong once in ten', outcomes(0.95, 10, 0.9), false],
    ['precise', outcomes(0.95, 100, 0.97), false],
    ['wrong only below the chargeback floor', [...outcomes(0.95, 100, 1), ...outcomes(0.7, 500, 0.5)], false],
    ['none', [], false],
  ])('tells of predictions that are %s', (_, given, expected) => {
    expect(isMistaken(given)).toBe(expected);
  });
});

describe('the budget of calls whose services never label', () => {
  const sized = (score: number, count: number, size: number) =>
    Array.from({ length: count }, () => ({ score, isRight: true, weight: 1, size }));
  const members = sized(0.95, 1_000, 10);

  it.each([
    ['few small ones', sized(0.95, 4, 10), true],
    ['many small ones', sized(0.95, 20, 1), false],
    ['a few large ones', sized(0.95, 2, 100), false],
    ['many below the confidence', sized(0.85, 20, 10), true],
  ])('decides by number and by size: %s', (_, strangers, expected) => {
    expect(isWithinBudget(members, strangers, 0.9)).toBe(expected);
  });
});
