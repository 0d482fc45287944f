import { describe, expect, it } from 'vitest';
import { memoize } from '../../functions/shared/memoize.ts';

describe('remembered results', () => {
  it('are computed once per key', () => {
    const asked: string[] = [];
    const lengthOf = memoize((key) => asked.push(key) && key.length);

    const results = [lengthOf('ab'), lengthOf('abc'), lengthOf('ab')];

    expect(results).toEqual([2, 3, 2]);
    expect(asked).toEqual(['ab', 'abc']);
  });

  it('stay within their capacity, oldest out first', () => {
    const asked: string[] = [];
    const lengthOf = memoize((key) => asked.push(key) && key.length, 2);

    for (const key of ['a', 'b', 'c', 'b', 'a']) lengthOf(key);

    expect(asked).toEqual(['a', 'b', 'c', 'a']);
  });

  it('include an absent result', () => {
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
