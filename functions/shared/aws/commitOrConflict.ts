import { commit, type Write } from './document.store.ts';

/** Whether a commit gave up after repeated transaction conflicts with other writers of the same documents. */
const isCollision = (error: unknown): boolean =>
  error instanceof Error && error.name === 'TransactionCanceledException';

/** Like `commit`, but also returns false when it gave up after repeated transaction conflicts. */
export const commitOrConflict = (
  writes: readonly Write[],
  options?: Parameters<typeof commit>[1],
): Promise<boolean> =>
  commit(writes, options).catch((error: unknown) => {
    if (isCollision(error)) return false;
    throw error;
  });
