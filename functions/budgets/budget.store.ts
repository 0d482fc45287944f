import * as z from 'zod';
import { BUDGETS_MAXIMUM, Budget } from '../../schemas/budgets.ts';
import {
  type DocumentRange,
  deleteDocument,
  listDocuments,
  NO_REVISION,
  type Revision,
  readDocument,
  readVersioned,
  type Versioned,
  type Write,
  writeDocument,
} from '../shared/aws/document.store.ts';
import { ulidInId } from '../shared/ids.ts';
import { Crossing, RearmCounts } from './crossing.ts';

/** Lifetime of a tombstone, in seconds. It outlasts the time in which a call may be retried under its idempotency key. */
const TOMBSTONE_SECONDS = 2 * 24 * 60 * 60;
/** Safe upper bound for a period: three crossings per budget, plus one for each change that rearmed a threshold. */
const CROSSINGS_MAXIMUM = 10_000;

/** A budget with the rearm count of each threshold. */
export const StoredBudget = Budget.extend({ rearm_counts: RearmCounts });
export type StoredBudget = z.infer<typeof StoredBudget>;

/** Number of a tenant's budgets. Every creation and deletion writes it, which serializes them. */
const Head = z.object({ count: z.int() });
type Head = z.infer<typeof Head>;

const partitionOf = (tenantId: string): string => `budget#${tenantId}`;
const budgetKey = (tenantId: string, ulid: string) => ({ pk: partitionOf(tenantId), sk: ulid });
const headKey = (tenantId: string) => ({ pk: `head#${tenantId}`, sk: 'budgets' });
const tombstoneKey = (tenantId: string, ulid: string) => ({ pk: `deleted#${tenantId}`, sk: ulid });
const crossingPartition = (tenantId: string, period: string): string => `crossing#${tenantId}#${period}`;

/** Crossings are immutable. In a rolling period the next crossing replaces the previous one. */
const revisionOf = ({ crossed_at }: Crossing): Revision => ({ claim: crossed_at, attempt: 1 });

interface CrossingReader {
  /** The crossings recorded in a period (`periodKey`). */
  readonly crossings: (tenantId: string, period: string) => Promise<Crossing[]>;
}

const crossingReader = (table: string): CrossingReader => ({
  crossings: (tenantId, period) =>
    listDocuments(
      table,
      crossingPartition(tenantId, period),
      { descending: false, limit: CROSSINGS_MAXIMUM },
      Crossing,
    ),
});

export interface BudgetReader extends CrossingReader {
  readonly budget: (tenantId: string, ulid: string) => Promise<StoredBudget | null>;
  /** In order of creation. */
  readonly budgets: (tenantId: string, range: DocumentRange) => Promise<StoredBudget[]>;
}

export const budgetReader = (table: string): BudgetReader => ({
  ...crossingReader(table),
  budget: (tenantId, ulid) => readDocument(table, budgetKey(tenantId, ulid), StoredBudget),
  budgets: (tenantId, range) => listDocuments(table, partitionOf(tenantId), range, StoredBudget),
});

/** Access to budgets for the budget evaluator. */
export interface BudgetEvaluationStore extends CrossingReader {
  readonly all: (tenantId: string) => Promise<StoredBudget[]>;
  /**
   * Returns the write that records a crossing. The write fails when the stored crossing is not `previous`, or when there
   * is one although `previous` is null.
   */
  readonly recordCrossing: (
    tenantId: string,
    crossing: Crossing,
    at: { readonly period: string; readonly previous: Crossing | null; readonly ttl: number },
  ) => Write;
}

export const budgetEvaluationStore = (table: string): BudgetEvaluationStore => ({
  ...crossingReader(table),
  all: (tenantId) =>
    listDocuments(table, partitionOf(tenantId), { descending: false, limit: BUDGETS_MAXIMUM }, StoredBudget),
  recordCrossing: (tenantId, crossing, { period, previous, ttl }) => {
    const { budget_id, threshold, rearm_count } = crossing;
    const sk = `${ulidInId(budget_id)}#${threshold}#${rearm_count}`;
    return writeDocument(table, { pk: crossingPartition(tenantId, period), sk }, crossing, {
      expectedRevision: previous === null ? null : revisionOf(previous),
      by: revisionOf(crossing),
      ttl,
    });
  },
});

/** What is stored under the id of a budget, read before a change. */
export interface BudgetLookup {
  /** Null when the budget does not exist or was deleted. */
  readonly budget: StoredBudget | null;
  /** The tombstone: the budget as it was before its deletion. */
  readonly deleted: StoredBudget | null;
  readonly count: number;
  readonly expectedRevisions: { readonly budget: Revision | null; readonly head: Revision | null };
}

export interface BudgetWriter extends BudgetEvaluationStore {
  /** Reads a budget and all documents that a change of it depends on, with the revision of the last write or deletion. */
  readonly find: (tenantId: string, ulid: string) => Promise<Versioned<BudgetLookup>>;
  readonly create: (
    tenantId: string,
    budget: StoredBudget,
    lookup: BudgetLookup,
    by: Revision,
  ) => readonly Write[];
  readonly replace: (tenantId: string, budget: StoredBudget, lookup: BudgetLookup, by: Revision) => Write;
  /** Returns the writes that delete the budget of a lookup. `now` is epoch milliseconds. */
  readonly remove: (
    tenantId: string,
    budget: StoredBudget,
    lookup: BudgetLookup,
    at: { readonly by: Revision; readonly now: number },
  ) => readonly Write[];
}

export const budgetWriter = (table: string): BudgetWriter => {
  const putBudget = (
    tenantId: string,
    budget: StoredBudget,
    { expectedRevisions }: BudgetLookup,
    by: Revision,
  ): Write =>
    writeDocument(table, budgetKey(tenantId, ulidInId(budget.id)), budget, {
      expectedRevision: expectedRevisions.budget,
      by,
    });
  const putCount = (
    tenantId: string,
    count: number,
    { expectedRevisions }: BudgetLookup,
    by: Revision,
  ): Write =>
    writeDocument(table, headKey(tenantId), { count } satisfies Head, {
      expectedRevision: expectedRevisions.head,
      by,
    });

  return {
    ...budgetEvaluationStore(table),
    find: async (tenantId, ulid) => {
      // Read the head first: the write of the head then detects every change made after this read.
      const head = await readVersioned(table, headKey(tenantId), Head);
      const stored = await readVersioned(table, budgetKey(tenantId, ulid), StoredBudget);
      const deleted =
        stored === null ? await readVersioned(table, tombstoneKey(tenantId, ulid), StoredBudget) : null;
      return {
        document: {
          budget: stored?.document ?? null,
          deleted: deleted?.document ?? null,
          count: head?.document.count ?? 0,
          expectedRevisions: { budget: stored?.revision ?? null, head: head?.revision ?? null },
        },
        revision: stored?.revision ?? deleted?.revision ?? NO_REVISION,
      };
    },
    create: (tenantId, budget, lookup, by) => [
      putBudget(tenantId, budget, lookup, by),
      putCount(tenantId, lookup.count + 1, lookup, by),
    ],
    replace: putBudget,
    remove: (tenantId, budget, lookup, { by, now }) => {
      const ulid = ulidInId(budget.id);
      const ttl = Math.ceil(now / 1_000) + TOMBSTONE_SECONDS;
      return [
        deleteDocument(table, budgetKey(tenantId, ulid)),
        // Fails for the second of two concurrent deletions, so that the count decreases once.
        writeDocument(table, tombstoneKey(tenantId, ulid), budget, { expectedRevision: null, by, ttl }),
        putCount(tenantId, lookup.count - 1, lookup, by),
      ];
    },
  };
};
