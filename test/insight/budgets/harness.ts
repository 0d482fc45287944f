import { auditLog } from '../../../functions/identity/audit/audit.store.ts';
import { budgetReader, budgetWriter } from '../../../functions/insight/budgets/budget.store.ts';
import createBudget from '../../../functions/insight/budgets/createBudget.ts';
import deleteBudget from '../../../functions/insight/budgets/deleteBudget.ts';
import getBudget from '../../../functions/insight/budgets/getBudget.ts';
import listBudgetPeriods from '../../../functions/insight/budgets/listBudgetPeriods.ts';
import listBudgets from '../../../functions/insight/budgets/listBudgets.ts';
import updateBudget from '../../../functions/insight/budgets/updateBudget.ts';
import type { TotalsLag } from '../../../functions/ledger/freshness/totalsLag.ts';
import { rollupReader } from '../../../functions/ledger/rollups/rollup.store.ts';
import type { BoundOperation } from '../../../functions/platform/http/operation.ts';
import { outbox } from '../../../functions/platform/outbox/outbox.store.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import type { Scope } from '../../../schemas/access/scopes.ts';
import { BUDGETS_MAXIMUM } from '../../../schemas/budgets.ts';
import { callAsTenant, type TenantRequest } from '../../platform/http/callAsTenant.ts';
import type { TestResponse } from '../../platform/http/harness.ts';
import { startTables } from '../../support/tables.ts';

/** Requests to compare rollups with the ledger, by tenant. */
type RequestedChecks = Map<string, { readonly from: number; readonly to: number }[]>;

const NO_LAG: TotalsLag = { isStale: false, incompleteSince: null };

const operationsOf = (requestedChecks: RequestedChecks, lags: ReadonlyMap<string, TotalsLag>) => {
  const stores = {
    audit: auditLog('audit'),
    budgets: budgetReader('budgets'),
    budgetWriter: budgetWriter('budgets'),
    rollups: rollupReader('rollups'),
    indexLag: {
      totalsLag: async (tenantId: string) => lags.get(tenantId) ?? NO_LAG,
      areRecordsStale: async () => false,
    },
    requestTotalsCheck: async (tenantId: string, period: { readonly from: number; readonly to: number }) => {
      requestedChecks.set(tenantId, [...(requestedChecks.get(tenantId) ?? []), period]);
    },
    outbox: outbox('outbox'),
    cursorKey: async () => new Uint8Array(32),
  };
  return {
    create: createBudget(stores),
    list: listBudgets(stores),
    get: getBudget(stores),
    periods: listBudgetPeriods(stores),
    update: updateBudget(stores),
    remove: deleteBudget(stores),
  } satisfies Record<string, BoundOperation>;
};
export type OperationName = keyof ReturnType<typeof operationsOf>;

/** The budget operations behind the full middleware pipeline, on real tables, with a test clock. */
export const startBudgetHarness = async () => {
  const live = await startTables();
  const time = { now: Date.parse('2026-05-20T12:00:00Z') };
  const requestedChecks: RequestedChecks = new Map();
  const lags = new Map<string, TotalsLag>();
  const operations = operationsOf(requestedChecks, lags);
  const reader = budgetReader('budgets');

  return {
    live,
    time,
    /** Calls an operation as an administrator of the tenant. `sent.id` is the id of the budget, where the route has one. */
    call: (
      name: OperationName,
      sent: TenantRequest,
      scopes: readonly Scope[] = ['admin:config', 'read:attribution', 'read:reporting'],
    ): Promise<TestResponse> => callAsTenant(operations[name], sent, { scopes, clock: () => time.now }),
    stored: ({ tenant_id }: Tenant) =>
      reader.budgets(tenant_id, { descending: false, limit: BUDGETS_MAXIMUM }),
    /** The stored number of budgets, to compare with the budgets that exist. */
    countOf: async ({ tenant_id }: Tenant): Promise<number> =>
      (await budgetWriter('budgets').head(tenant_id)).count,
    /** The periods whose rollups must be compared with the ledger. */
    requestedChecks: ({ tenant_id }: Tenant) => requestedChecks.get(tenant_id) ?? [],
    /** Sets how far the totals of the tenant are behind. */
    setLag: ({ tenant_id }: Tenant, lag: TotalsLag) => lags.set(tenant_id, lag),
    auditOf: live.auditOf,
  };
};
export type BudgetHarness = Awaited<ReturnType<typeof startBudgetHarness>>;
