import { describe, expect, it } from 'vitest';
import { buildRegionTree, valueAt } from '../../functions/prediction/densityRatioTree.ts';
import { estimateNorm } from '../../functions/prediction/labellingNorm.ts';
import {
  knownShareAt,
  knownShares,
  type PredictedCall,
} from '../../functions/prediction/openSetCorrection.ts';

/** Calls predicted as a label, spread evenly over an interval. */
const calls = (
  label: number,
  truth: number | null,
  count: number,
  from: number,
  to: number,
): PredictedCall[] =>
  Array.from({ length: count }, (_, at) => ({
    label,
    truth,
    point: [from + ((to - from) * (at + 0.5)) / count],
  }));

const share = (given: readonly PredictedCall[], label: number, at: number): number =>
  knownShareAt(knownShares(given).get(label), [at]);

describe('a label alone', () => {
  const own = [...calls(0, 0, 200, 0, 10), ...calls(0, null, 400, 0, 10)];

  it('accounts for unlabelled calls in proportion to its labelled ones', () => {
    expect(share(own, 0, 2)).toBe(1);
    expect(share(own, 0, 8)).toBe(1);
  });

  it('does not account for calls where a stranger lives', () => {
    const joined = [...own, ...calls(0, null, 1_000, 8, 10)];

    expect(share(joined, 0, 2)).toBe(1);
    expect(share(joined, 0, 9)).toBeLessThan(0.4);
  });

  it('gets the benefit of the doubt while little is known', () => {
    expect(share([...calls(0, 0, 3, 0, 10), ...calls(0, null, 100, 0, 10)], 0, 5)).toBe(1);
  });

  it('is believed nothing where it labelled nothing of very much', () => {
    expect(share(calls(0, null, 1_000, 0, 10), 0, 5)).toBeLessThan(0.5);
  });

  it('is not blamed for calls that another known label makes', () => {
    const shared = [...calls(0, 0, 200, 0, 10), ...calls(0, null, 200, 0, 10)];
    const other = [...calls(1, 1, 200, 0, 10), ...calls(1, null, 4_000, 0, 10)];
    const mistaken = [...calls(0, 1, 50, 8, 10), ...calls(0, null, 1_000, 8, 10)];

    expect(share([...shared, ...other, ...mistaken], 0, 9)).toBe(1);
  });
});

describe('two labels mistaken for one another', () => {
  const often = [
    ...calls(0, 0, 100, 0, 10),
    ...calls(0, 1, 20, 0, 10),
    ...calls(1, 0, 180, 0, 10),
    ...calls(1, 1, 20, 0, 10),
  ];

  it('account for all calls where both label alike', () => {
    const given = [...often, ...calls(0, null, 120, 0, 10), ...calls(1, null, 200, 0, 10)];

    expect(share(given, 0, 5)).toBeGreaterThan(0.95);
    expect(share(given, 1, 5)).toBeGreaterThan(0.95);
  });

  it('account for all calls where one labels seldom', () => {
    const given = [...often, ...calls(0, null, 1_020, 0, 10), ...calls(1, null, 1_820, 0, 10)];

    expect(share(given, 0, 5)).toBeGreaterThan(0.95);
    expect(share(given, 1, 5)).toBeGreaterThan(0.95);
  });
});

describe('labels together', () => {
  const alike = (count: number): PredictedCall[] =>
    Array.from({ length: count }, (_, label) => [
      ...calls(label, label, 100, 0, 10),
      ...calls(label, null, 100, 0, 10),
    ]).flat();
  const unlike = [...calls(99, 99, 100, 0, 10), ...calls(99, null, 2_000, 0, 10)];

  it('make one suspect that has far more unlabelled calls, where all label alike', () => {
    expect(share([...alike(15), ...unlike], 99, 5)).toBeLessThan(0.1);
    expect(share([...alike(15), ...unlike], 0, 5)).toBe(1);
  });

  it('prove nothing where each labels at its own rate', () => {
    const uneven = Array.from({ length: 15 }, (_, label) => [
      ...calls(label, label, 100, 0, 10),
      ...calls(label, null, Math.round(20 * 1.5 ** label), 0, 10),
    ]).flat();

    expect(share([...uneven, ...unlike], 99, 5)).toBe(1);
  });
});

describe('the norm of labelling', () => {
  it('takes more than a few labels', () => {
    expect(estimateNorm(Array.from({ length: 4 }, () => 1)).certainty).toBe(0);
  });

  it('is the middle of the largest group', () => {
    const { commonRatio, certainty } = estimateNorm([0, 0.1, 0.1, 0.2, 0.1, 0.1, 0, 0.2, 0.1, 5]);

    expect(commonRatio).toBe(0.1);
    expect(certainty).toBe(1);
  });

  it('is doubtful where half agree', () => {
    expect(estimateNorm([0, 0, 0, 0, 0, 1, 2, 3, 4, 5]).certainty).toBe(0);
  });
});

describe('a partition', () => {
  const points = (count: number, at: number) => Array.from({ length: count }, () => [0, at]);

  it('cuts between two mixtures, along the axis that tells them apart', () => {
    const regions = buildRegionTree(
      { first: [...points(100, 1), ...points(100, 2)], second: [...points(100, 1), ...points(900, 2)] },
      ({ first, second }) => second.length / first.length,
    );

    expect(valueAt(regions, [7, 1])).toBe(1);
    expect(valueAt(regions, [7, 2])).toBe(9);
  });

  it('stays whole where nothing differs', () => {
    const whole = {
      first: [...points(100, 1), ...points(100, 2)],
      second: [...points(200, 1), ...points(200, 2)],
    };

    expect(buildRegionTree(whole, () => 3)).toBe(3);
  });
});
