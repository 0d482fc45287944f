import { describe, expect, it } from 'vitest';
import { type NonEmptyBatch, singleFlightBatch } from '../../functions/shared/singleFlightBatch.ts';

/** Runs that the test completes, in the order they started. */
const controlled = () => {
  const begun: {
    items: NonEmptyBatch<string>;
    end: (result: string) => void;
    fail: (error: Error) => void;
  }[] = [];
  const ask = singleFlightBatch(
    (items: NonEmptyBatch<string>) =>
      new Promise<string>((end, fail) => {
        begun.push({ items, end, fail });
      }),
  );
  return { begun, ask };
};
const flushPromises = () => new Promise((resolve) => setImmediate(resolve));

describe('singleFlightBatch', () => {
  it('batches calls that arrive before the run starts', async () => {
    const { begun, ask } = controlled();

    const answers = [ask('key', 'a'), ask('key', 'b')];
    await flushPromises();
    begun[0]?.end('done');

    expect(await Promise.all(answers)).toEqual(['done', 'done']);
    expect(begun.map(({ items }) => items)).toEqual([['a', 'b']]);
  });

  it('never resolves a call with a run that started before it', async () => {
    const { begun, ask } = controlled();
    const first = ask('key', 'a');
    await flushPromises();

    const later = [ask('key', 'b'), ask('key', 'c')];
    await flushPromises();
    const begunMeanwhile = begun.length;
    begun[0]?.end('first');
    await flushPromises();
    begun[1]?.end('second');

    expect(begunMeanwhile).toBe(1);
    expect(await first).toBe('first');
    expect(await Promise.all(later)).toEqual(['second', 'second']);
    expect(begun[1]?.items).toEqual(['b', 'c']);
  });

  it('rejects all calls of a failed run and continues with the next', async () => {
    const { begun, ask } = controlled();
    const failing = ask('key', 'a');
    await flushPromises();
    const later = ask('key', 'b');

    begun[0]?.fail(new Error('no'));
    await expect(failing).rejects.toThrow('no');
    await flushPromises();
    begun[1]?.end('fine');

    expect(await later).toBe('fine');
  });

  it('runs keys independently and starts again after all runs have ended', async () => {
    const { begun, ask } = controlled();
    const [one, other] = [ask('one', 'a'), ask('other', 'b')];
    await flushPromises();
    for (const { end } of begun) end('done');
    await Promise.all([one, other]);

    const again = ask('one', 'c');
    await flushPromises();
    begun[2]?.end('anew');

    expect(await again).toBe('anew');
    expect(begun.map(({ items }) => items)).toEqual([['a'], ['b'], ['c']]);
  });
});
