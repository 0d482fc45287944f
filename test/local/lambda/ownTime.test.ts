import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { limitOwnTime } from '../../../local/lambda/ownTime.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** When a limit of 30 s ends a thread that gets this share of the time, in seconds. Infinity if never within an hour. */
const endOf = async (share: number, cancelAfterMs = 3_600_000): Promise<number> => {
  const startedAt = Date.now();
  const elapsedMs = () => Date.now() - startedAt;
  let endedAfterMs = Number.POSITIVE_INFINITY;
  const cancel = limitOwnTime(
    30_000,
    async () => elapsedMs() * share,
    () => {
      endedAfterMs = elapsedMs();
    },
  );
  await vi.advanceTimersByTimeAsync(cancelAfterMs);
  cancel();
  await vi.advanceTimersByTimeAsync(3_600_000);
  return endedAfterMs / 1_000;
};

it.each([
  [1, 30],
  [0.5, 60],
  [0.05, 600],
])('ends a thread that gets %d of the time after %d s', async (share, seconds) => {
  const end = await endOf(share);

  expect(end).toBeGreaterThanOrEqual(seconds);
  expect(end).toBeLessThan(seconds + 0.2 / share);
});

it('lets a thread that was over its time when the process went on answer', async () => {
  let [usedMs, isEnded] = [0, false];
  const cancel = limitOwnTime(
    30_000,
    async () => usedMs,
    () => {
      isEnded = true;
    },
  );
  usedMs = 60_000;
  await vi.advanceTimersByTimeAsync(30_000);

  expect(isEnded).toBe(false);
  cancel();
});

it('does not end a thread that gets no time, or one whose work is done', async () => {
  expect(await endOf(0)).toBe(Number.POSITIVE_INFINITY);
  expect(await endOf(0.5, 45_000)).toBe(Number.POSITIVE_INFINITY);
});
