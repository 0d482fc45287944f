import type { BudgetPatch, BudgetRequest } from '../../schemas/routes/budgets.ts';
import { decimal } from '../shared/decimal.ts';
import { ProblemError } from '../shared/problem.ts';
import type { Caller } from '../tenancy/caller.ts';
import { isInLane } from '../tenancy/residency.ts';
import type { StoredBudget } from './budget.store.ts';

export const noSuchBudget = () => new ProblemError('NOT_FOUND', 'There is no such budget.');

/** The budget, where there is one that the caller may see. Throws NOT_FOUND, or RESIDENCY_BLOCKED for another lane's. */
export const requireVisible = (
  { residency }: Pick<Caller, 'residency'>,
  budget: StoredBudget | null,
): StoredBudget => {
  if (budget === null) throw noSuchBudget();
  if (isInLane(budget, residency)) return budget;
  throw new ProblemError(
    'RESIDENCY_BLOCKED',
    'The budget counts another lane than the credential is bound to.',
  );
};

/** A budget as it is asked for; `at` is epoch milliseconds. */
export const newBudget = (
  { name, ceiling_usd, period, scope = {} }: BudgetRequest,
  making: {
    readonly id: string;
    readonly residency: string | null;
    readonly at: number;
    readonly by: string;
  },
): StoredBudget => {
  const at = new Date(making.at).toISOString();
  return {
    id: making.id,
    name,
    ceiling_usd,
    period,
    scope,
    residency: making.residency,
    created_at: at,
    updated_at: at,
    created_by: making.by,
    arms: {},
  };
};

/** A budget after a JSON merge patch (RFC 7396), at `at` (epoch milliseconds), before its thresholds are armed anew. */
export const patchBudget = (budget: StoredBudget, patch: BudgetPatch, at: number): StoredBudget => ({
  ...budget,
  name: patch.name ?? budget.name,
  ceiling_usd: patch.ceiling_usd ?? budget.ceiling_usd,
  period: patch.period ?? budget.period,
  scope: patch.scope ?? budget.scope,
  updated_at: new Date(at).toISOString(),
});

/** Whether two budgets differ in what they count or allow, not just in their name. */
export const differInTerms = (one: StoredBudget, other: StoredBudget): boolean => {
  const termsOf = ({ ceiling_usd, period, scope }: StoredBudget) =>
    JSON.stringify([
      decimal(ceiling_usd),
      period,
      scope.owner,
      scope.service,
      scope.provider,
      scope.tags?.toSorted(),
    ]);
  return termsOf(one) !== termsOf(other);
};
