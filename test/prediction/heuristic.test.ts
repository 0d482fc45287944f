import { describe, expect, it } from 'vitest';
import { guess, type Tallies, tally } from '../../functions/prediction/heuristic.ts';
import { aCall } from './worlds.ts';

const seen = (calls: readonly (readonly [Parameters<typeof aCall>[0], string])[]): Tallies => {
  const tallies: Tallies = new Map();
  for (const [members, label] of calls) tally(tallies, aCall(members), label);
  return tallies;
};

const times = <Value>(count: number, value: Value): Value[] => Array.from({ length: count }, () => value);

describe('the heuristic', () => {
  it('lets the most specific key decide', () => {
    const tallies = seen([
      ...times(50, [{ api_key_name: 'a' }, 'alice'] as const),
      ...times(5, [{ api_key_name: 'b' }, 'bob'] as const),
    ]);

    expect(guess(tallies, aCall({ api_key_name: 'b' }))?.labels).toEqual([{ label: 'bob', share: 6 / 7 }]);
  });

  it('falls back to a broader key while one has fewer than five calls', () => {
    const tallies = seen([
      ...times(50, [{ api_key_name: 'a' }, 'alice'] as const),
      ...times(4, [{ api_key_name: 'b' }, 'bob'] as const),
    ]);

    expect(guess(tallies, aCall({ api_key_name: 'b' }))?.labels[0]?.label).toBe('alice');
  });

  it('says nothing of a model it never saw', () => {
    expect(guess(seen(times(9, [{}, 'alice'] as const)), aCall({ requested_model: 'other' }))).toBeNull();
  });
});
