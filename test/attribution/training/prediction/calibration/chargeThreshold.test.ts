import { describe, expect, it } from 'vitest';
import { chargeThreshold } from '../../../../../functions/attribution/training/prediction/calibration/chargeThreshold.ts';
import type { PredictionOutcome } from '../../../../../functions/attribution/training/prediction/calibration/predictionOutcome.ts';

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
    expect(chargeThreshold(outcomes(0.95, 150, 1), 200)).toBe(1);
    expect(chargeThreshold(outcomes(0.95, 250, 1), 200)).toBe(0.8);
  });
});
