import * as z from 'zod';
import { BUDGETS_MAXIMUM, Budget } from '../../schemas/budgets.ts';
import {
  type DocumentRange,
  deleteDocument,
  listDocuments,
  type Revision,
  readDocument,
  readVersioned,
  type Versioned,
  type Write,
  writeDocument,
} from '../shared/aws/document.store.ts';
import { ulidInId } from '../shared/ids.ts';
import { Crossing, RearmCounts } from './crossing.ts';

/** How long a deleted budget is remembered, in seconds: longer than a call may be repeated under its key. */
const TOMBSTONE_SECONDS = 2 * 24 * 60 * 60;
/** More than a period can have: three for each budget, and one more for each change that armed one anew. */
const CROSSINGS_MAXIMUM = 10_000;

/** A budget with how often its thresholds were armed anew. */
export const StoredBudget = Budget.extend({ arms: RearmCounts });
export type StoredBudget = z.infer<typeof StoredBudget>;

/** Counts a tenant's budgets; every creation and deletion writes it too, so they follow on each other. */
const Head = z.object({ count: z.int() });
type Head = z.infer<typeof Head>;

const partitionOf = (tenantId: string): string => `budget#${tenantId}`;
const budgetKey = (tenantId: string, ulid: string) => ({ pk: partitionOf(tenantId), sk: ulid });
const headKey = (tenantId: string) => ({ pk: `head#${tenantId}`, sk: 'budgets' });
const tombstoneKey = (tenantId: string, ulid: string) => ({ pk: `deleted#${tenantId}`, sk: ulid });
const crossingPartition = (tenantId: string, period: string): string => `crossing#${tenantId}#${period}`;

/** A crossing never changes; the one that follows it in a rolling period takes its place. */
const revisionOf = ({ crossed_at }: Crossing): Revision => ({ claim: crossed_at, attempt: 1 });

interface CrossingReader {
  /** What was told of in a period (`periodKey`). */
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
  /** In the order they were made. */
  readonly budgets: (tenantId: string, range: DocumentRange) => Promise<StoredBudget[]>;
}

export const budgetReader = (table: string): BudgetReader => ({
  ...crossingReader(table),
  budget: (tenantId, ulid) => readDocument(table, budgetKey(tenantId, ulid), StoredBudget),
  budgets: (tenantId, range) => listDocuments(table, partitionOf(tenantId), range, StoredBudget),
});

/** What holds budgets against spend needs of them. */
export interface BudgetEvaluationStore extends CrossingReader {
  readonly all: (tenantId: string) => Promise<StoredBudget[]>;
  /** The write that tells of a crossing once: it fails where another stands than the `previous`, or any. */
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
    const { budget_id, threshold, arm } = crossing;
    const sk = `${ulidInId(budget_id)}#${threshold}#${arm}`;
    return writeDocument(table, { pk: crossingPartition(tenantId, period), sk }, crossing, {
      expectedRevision: previous === null ? null : revisionOf(previous),
      by: revisionOf(crossing),
      ttl,
    });
  },
});

/** A place for a budget, as a change finds it. */
export interface BudgetLookup {
  /** Null when there is none, or none any more. */
  readonly budget: StoredBudget | null;
  /** What was there until it was deleted. */
  readonly deleted: StoredBudget | null;
  readonly count: number;
  readonly expectedRevisions: { readonly budget: Revision | null; readonly head: Revision | null };
}

export interface BudgetWriter extends BudgetEvaluationStore {
  /** A budget and what its change depends on, with who wrote or deleted it last. */
  readonly find: (tenantId: string, ulid: string) => Promise<Versioned<BudgetLookup>>;
  readonly create: (
    tenantId: string,
    budget: StoredBudget,
    found: BudgetLookup,
    by: Revision,
  ) => readonly Write[];
  readonly replace: (tenantId: string, budget: StoredBudget, found: BudgetLookup, by: Revision) => Write;
  /** Deletes the budget that was found. `now` is epoch milliseconds. */
  readonly remove: (
    tenantId: string,
    budget: StoredBudget,
    found: BudgetLookup,
    at: { readonly by: Revision; readonly now: number },
  ) => readonly Write[];
}

const NO_REVISION: Revision = { claim: '', attempt: 0 };

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
      // The head first: what is read behind it and changed meanwhile is found out when the head is written.
      const head = await readVersioned(table, headKey(tenantId), Head);
      const own = await readVersioned(table, budgetKey(tenantId, ulid), StoredBudget);
      const deleted =
        own === null ? await readVersioned(table, tombstoneKey(tenantId, ulid), StoredBudget) : null;
      return {
        document: {
          budget: own?.document ?? null,
          deleted: deleted?.document ?? null,
          count: head?.document.count ?? 0,
          expectedRevisions: { budget: own?.revision ?? null, head: head?.revision ?? null },
        },
        revision: own?.revision ?? deleted?.revision ?? NO_REVISION,
      };
    },
    create: (tenantId, budget, found, by) => [
      putBudget(tenantId, budget, found, by),
      putCount(tenantId, found.count + 1, found, by),
    ],
    replace: putBudget,
    remove: (tenantId, budget, found, { by, now }) => {
      const ulid = ulidInId(budget.id);
      const ttl = Math.ceil(now / 1_000) + TOMBSTONE_SECONDS;
      return [
        deleteDocument(table, budgetKey(tenantId, ulid)),
        // Once only, so that two who delete it at the same time do not count it out twice.
        writeDocument(table, tombstoneKey(tenantId, ulid), budget, { expectedRevision: null, by, ttl }),
        putCount(tenantId, found.count - 1, found, by),
      ];
    },
  };
};
