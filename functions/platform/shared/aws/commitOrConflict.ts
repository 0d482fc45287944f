import { commit, isTransactionConflict } from './commit.store.ts';
import type { Write } from './document.store.ts';

/** Like `commit`, but also returns false when it gave up after repeated transaction conflicts. */
export const commitOrConflict = (
  writes: readonly Write[],
  options?: Parameters<typeof commit>[1],
): Promise<boolean> =>
  commit(writes, options).catch((error: unknown) => {
    if (isTransactionConflict(error)) return false;
    throw error;
  });
