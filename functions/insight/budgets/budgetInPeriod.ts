import type { Calendar } from '../../platform/shared/time/calendar.ts';
import type { Interval } from '../../platform/shared/time/interval.ts';
import { type Crossing, periodKey } from './alerts/crossing.ts';
import type { BudgetEvaluationStore, StoredBudget } from './budget.store.ts';
import { periodOf } from './budgetPeriod.ts';

/** A budget in one of its periods. */
export interface BudgetInPeriod {
  readonly budget: StoredBudget;
  readonly period: Interval;
  /** The {@link periodKey} of the period. */
  readonly key: string;
}

export const budgetInPeriod = (
  budget: StoredBudget,
  period: Interval,
  calendar: Calendar,
): BudgetInPeriod => ({ budget, period, key: periodKey(budget.period, period, calendar) });

/** A budget in its period at `now` (epoch milliseconds). */
export const budgetNow = (budget: StoredBudget, now: number, calendar: Calendar): BudgetInPeriod =>
  budgetInPeriod(budget, periodOf(budget.period, now, calendar), calendar);

/** The recorded crossings of budgets in their periods. Reads each period once. */
export const readCrossings = async (
  store: Pick<BudgetEvaluationStore, 'crossings'>,
  tenantId: string,
  budgets: readonly BudgetInPeriod[],
): Promise<(one: Pick<BudgetInPeriod, 'key'>) => readonly Crossing[]> => {
  const keys = [...new Set(budgets.map(({ key }) => key))];
  const read = await Promise.all(
    keys.map(async (key) => [key, await store.crossings(tenantId, key)] as const),
  );
  const byKey = new Map(read);
  return ({ key }) => byKey.get(key) ?? [];
};
