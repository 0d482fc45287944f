import { describe, expect, it } from 'vitest';
import {
  buildRegionTree,
  valueAt,
} from '../../../../../functions/attribution/training/prediction/densityRatioTree.ts';
import { estimateNorm } from '../../../../../functions/attribution/training/prediction/openSet/labellingNorm.ts';
import {
  fitOpenSet,
  knownShareAt,
} from '../../../../../functions/attribution/training/prediction/openSet/openSetCorrection.ts';
import type { PredictedCall } from '../../../../../functions/attribution/training/prediction/openSet/regionCounts.ts';

/** Calls predicted as a label, spread evenly over an interval. */
const calls = (
  label: number,
  truth: number | null,
  count: number,
  from: number,
  to: number,
  occurredAt = 0,
): PredictedCall[] =>
  Array.from({ length: count }, (_, at) => ({
    at: occurredAt,
    label,
    truth,
    point: [from + ((to - from) * (at + 0.5)) / count],
  }));

const share = (given: readonly PredictedCall[], label: number, at: number): number =>
  knownShareAt(fitOpenSet(given).knownShares.get(label), [at]);

describe('knownShares for one label', () => {
  const own = [...calls(0, 0, 200, 0, 10), ...calls(0, null, 400, 0, 10)];

  it('explains unlabelled calls in proportion to labelled ones', () => {
    expect(share(own, 0, 2)).toBe(1);
    expect(share(own, 0, 8)).toBe(1);
  });

  it('does not explain the excess in the region of a service that never labels', () => {
    const joined = [...own, ...calls(0, null, 1_000, 8, 10)];

    expect(share(joined, 0, 2)).toBe(1);
    expect(share(joined, 0, 9)).toBeLessThan(0.4);
  });

  it('explains all calls while there is little data', () => {
    expect(share([...calls(0, 0, 3, 0, 10), ...calls(0, null, 100, 0, 10)], 0, 5)).toBe(1);
  });

  it('explains few calls of a label with many unlabelled and no labelled calls', () => {
    expect(share(calls(0, null, 1_000, 0, 10), 0, 5)).toBeLessThan(0.5);
  });

  it('does not lower the share for calls of another known label', () => {
    const shared = [...calls(0, 0, 200, 0, 10), ...calls(0, null, 200, 0, 10)];
    const other = [...calls(1, 1, 200, 0, 10), ...calls(1, null, 4_000, 0, 10)];
    const mistaken = [...calls(0, 1, 50, 8, 10), ...calls(0, null, 1_000, 8, 10)];

    expect(share([...shared, ...other, ...mistaken], 0, 9)).toBe(1);
  });
});

describe('knownShares for two labels that are confused', () => {
  const often = [
    ...calls(0, 0, 100, 0, 10),
    ...calls(0, 1, 20, 0, 10),
    ...calls(1, 0, 180, 0, 10),
    ...calls(1, 1, 20, 0, 10),
  ];

  it('explains all calls when both have the same labelling rate', () => {
    const given = [...often, ...calls(0, null, 120, 0, 10), ...calls(1, null, 200, 0, 10)];

    expect(share(given, 0, 5)).toBeGreaterThan(0.95);
    expect(share(given, 1, 5)).toBeGreaterThan(0.95);
  });

  it('explains all calls when both label rarely', () => {
    const given = [...often, ...calls(0, null, 1_020, 0, 10), ...calls(1, null, 1_820, 0, 10)];

    expect(share(given, 0, 5)).toBeGreaterThan(0.95);
    expect(share(given, 1, 5)).toBeGreaterThan(0.95);
  });
});

describe('knownShares for many labels', () => {
  const alike = (count: number): PredictedCall[] =>
    Array.from({ length: count }, (_, label) => [
      ...calls(label, label, 100, 0, 10),
      ...calls(label, null, 100, 0, 10),
    ]).flat();
  const unlike = [...calls(99, 99, 100, 0, 10), ...calls(99, null, 2_000, 0, 10)];

  it('lowers the share of a label with far more unlabelled calls when all others label alike', () => {
    expect(share([...alike(15), ...unlike], 99, 5)).toBeLessThan(0.1);
    expect(share([...alike(15), ...unlike], 0, 5)).toBe(1);
  });

  it('does not lower the share when labelling rates differ', () => {
    const uneven = Array.from({ length: 15 }, (_, label) => [
      ...calls(label, label, 100, 0, 10),
      ...calls(label, null, Math.round(20 * 1.5 ** label), 0, 10),
    ]).flat();

    expect(share([...uneven, ...unlike], 99, 5)).toBe(1);
  });
});

describe('estimateNorm', () => {
  it('has no certainty with fewer than five labels', () => {
    expect(estimateNorm(Array.from({ length: 4 }, () => 1)).certainty).toBe(0);
  });

  it('returns the median of the largest group', () => {
    const { commonRatio, certainty } = estimateNorm([0, 0.1, 0.1, 0.2, 0.1, 0.1, 0, 0.2, 0.1, 5]);

    expect(commonRatio).toBe(0.1);
    expect(certainty).toBe(1);
  });

  it('has no certainty when only half of the labels agree', () => {
    expect(estimateNorm([0, 0, 0, 0, 0, 1, 2, 3, 4, 5]).certainty).toBe(0);
  });

  it.each([
    ['four labels that agree', [1, 1, 1, 1], 'unknown'],
    ['five labels that agree', [1, 1, 1, 1, 1], 'likely'],
    ['seven labels that differ', [0, 1, 2, 3, 4, 5, 6], 'unknown'],
    ['eight labels that differ', [0, 1, 2, 3, 4, 5, 6, 7], 'unlikely'],
  ])('tells from %s whether services label alike', (_, ratios, agreement) => {
    expect(estimateNorm(ratios).agreement).toBe(agreement);
  });
});

describe('buildRegionTree', () => {
  const points = (count: number, at: number) => Array.from({ length: count }, () => [0, at]);

  it('splits on the axis that separates two mixtures', () => {
    const regions = buildRegionTree(
      { first: [...points(100, 1), ...points(100, 2)], second: [...points(100, 1), ...points(900, 2)] },
      ({ first, second }) => second.length / first.length,
    );

    expect(valueAt(regions, [7, 1])).toBe(1);
    expect(valueAt(regions, [7, 2])).toBe(9);
  });

  it('does not split when the ratio is the same everywhere', () => {
    const whole = {
      first: [...points(100, 1), ...points(100, 2)],
      second: [...points(200, 1), ...points(200, 2)],
    };

    expect(buildRegionTree(whole, () => 3)).toBe(3);
  });
});

describe('supported regions', () => {
  const HOUR_MS = 3_600_000;
  /** Six services that label half of their calls, the last of them at `at`. */
  const services = (at = 0): PredictedCall[] =>
    [0, 1, 2, 3, 4, 5].flatMap((label) => [
      ...calls(label, label, 200, 0, 10),
      ...calls(label, null, 180, 0, 10),
      ...calls(label, label, 20, 0, 10, at),
      ...calls(label, null, 20, 0, 10, at),
    ]);
  const isSupported = (given: readonly PredictedCall[], label: number, at: number): boolean =>
    knownShareAt(fitOpenSet(given).supported.get(label), [at]) === 1;

  it('supports a label whose unlabelled calls its labelled calls explain', () => {
    expect(isSupported(services(), 0, 5)).toBe(true);
  });

  it('does not support a region with an excess of unlabelled calls', () => {
    const given = [...services(), ...calls(0, null, 60, 8, 10)];

    expect(isSupported(given, 0, 9)).toBe(false);
    expect(isSupported(given, 0, 2)).toBe(true);
  });

  it('does not support a label with twice the usual number of unlabelled calls', () => {
    const given = [...services(), ...calls(0, null, 200, 0, 10)];

    expect(isSupported(given, 0, 5)).toBe(false);
    expect(isSupported(given, 1, 5)).toBe(true);
  });

  it('supports a label with calls of another one that labels', () => {
    const confused = [...calls(0, 1, 200, 0, 10), ...calls(0, null, 200, 0, 10)];

    expect(isSupported([...services(), ...confused], 0, 5)).toBe(true);
  });

  it('withdraws its support at the first training after a burst that no labelled call explains', () => {
    const day = 24 * HOUR_MS;
    const long = [...Array.from({ length: 5 }, () => services()).flat(), ...services(day)];

    expect(isSupported(long, 0, 5)).toBe(true);
    expect(isSupported([...long, ...calls(0, null, 60, 0, 10, day)], 0, 5)).toBe(false);
  });

  it('does not support a label with many unlabelled calls while few labels are known', () => {
    const few = services().filter(({ label }) => label < 3);
    const attracting = [...few, ...calls(0, null, 800, 0, 10)];

    expect([0, 1, 2].map((label) => isSupported(few, label, 5))).toEqual([true, true, true]);
    expect([0, 1, 2].map((label) => isSupported(attracting, label, 5))).toEqual([false, true, true]);
  });

  it('does not support a label with a handful of labelled calls', () => {
    expect(isSupported([...services(), ...calls(6, 6, 4, 0, 10), ...calls(6, null, 4, 0, 10)], 6, 5)).toBe(
      false,
    );
  });
});
