import { budgetWriter, type StoredBudget } from '../../../functions/insight/budgets/budget.store.ts';
import { commit } from '../../../functions/platform/shared/aws/document.store.ts';
import { idOf } from '../../../functions/platform/shared/ids.ts';
import { ulidOf } from '../../../functions/platform/shared/ulid.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import { DEFAULT_THRESHOLDS } from '../../../schemas/insight/budgets.ts';

const CREATED_AT = '2026-01-01T00:00:00.000Z';

let count = 0;

/** Stores a budget of 100 USD a month over all records, and returns it. */
export const openBudget = async (
  tenant: Tenant,
  members: Partial<StoredBudget> = {},
): Promise<StoredBudget> => {
  count += 1;
  const budget: StoredBudget = {
    id: idOf('bud', tenant.tag, ulidOf(Date.parse(CREATED_AT) + count, new Uint8Array(10))),
    name: 'Search',
    ceiling_usd: '100',
    period: 'month',
    scope: {},
    thresholds: DEFAULT_THRESHOLDS,
    forecast_thresholds: [],
    residency: null,
    basis: 'records',
    created_at: CREATED_AT,
    updated_at: CREATED_AT,
    created_by: 'key_1',
    ...members,
  };
  const writer = budgetWriter('budgets');
  const found = await writer.find(tenant.tenant_id, budget.id);
  await commit(writer.change(tenant.tenant_id, found, budget, { claim: `create ${count}`, attempt: 1 }));
  return budget;
};
