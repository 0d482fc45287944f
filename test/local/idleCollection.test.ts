import { expect, test } from 'vitest';
import { collectWhenIdle } from '../../local/idleCollection.ts';

/** In a function of its own, so that no suspended frame keeps the object. */
const createGarbage = (): WeakRef<object> => new WeakRef({ large: new Array(1_000_000).fill(0) });

test('collects the garbage of a thread some time after its last piece of work', async () => {
  const worked = collectWhenIdle(20);
  const garbage = createGarbage();

  worked();

  await expect.poll(() => garbage.deref() === undefined).toBe(true);
});
