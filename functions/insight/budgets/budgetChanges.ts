import { type BudgetBasis, type BudgetScope, DEFAULT_THRESHOLDS } from '../../../schemas/insight/budgets.ts';
import { RECORDS_SCOPE } from '../../../schemas/routes/disclosure.ts';
import type { BudgetPatch, BudgetRequest } from '../../../schemas/routes/insight/budgets.ts';
import { decimal } from '../../platform/shared/decimal.ts';
import { ProblemError } from '../../platform/shared/problem.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';
import type { Caller } from '../../platform/tenancy/caller.ts';
import { isInLane } from '../../platform/tenancy/residency.ts';
import type { StoredBudget } from './budget.store.ts';

/** Returns the budget. Throws NOT_FOUND when there is none, and RESIDENCY_BLOCKED when it belongs to another lane. */
export const requireVisible = (
  { residency }: Pick<Caller, 'residency'>,
  budget: StoredBudget | null,
): StoredBudget => {
  if (budget === null) throw new ProblemError('NOT_FOUND', 'Budget not found.');
  if (isInLane(budget.residency, residency)) return budget;
  throw new ProblemError(
    'RESIDENCY_BLOCKED',
    'The credential is bound to a residency lane, and the budget belongs to another.',
  );
};

const recordsScopeMissing = (reason: string) =>
  new ProblemError('INSUFFICIENT_SCOPE', `${reason}, so this needs the scope ${RECORDS_SCOPE}.`, {
    headers: { 'www-authenticate': `Bearer error="insufficient_scope", scope="${RECORDS_SCOPE}"` },
  });

/**
 * Which calls a new budget of this caller counts. Thresholds are figures too: by trying ceilings, a caller could find out
 * the spend of one person. Throws INSUFFICIENT_SCOPE for tags, which cohorts do not have.
 */
export const basisFor = (
  { scopes }: Pick<Caller, 'scopes'>,
  { tags }: Pick<BudgetScope, 'tags'> = {},
): BudgetBasis => {
  if (scopes.has(RECORDS_SCOPE)) return 'records';
  if (tags !== undefined) throw recordsScopeMissing('A budget with tags counts records');
  return 'cohorts';
};

/** Throws INSUFFICIENT_SCOPE or VALIDATION_FAILED unless the caller may make this change. A name can always change. */
export const requireChangeable = (
  { scopes }: Pick<Caller, 'scopes'>,
  { basis }: Pick<StoredBudget, 'basis'>,
  { name: _name, ...terms }: BudgetPatch,
): void => {
  const changesTerms = Object.values(terms).some((value) => value !== undefined);
  if (basis === 'records' && changesTerms && !scopes.has(RECORDS_SCOPE))
    throw recordsScopeMissing('The budget counts records');
  if (basis === 'cohorts' && terms.scope?.tags !== undefined) {
    throw new ProblemError('VALIDATION_FAILED', 'The budget counts cohorts, which have no tags.', {
      errors: [{ pointer: '/scope/tags', detail: 'must not be given for a budget that counts cohorts' }],
    });
  }
};

const ascending = (thresholds: readonly number[]): number[] =>
  thresholds.toSorted((one, other) => one - other);

/** Returns the budget of a create request. `at` is epoch milliseconds. */
export const newBudget = (
  {
    name,
    ceiling_usd,
    period,
    scope = {},
    thresholds = DEFAULT_THRESHOLDS,
    forecast_thresholds = [],
  }: BudgetRequest,
  creation: {
    readonly id: string;
    readonly residency: string | null;
    readonly basis: BudgetBasis;
    readonly at: number;
    readonly by: string;
  },
): StoredBudget => {
  const at = toIso(creation.at);
  return {
    id: creation.id,
    name,
    ceiling_usd,
    period,
    scope,
    thresholds: ascending(thresholds),
    forecast_thresholds: ascending(forecast_thresholds),
    residency: creation.residency,
    basis: creation.basis,
    created_at: at,
    updated_at: at,
    created_by: creation.by,
  };
};

/** Whether two versions of a budget differ in ceiling, period or scope. The name does not count. */
const differInTerms = (one: StoredBudget, other: StoredBudget): boolean => {
  const termsOf = ({ ceiling_usd, period, scope }: StoredBudget) =>
    JSON.stringify([
      decimal(ceiling_usd),
      period,
      Object.entries({ ...scope, tags: scope.tags?.toSorted() }).sort(),
    ]);
  return termsOf(one) !== termsOf(other);
};

/** Applies a JSON merge patch (RFC 7396) at `at` (epoch milliseconds). */
export const patchBudget = (budget: StoredBudget, patch: BudgetPatch, at: number): StoredBudget => {
  const patched = {
    ...budget,
    name: patch.name ?? budget.name,
    ceiling_usd: patch.ceiling_usd ?? budget.ceiling_usd,
    period: patch.period ?? budget.period,
    scope: patch.scope ?? budget.scope,
    thresholds: ascending(patch.thresholds ?? budget.thresholds),
    forecast_thresholds: ascending(patch.forecast_thresholds ?? budget.forecast_thresholds),
    updated_at: toIso(at),
  };
  return differInTerms(budget, patched) ? { ...patched, terms_changed_at: toIso(at) } : patched;
};
