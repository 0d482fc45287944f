import { expect, it } from 'vitest';
import {
  CONFLICT,
  retryOnConflict,
  WriteConflictError,
} from '../../../../functions/platform/shared/retry/retryOnConflict.ts';

const OPTIONS = { maxAttempts: 3, subject: 'the counter' };

/** An attempt that loses `conflicts` times and then returns its number. */
const losing =
  (conflicts: number) =>
  async (attempt: number): Promise<number | typeof CONFLICT> =>
    attempt <= conflicts ? CONFLICT : attempt;

it.each([
  [0, 1],
  [1, 2],
  [2, 3],
])(
  'returns the result of the first attempt without a conflict, after %i conflicts',
  async (conflicts, result) => {
    expect(await retryOnConflict(losing(conflicts), OPTIONS)).toBe(result);
  },
);

it('throws an error that names the subject when every attempt ends in a conflict', async () => {
  const outcome = retryOnConflict(losing(3), OPTIONS);

  await expect(outcome).rejects.toThrow(WriteConflictError);
  await expect(outcome).rejects.toThrow('Gave up after 3 write conflicts on the counter.');
});

it('returns undefined as a result, not as a conflict', async () => {
  expect(await retryOnConflict(async () => undefined, OPTIONS)).toBeUndefined();
});

it('waits between attempts, but not after the last', async () => {
  const waits: number[] = [];
  const pause = async (attempt: number) => waits.push(attempt);

  await retryOnConflict(losing(3), { ...OPTIONS, pause }).catch(() => undefined);

  expect(waits).toEqual([1, 2]);
});

it('throws the error of an attempt at once', async () => {
  let attempts = 0;
  const failing = async () => {
    attempts += 1;
    throw new Error('the table is down');
  };

  await expect(retryOnConflict(failing, OPTIONS)).rejects.toThrow('the table is down');
  expect(attempts).toBe(1);
});
