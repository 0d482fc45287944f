import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { collectWhenIdle } from '../../local/idleCollection.ts';

// The tests are kept warm.
beforeAll(() => vi.stubEnv('LOCAL_KEEP_WARM', '0'));
afterAll(() => vi.unstubAllEnvs());

/** In a function of its own, so that no suspended frame keeps the object. */
const createGarbage = (): WeakRef<object> => new WeakRef({ large: new Array(1_000_000).fill(0) });

test('collects the garbage of a thread some time after its last piece of work', async () => {
  const worked = collectWhenIdle(20);
  const garbage = createGarbage();

  worked();

  await expect.poll(() => garbage.deref() === undefined).toBe(true);
});
