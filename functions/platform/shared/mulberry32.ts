/**
 * Uniform pseudo-random numbers in [0, 1), determined by the seed. 32 bits of state are enough for samples and tests. Not
 * for secrets. Algorithm: mulberry32, https://gist.github.com/tommyettinger/46a874533244883189143505d203312c
 */
export const mulberry32 = (seed: number): (() => number) => {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let word = Math.imul(state ^ (state >>> 15), state | 1);
    word ^= word + Math.imul(word ^ (word >>> 7), word | 61);
    return ((word ^ (word >>> 14)) >>> 0) / 2 ** 32;
  };
};
