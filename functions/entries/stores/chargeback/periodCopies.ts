import type { Environment } from '../provider.ts';

export const periodsCopy = (table: string, { clock }: Environment) => ({
  /** Loaded with the first close: the function starts for reads without them. */
  bookWriters: async () => {
    const [{ rollupWriter }, { nodeHourLineWriter }] = await Promise.all([
      import('../../../ledger/rollups/rollupWriter.store.ts'),
      import('../../../attribution/allocation/nodeHours/nodeHourLine.store.ts'),
    ]);
    return { rollupWriter: rollupWriter(table), nodeHourLineWriter: nodeHourLineWriter(table, clock) };
  },
});
