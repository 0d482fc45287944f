import { describe, expect, it } from 'vitest';
import { conflictPauseMs } from '../../../../functions/platform/shared/retry/backoff.ts';

describe('conflictPauseMs', () => {
  it('raises the longest pause by 20 ms with each attempt, up to 200 ms', () => {
    const longest = [1, 2, 5, 10, 11, 60].map((attempt) => conflictPauseMs(attempt, () => 1));

    expect(longest).toEqual([20, 40, 100, 200, 200, 200]);
  });

  it('draws the pause uniformly from zero to the longest pause', () => {
    const pauses = [0, 0.25, 0.5].map((draw) => conflictPauseMs(4, () => draw));

    expect(pauses).toEqual([0, 20, 40]);
  });
});
