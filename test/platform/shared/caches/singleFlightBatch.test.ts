import { describe, expect, it } from 'vitest';
import {
  type NonEmptyBatch,
  singleFlightBatch,
} from '../../../../functions/platform/shared/caches/singleFlightBatch.ts';

/** Runs that the test completes, in the order they started. */
const controlled = () => {
  const runs: {
    items: NonEmptyBatch<string>;
    end: (result: string) => void;
    fail: (error: Error) => void;
  }[] = [];
  const call = singleFlightBatch(
    (items: NonEmptyBatch<string>) =>
      new Promise<string>((end, fail) => {
        runs.push({ items, end, fail });
      }),
  );
  return { runs, call };
};
const flushPromises = () => new Promise((resolve) => setImmediate(resolve));

describe('singleFlightBatch', () => {
  it('batches calls that arrive before the run starts', async () => {
    const { runs, call } = controlled();

    const answers = [call('key', 'a'), call('key', 'b')];
    await flushPromises();
    runs[0]?.end('done');

    expect(await Promise.all(answers)).toEqual(['done', 'done']);
    expect(runs.map(({ items }) => items)).toEqual([['a', 'b']]);
  });

  it('never resolves a call with a run that started before it', async () => {
    const { runs, call } = controlled();
    const first = call('key', 'a');
    await flushPromises();

    const later = [call('key', 'b'), call('key', 'c')];
    await flushPromises();
    const runsMeanwhile = runs.length;
    runs[0]?.end('first');
    await flushPromises();
    runs[1]?.end('second');

    expect(runsMeanwhile).toBe(1);
    expect(await first).toBe('first');
    expect(await Promise.all(later)).toEqual(['second', 'second']);
    expect(runs[1]?.items).toEqual(['b', 'c']);
  });

  it('rejects all calls of a failed run and continues with the next', async () => {
    const { runs, call } = controlled();
    const failing = call('key', 'a');
    await flushPromises();
    const later = call('key', 'b');

    runs[0]?.fail(new Error('no'));
    await expect(failing).rejects.toThrow('no');
    await flushPromises();
    runs[1]?.end('fine');

    expect(await later).toBe('fine');
  });

  it('runs keys independently and starts again after all runs have ended', async () => {
    const { runs, call } = controlled();
    const [one, other] = [call('one', 'a'), call('other', 'b')];
    await flushPromises();
    for (const { end } of runs) end('done');
    await Promise.all([one, other]);

    const again = call('one', 'c');
    await flushPromises();
    runs[2]?.end('second run');

    expect(await again).toBe('second run');
    expect(runs.map(({ items }) => items)).toEqual([['a'], ['b'], ['c']]);
  });
});
