import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { calibrate, calibrated, type Outcome } from '../../functions/prediction/isotonic.ts';

const share = fc.double({ min: 0, max: 1, noNaN: true });
const outcomes = fc.array(
  fc.record({ score: share, right: fc.boolean(), weight: fc.double({ min: 0, max: 20, noNaN: true }) }),
  { maxLength: 400 },
);

/** `calls` outcomes at a score, of which so many were right. */
const at = (score: number, calls: number, right: number): Outcome[] =>
  Array.from({ length: calls }, (_, call) => ({ score, right: call < right, weight: 1 }));

describe('calibration', () => {
  it('never falls as the score rises, and stays within 0 and 1', () => {
    fc.assert(
      fc.property(outcomes, share, share, (given, a, b) => {
        const calibration = calibrate(given);
        const [low, high] = [Math.min(a, b), Math.max(a, b)].map((score) => calibrated(calibration, score));

        expect(low).toBeGreaterThanOrEqual(0);
        expect(low).toBeLessThanOrEqual(high ?? 0);
        expect(high).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('returns the share of right answers, a little drawn towards the middle', () => {
    const calibration = calibrate([...at(0.3, 100, 10), ...at(0.9, 100, 80)]);

    expect(calibrated(calibration, 0.3)).toBeCloseTo(11 / 102, 10);
    expect(calibrated(calibration, 0.9)).toBeCloseTo(81 / 102, 10);
  });

  it('runs straight between two points, and level beyond them', () => {
    const calibration = calibrate([...at(0.2, 98, 0), ...at(0.6, 98, 98)]);

    expect(calibrated(calibration, 0.4)).toBeCloseTo(0.5, 10);
    expect(calibrated(calibration, 0.1)).toBeCloseTo(0.01, 10);
    expect(calibrated(calibration, 1)).toBeCloseTo(0.99, 10);
  });

  it('joins scores that are in the wrong order', () => {
    const calibration = calibrate([...at(0.5, 100, 60), ...at(0.7, 100, 40)]);

    expect(calibration.shares).toEqual([101 / 202]);
  });

  it('trusts no block of fewer than sixty calls', () => {
    const { shares } = calibrate([...at(0.2, 59, 0), ...at(0.8, 59, 59)]);

    expect(shares).toEqual([60 / 120]);
  });

  it('counts few heavy calls as few', () => {
    const heavy = at(0.8, 30, 30).map((outcome) => ({ ...outcome, weight: 10 }));

    expect(calibrate(heavy).shares).toEqual([31 / 32]);
  });

  it('moves with the weights of the calls', () => {
    const weighed = [...at(0.8, 100, 100), ...at(0.8, 100, 0).map((outcome) => ({ ...outcome, weight: 4 }))];

    expect(calibrated(calibrate(weighed), 0.8)).toBeLessThan(0.25);
  });

  it('knows nothing of nothing', () => {
    expect(calibrated(calibrate([]), 0.7)).toBe(0);
  });
});
