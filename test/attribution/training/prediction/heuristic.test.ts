import { describe, expect, it } from 'vitest';
import {
  type CountsByKey,
  countCall,
  findKeyShares,
} from '../../../../functions/attribution/training/prediction/heuristic.ts';
import { aCall } from './syntheticTraffic.ts';

const countCalls = (calls: readonly (readonly [Parameters<typeof aCall>[0], string])[]): CountsByKey => {
  const tallies: CountsByKey = new Map();
  for (const [members, label] of calls) countCall(tallies, aCall(members), label);
  return tallies;
};

const times = <Value>(count: number, value: Value): Value[] => Array.from({ length: count }, () => value);

describe('findKeyShares', () => {
  it('uses the most specific key', () => {
    const tallies = countCalls([
      ...times(50, [{ api_key_name: 'a' }, 'alice'] as const),
      ...times(5, [{ api_key_name: 'b' }, 'bob'] as const),
    ]);

    expect(findKeyShares(tallies, aCall({ api_key_name: 'b' }))?.labels).toEqual([
      { label: 'bob', share: 6 / 7 },
    ]);
  });

  it('uses a broader key when the specific one has fewer than five calls', () => {
    const tallies = countCalls([
      ...times(50, [{ api_key_name: 'a' }, 'alice'] as const),
      ...times(4, [{ api_key_name: 'b' }, 'bob'] as const),
    ]);

    expect(findKeyShares(tallies, aCall({ api_key_name: 'b' }))?.labels[0]?.label).toBe('alice');
  });

  it('returns null for an unknown model', () => {
    expect(
      findKeyShares(countCalls(times(9, [{}, 'alice'] as const)), aCall({ requested_model: 'other' })),
    ).toBeNull();
  });
});
