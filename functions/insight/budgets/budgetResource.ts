import { BUDGETS_MAXIMUM } from '../../../schemas/insight/budgets.ts';
import { tenantResource } from '../../identity/audit/tenantResource.ts';
import { type BudgetWriter, StoredBudget } from './budget.store.ts';
import { requireVisible } from './budgetChanges.ts';

export const budgetResource = (budgets: BudgetWriter) =>
  tenantResource(
    {
      shape: StoredBudget,
      name: 'budget',
      idPrefix: 'bud',
      maximum: BUDGETS_MAXIMUM,
      requireVisible,
      configuration: ({ terms_changed_at: _at, ...budget }) => budget,
    },
    budgets,
  );
