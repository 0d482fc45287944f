import { describe, expect, it } from 'vitest';
import { memoize } from '../../../../functions/platform/shared/caches/memoize.ts';

describe('memoize', () => {
  it('computes each key once', () => {
    const computed: string[] = [];
    const lengthOf = memoize((key) => computed.push(key) && key.length);

    const results = [lengthOf('ab'), lengthOf('abc'), lengthOf('ab')];

    expect(results).toEqual([2, 3, 2]);
    expect(computed).toEqual(['ab', 'abc']);
  });

  it('evicts the oldest key beyond its capacity', () => {
    const computed: string[] = [];
    const lengthOf = memoize((key) => computed.push(key) && key.length, 2);

    for (const key of ['a', 'b', 'c', 'b', 'a']) lengthOf(key);

    expect(computed).toEqual(['a', 'b', 'c', 'a']);
  });

  it('caches null results', () => {
    let calls = 0;
    const nothing = memoize(() => {
      calls += 1;
      return null;
    });

    nothing('x');
    nothing('x');

    expect(calls).toBe(1);
  });
});
