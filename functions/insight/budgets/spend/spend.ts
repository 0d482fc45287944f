import {
  type Budget,
  type BudgetScope,
  SCOPE_LABELS,
  type SpendByState,
} from '../../../../schemas/insight/budgets.ts';
import type { Dimensions, Rollup } from '../../../../schemas/ledger/rollup.ts';
import { answerStateOf } from '../../../ledger/cohorts/answerState.ts';
import type { Cohort } from '../../../ledger/cohorts/cohorts.ts';
import { figuresOf } from '../../../ledger/cohorts/cohortTotals.ts';
import type { CohortsResult } from '../../../ledger/cohorts/readCohorts.ts';
import { noFigures } from '../../../ledger/rollups/figures.ts';
import { startOf } from '../../../ledger/rollups/grain.ts';
import { addDecimals } from '../../../platform/shared/decimal.ts';
import type { Interval } from '../../../platform/shared/time/interval.ts';
import { isInLane } from '../../../platform/tenancy/residency.ts';
import { addToState, sumByState } from './spendByState.ts';

/**
 * Cost of the calls in a budget's scope on one day or a part of it, in USD. `priced` counts the calls with a known price, and
 * `unpriced` those without.
 */
export interface DaySpend {
  readonly spent: string;
  readonly byState: SpendByState;
  readonly priced: number;
  readonly unpriced: number;
  readonly asOf: number;
}

/**
 * Spend by UTC day, which the ends of periods of another time zone divide: by the start of each part (epoch milliseconds).
 * Parts without calls are left out.
 */
export type SpendByDay = ReadonlyMap<number, DaySpend>;

/** The start of the part of a UTC day in which an instant is. */
const partOf = (at: number, ends: readonly number[]): number =>
  Math.max(startOf('day', at), ...ends.filter((end) => end <= at));

/** The labels of calls that the scope of a budget names. */
export type CallLabels = Pick<Dimensions, (typeof SCOPE_LABELS)[number] | 'tags'>;

const matchesLabels = (
  scope: BudgetScope,
  labels: Readonly<Partial<Record<(typeof SCOPE_LABELS)[number], string | null>>>,
): boolean => SCOPE_LABELS.every((label) => scope[label] === undefined || labels[label] === scope[label]);

/** Whether calls with these dimensions are in the scope of a budget. */
export const inScope = ({ tags = [], ...labels }: BudgetScope, dimensions: CallLabels): boolean =>
  matchesLabels(labels, dimensions) && tags.every((tag) => dimensions.tags.includes(tag));

const NO_SPEND = { spent: '0', byState: {}, priced: 0, unpriced: 0 };

/** Sums the cost of the calls in a budget's scope and lane by day. The rollups must not contain an end. */
export const spendOfRecords = (
  { scope, residency }: Pick<Budget, 'scope' | 'residency'>,
  rollups: readonly Rollup[],
  ends: readonly number[] = [],
): SpendByDay => {
  const days = new Map<number, DaySpend>();
  for (const { start, asOf, groups } of rollups) {
    const inBudget = groups.filter(
      ({ dimensions }) => isInLane(dimensions.residency, residency) && inScope(scope, dimensions),
    );
    if (inBudget.length === 0) continue;
    const day = partOf(start, ends);
    let { spent, byState, priced, unpriced, asOf: newest } = days.get(day) ?? { ...NO_SPEND, asOf };
    for (const { dimensions, figures } of inBudget) {
      spent = addDecimals(spent, figures.cost_usd.central);
      byState = addToState(byState, dimensions.owner_state, figures.cost_usd.central);
      unpriced += figures.cost_usd.unknown;
      priced += figures.invocations - figures.cost_usd.unknown;
    }
    newest = Math.max(newest, asOf);
    days.set(day, { spent, byState, priced, unpriced, asOf: newest });
  }
  return days;
};

/**
 * Sums the cost of the cohorts in a budget's scope and lane by day. Calls with a suppressed label do not match a scope that
 * names it, as in the usage report. Cohorts have no tags, so a budget with tags always counts records.
 */
export const spendOfCohorts = (
  { scope, residency }: Pick<Budget, 'scope' | 'residency'>,
  { cohorts, newest, madeOn }: CohortsResult,
  ends: readonly number[] = [],
): SpendByDay => {
  const matches = ({ lane, labels }: Cohort): boolean =>
    isInLane(lane, residency) && matchesLabels(scope, labels);
  const byDay = Map.groupBy(cohorts.filter(matches), ({ at }) => partOf(at, ends));
  return new Map(
    [...byDay].map(([day, own]) => {
      const sumOf = (some: readonly Cohort[]) =>
        figuresOf(some, ({ invocations, cost_usd }) => ({ ...noFigures, invocations, cost_usd }));
      const { invocations, cost_usd: cost } = sumOf(own);
      const byState = Object.fromEntries(
        [...Map.groupBy(own, (cohort) => answerStateOf(cohort, 'owner'))].map(([state, some]) => [
          state,
          sumOf(some).cost_usd.central,
        ]),
      );
      const priced = invocations - cost.unknown;
      const asOf = madeOn.get(startOf('day', day)) ?? newest ?? day;
      return [day, { spent: cost.central, byState, priced, unpriced: cost.unknown, asOf }];
    }),
  );
};

/** Spend of a period in USD. `asOf` is when its newest rollup was computed (epoch milliseconds), null without rollups. */
export interface Spend {
  readonly spent: string;
  readonly byState: SpendByState;
  readonly priced: number;
  readonly unpriced: number;
  readonly asOf: number | null;
}

export const spendWithin = (days: SpendByDay, { from, to }: Interval): Spend => {
  let total: Spend = { ...NO_SPEND, asOf: null };
  for (const [day, { spent, byState, priced, unpriced, asOf }] of days) {
    if (day < from || day >= to) continue;
    total = {
      spent: addDecimals(total.spent, spent),
      byState: sumByState(total.byState, byState),
      priced: total.priced + priced,
      unpriced: total.unpriced + unpriced,
      asOf: Math.max(total.asOf ?? asOf, asOf),
    };
  }
  return total;
};
