import { commit, type Write } from './document.store.ts';

/** Whether a commit was given up because others kept writing to the same documents, one of whom got through each time. */
const isCollision = (error: unknown): boolean =>
  error instanceof Error && error.name === 'TransactionCanceledException';

/** Like a commit; that others got through all the while is a race lost too. */
export const commitOrConflict = (
  writes: readonly Write[],
  options?: Parameters<typeof commit>[1],
): Promise<boolean> =>
  commit(writes, options).catch((error: unknown) => {
    if (isCollision(error)) return false;
    throw error;
  });
