import { RECORDS_SCOPE } from '../../../schemas/routes/disclosure.ts';
import type { BudgetStanding } from '../../../schemas/routes/insight/lookup.ts';
import type { Caller } from '../../platform/tenancy/caller.ts';
import { isInLane } from '../../platform/tenancy/residency.ts';
import { homeLane } from '../../platform/tenancy/tenant.ts';
import { crossedThresholds } from '../budgets/alerts/crossing.ts';
import { type CallLabels, inScope } from '../budgets/spend/spend.ts';
import type { LookupContext } from './lookupContext.ts';

/**
 * The budgets that would count a call of this caller at `now` (epoch milliseconds), with the thresholds that were
 * notified. Sums are not read: the evaluator records a crossing within a minute after the spend appears in reports.
 */
export const budgetStandings = (
  { budgets, crossingsOf }: Pick<LookupContext, 'budgets' | 'crossingsOf'>,
  call: CallLabels,
  { scopes, residency, tenant }: Pick<Caller, 'scopes' | 'residency' | 'tenant'>,
  now: number,
): BudgetStanding[] => {
  const lane = residency ?? homeLane(tenant);
  return budgets
    .filter(
      (budget) =>
        isInLane(budget.residency, residency) &&
        isInLane(lane, budget.residency) &&
        inScope(budget.scope, call),
    )
    .map((budget) => ({
      budget_id: budget.id,
      period: budget.period,
      crossed:
        budget.basis === 'records' && !scopes.has(RECORDS_SCOPE)
          ? null
          : crossedThresholds(budget, crossingsOf(budget), now),
    }))
    .sort((one, other) => (other.crossed?.at(-1) ?? 0) - (one.crossed?.at(-1) ?? 0));
};
