import * as z from 'zod';
import { DAY_SECONDS } from '../../../schemas/durations.ts';
import { BUDGETS_MAXIMUM, Budget } from '../../../schemas/insight/budgets.ts';
import {
  type Count,
  type CountedCollection,
  countedCollection,
  headWithCount,
} from '../../platform/shared/aws/countedCollection.store.ts';
import {
  type DocumentRange,
  listReadable,
  type Revision,
  type Write,
  writeDocument,
} from '../../platform/shared/aws/document.store.ts';
import { ulidInId } from '../../platform/shared/ids.ts';
import type { Interval } from '../../platform/shared/time/interval.ts';
import { Crossing } from './alerts/crossing.ts';

/**
 * Safe upper bound for a period: thirty crossings per budget, by spend and by both likelihoods of the forecast, plus one for
 * each change that rearmed a threshold.
 */
const CROSSINGS_MAXIMUM = 20_000;

/** Crossings are kept for this long after the end of their period, far longer than the period is evaluated. */
const CROSSING_RETENTION_SECONDS = 60 * DAY_SECONDS;

/** When a crossing of a period expires, in seconds since the epoch. */
export const crossingTtl = ({ to }: Interval, now: number): number =>
  Math.ceil(Math.max(to, now) / 1_000) + CROSSING_RETENTION_SECONDS;

/** A budget, and when its ceiling, period or scope last changed. Absent if they never did. */
export const StoredBudget = Budget.extend({ terms_changed_at: z.iso.datetime().optional() });
export type StoredBudget = z.infer<typeof StoredBudget>;

const budgetCollection = (table: string) =>
  countedCollection(table, {
    prefix: 'budget',
    name: 'budgets',
    shape: StoredBudget,
    ...headWithCount,
  });
const crossingPartition = (tenantId: string, period: string): string => `crossing#${tenantId}#${period}`;

/** A crossing changes once: when it is rearmed. */
const revisionOf = ({ crossed_at, rearmed_at }: Crossing): Revision => ({
  claim: crossed_at,
  attempt: rearmed_at === undefined ? 1 : 2,
});

interface CrossingReader {
  /** The crossings recorded in a period (`periodKey`). */
  readonly crossings: (tenantId: string, period: string) => Promise<Crossing[]>;
}

const crossingReader = (table: string): CrossingReader => ({
  crossings: (tenantId, period) =>
    listReadable(
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
  budget: budgetCollection(table).read,
  budgets: budgetCollection(table).list,
});

/** Access to budgets for the budget evaluator. */
export interface BudgetEvaluationStore extends CrossingReader {
  readonly all: (tenantId: string) => Promise<StoredBudget[]>;
  /**
   * Returns the write that records a crossing, or that it is rearmed. The write fails when the stored crossing is not
   * `previous`, or when there is one although `previous` is null.
   */
  readonly recordCrossing: (
    tenantId: string,
    crossing: Crossing,
    at: { readonly period: string; readonly previous: Crossing | null; readonly ttl: number },
  ) => Write;
}

export const budgetEvaluationStore = (table: string): BudgetEvaluationStore => ({
  ...crossingReader(table),
  all: (tenantId) => budgetCollection(table).list(tenantId, { descending: false, limit: BUDGETS_MAXIMUM }),
  recordCrossing: (tenantId, crossing, { period, previous, ttl }) => {
    const { budget_id, threshold, likelihood, rearm_count } = crossing;
    const sk = [
      ulidInId(budget_id),
      threshold,
      ...(likelihood === undefined ? [] : [likelihood]),
      rearm_count,
    ].join('#');
    return writeDocument(table, { pk: crossingPartition(tenantId, period), sk }, crossing, {
      expectedRevision: previous === null ? null : revisionOf(previous),
      by: revisionOf(crossing),
      ttl,
    });
  },
});

export type BudgetWriter = BudgetEvaluationStore & CountedCollection<StoredBudget, Count>;

export const budgetWriter = (table: string): BudgetWriter => ({
  ...budgetEvaluationStore(table),
  ...budgetCollection(table),
});
