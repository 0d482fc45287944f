import * as z from 'zod';
import {
  deleteDocument,
  putDocument,
  putWithoutTransaction,
  type Revision,
  readVersioned,
  type Versioned,
  type Write,
  writeDocument,
} from '../../platform/shared/aws/document.store.ts';

/** What a follower has seen of each period, by the ends of the period. */
const Served = z.record(
  z.string(),
  z.object({
    /** The digest of the versions that its totals had. Null: its sum was not stored yet. */
    digest: z.string().nullable(),
    /** Epoch milliseconds. */
    at: z.int(),
  }),
);
export type Served = z.infer<typeof Served>;

const keyOf = (tenantId: string, follower: string) => ({
  pk: `${tenantId}#schedule`,
  sk: `served#${follower}`,
});

/** The periods of a tenant that a follower has served. */
export interface ServedPeriods {
  readonly read: (tenantId: string, follower: string) => Promise<Versioned<Served> | null>;
  /** Does nothing when another function has saved since `expected`. */
  readonly save: (
    tenantId: string,
    follower: string,
    served: Served,
    expected: Revision | null,
    by: Revision,
  ) => Promise<void>;
}

/** The write after which a follower begins anew in a tenant, with the newest or with all of its periods. */
export const restartFollower = (
  table: string,
  tenantId: string,
  follower: string,
  beginsWith: 'newest' | 'all',
): Write =>
  beginsWith === 'newest'
    ? deleteDocument(table, keyOf(tenantId, follower))
    : putDocument(table, keyOf(tenantId, follower), {});

export const servedPeriods = (table: string): ServedPeriods => {
  return {
    read: (tenantId, follower) => readVersioned(table, keyOf(tenantId, follower), Served),
    save: async (tenantId, follower, served, expectedRevision, by) => {
      const { Put } = writeDocument(table, keyOf(tenantId, follower), served, { expectedRevision, by });
      if (Put !== undefined) await putWithoutTransaction(Put);
    },
  };
};
