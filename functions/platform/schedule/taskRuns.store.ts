import * as z from 'zod';
import {
  putWithoutTransaction,
  type Revision,
  readVersioned,
  type Versioned,
  writeDocument,
} from '../shared/aws/document.store.ts';

/** When each task of a tenant last succeeded, by its name. Epoch milliseconds. */
const Runs = z.record(z.string(), z.int());
export type Runs = z.infer<typeof Runs>;

export interface TaskRuns {
  readonly read: (tenantId: string) => Promise<Versioned<Runs> | null>;
  /** Does nothing when another function has saved since `expected`. */
  readonly save: (tenantId: string, runs: Runs, expected: Revision | null, by: Revision) => Promise<void>;
}

export const taskRuns = (table: string): TaskRuns => {
  const keyOf = (tenantId: string) => ({ pk: `${tenantId}#schedule`, sk: 'runs' });
  return {
    read: (tenantId) => readVersioned(table, keyOf(tenantId), Runs),
    save: async (tenantId, runs, expectedRevision, by) => {
      const { Put } = writeDocument(table, keyOf(tenantId), runs, { expectedRevision, by });
      if (Put !== undefined) await putWithoutTransaction(Put);
    },
  };
};
