import { describe, expect, it } from 'vitest';
import {
  compareTypicality,
  isResembled,
  type PlacedCall,
  sharesByTypicality,
} from '../../../../../functions/attribution/training/prediction/openSet/typicality.ts';

/** Calls predicted as a label, with typicalities evenly between two bounds. */
const calls = (predicted: number, count: number, [from, to]: readonly [number, number]): PlacedCall[] =>
  Array.from({ length: count }, (_, at) => ({
    weight: 1,
    predicted,
    point: [from + ((to - from) * (at + 0.5)) / count, 0, 0],
  }));

const OWN = [0, 10] as const;
const FOREIGN = [-5, 2] as const;
const labelWith = (members: readonly PlacedCall[], open: readonly PlacedCall[]) => {
  const compared = compareTypicality(members, open).get(1);
  return compared !== undefined && isResembled(compared);
};

describe('a label', () => {
  it.each([
    ['at the same rate', 400, 400],
    ['far less than others', 100, 2_000],
    ['nearly always', 2_000, 50],
  ])('is not taken as resembled when its service labels %s', (_, labelled, open) => {
    expect(labelWith(calls(1, labelled, OWN), calls(1, open, OWN))).toBe(false);
  });

  it.each([
    ['at the same rate', 400, 400],
    ['far less than others', 100, 2_000],
    ['nearly always', 2_000, 50],
  ])(
    'is resembled when as many untypical open calls come, and its service labels %s',
    (_, labelled, open) => {
      expect(labelWith(calls(1, labelled, OWN), [...calls(1, open, OWN), ...calls(1, open, FOREIGN)])).toBe(
        true,
      );
    },
  );

  it('is not taken as resembled by what chance explains, without open calls, or with few labelled ones', () => {
    expect(labelWith(calls(1, 40, OWN), [...calls(1, 20, OWN), ...calls(1, 5, FOREIGN)])).toBe(false);
    expect(labelWith(calls(1, 400, OWN), [])).toBe(false);
    expect(labelWith(calls(1, 19, OWN), calls(1, 400, FOREIGN))).toBe(false);
  });
});

describe('the shares of typical calls', () => {
  it('are alike for labelled and open calls, however often each service labels', () => {
    const members = [...calls(1, 1_000, [8, 18]), ...calls(2, 50, OWN)];
    const open = [...calls(1, 50, [8, 18]), ...calls(2, 1_000, OWN)];

    for (const shares of sharesByTypicality(compareTypicality(members, open), []))
      expect(shares.open.value).toBeCloseTo(shares.members.value, 1);
  });

  it('are those of the mixture when strangers add open calls', () => {
    const members = calls(1, 1_000, OWN);
    const open = [...calls(1, 500, OWN), ...calls(1, 500, [-10, 0])];
    const shares = sharesByTypicality(compareTypicality(members, open), calls(1, 1_000, [-10, 0]));

    expect(shares.map((share) => share.strangers.value)).toEqual(shares.map(() => 0));
    for (const share of shares) expect(share.open.value).toBeCloseTo(share.members.value / 2, 1);
  });

  it('are none without open calls of a label that can be compared', () => {
    expect(sharesByTypicality(compareTypicality(calls(1, 100, OWN), calls(2, 100, OWN)), [])).toEqual([]);
  });
});
