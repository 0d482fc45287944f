import { describe, expect, it, vi } from 'vitest';
import { cacheLookups } from '../../../../functions/platform/shared/caches/lookupCache.ts';

/** A cache over mocked lookups, with a clock that the test moves. */
const prepare = (lifetime = 1_000, capacity = 10) => {
  const time = { now: 0 };
  const lookUp = vi.fn<(key: string) => Promise<string | null>>();
  return { time, lookUp, read: cacheLookups(lookUp, { lifetime, capacity, clock: () => time.now }) };
};

describe('a value', () => {
  it('is looked up once within its lifetime, and again after it', async () => {
    const { time, lookUp, read } = prepare();
    lookUp.mockResolvedValueOnce('old').mockResolvedValueOnce('new');

    const answers = [await read('a')];
    time.now = 999;
    answers.push(await read('a'));
    time.now = 1_000;
    answers.push(await read('a'));

    expect(answers).toEqual(['old', 'old', 'new']);
    expect(lookUp).toHaveBeenCalledTimes(2);
  });

  it('expires relative to the start of its lookup', async () => {
    const { time, lookUp, read } = prepare();
    lookUp.mockImplementationOnce(async () => {
      time.now = 900;
      return 'slow';
    });
    lookUp.mockResolvedValueOnce('new');

    await read('a');
    time.now = 1_000;
    const later = await read('a');

    expect(later).toBe('new');
  });

  it('is shared by concurrent calls', async () => {
    const { lookUp, read } = prepare();
    lookUp.mockResolvedValue('one');

    const answers = await Promise.all([read('a'), read('a'), read('a')]);

    expect(answers).toEqual(['one', 'one', 'one']);
    expect(lookUp).toHaveBeenCalledTimes(1);
  });

  it('is evicted beyond the capacity, oldest first', async () => {
    const { lookUp, read } = prepare(1_000, 2);
    lookUp.mockImplementation(async (key) => key);

    for (const key of ['a', 'b', 'c', 'c', 'b', 'a']) await read(key);

    expect(lookUp.mock.calls.flat()).toEqual(['a', 'b', 'c', 'a']);
  });
});

describe('null and failures', () => {
  it('null is looked up again each time', async () => {
    const { lookUp, read } = prepare();
    lookUp.mockResolvedValueOnce(null).mockResolvedValueOnce('made since');

    const answers = [await read('a'), await read('a')];

    expect(answers).toEqual([null, 'made since']);
  });

  it('a failure rejects all waiting calls and is not cached', async () => {
    const { lookUp, read } = prepare();
    lookUp.mockRejectedValueOnce(new Error('down')).mockResolvedValueOnce('back');

    const failed = await Promise.allSettled([read('a'), read('a')]);
    const answer = await read('a');

    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(answer).toBe('back');
  });

  it('null removes the cached value', async () => {
    const { time, lookUp, read } = prepare();
    lookUp.mockResolvedValueOnce('there').mockResolvedValueOnce(null).mockResolvedValueOnce(null);

    await read('a');
    time.now = 1_000;
    await read('a');
    time.now = 500;
    const after = await read('a');

    expect(after).toBeNull();
  });

  it('a failed refresh throws instead of returning the expired value', async () => {
    const { time, lookUp, read } = prepare();
    lookUp.mockResolvedValueOnce('old').mockRejectedValueOnce(new Error('down'));

    await read('a');
    time.now = 1_000;

    await expect(read('a')).rejects.toThrow('down');
  });
});
