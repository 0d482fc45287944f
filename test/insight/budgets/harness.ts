import { budgetsRead, budgetsWrite } from '../../../functions/entries/stores/insight.ts';
import { rollupsRead } from '../../../functions/entries/stores/ledger.ts';
import { type Environment, storesIn } from '../../../functions/entries/stores/provider.ts';
import { budgetEvaluator } from '../../../functions/insight/budgets/alerts/budgetEvaluator.ts';
import {
  budgetEvaluationStore,
  budgetReader,
  budgetWriter,
} from '../../../functions/insight/budgets/budget.store.ts';
import createBudget from '../../../functions/insight/budgets/createBudget.ts';
import deleteBudget from '../../../functions/insight/budgets/deleteBudget.ts';
import getBudget from '../../../functions/insight/budgets/getBudget.ts';
import listBudgetPeriods from '../../../functions/insight/budgets/listBudgetPeriods.ts';
import listBudgets from '../../../functions/insight/budgets/listBudgets.ts';
import updateBudget from '../../../functions/insight/budgets/updateBudget.ts';
import type { TotalsLag } from '../../../functions/ledger/freshness/totalsLag.ts';
import { rollupReader } from '../../../functions/ledger/rollups/rollup.store.ts';
import { outbox } from '../../../functions/platform/outbox/outbox.store.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import { MINUTE_MS } from '../../../schemas/durations.ts';
import { BUDGETS_MAXIMUM } from '../../../schemas/insight/budgets.ts';

import type { TestResponse } from '../../platform/http/harness.ts';
import { startOperations } from '../../platform/http/startOperations.ts';

/** Requests to compare rollups with the ledger, by tenant. */
type RequestedChecks = Map<string, { readonly from: number; readonly to: number }[]>;

const NO_LAG: TotalsLag = { isStale: false, incompleteSince: null };

const operations = {
  create: createBudget,
  list: listBudgets,
  get: getBudget,
  periods: listBudgetPeriods,
  update: updateBudget,
  remove: deleteBudget,
};
export type OperationName = keyof typeof operations;

/** The budget operations, with the totals that they read and the checks that they request. */
export const startBudgetHarness = async () => {
  const requestedChecks: RequestedChecks = new Map();
  const lags = new Map<string, TotalsLag>();
  /** Tenants whose budgets must be evaluated, as the rollups worker does. */
  const evaluations: string[] = [];
  const reader = budgetReader('budgets');
  const world = await startOperations(
    operations,
    (environment: Environment) => ({
      ...storesIn(environment, { budgetsRead, budgetsWrite, rollupsRead }),
      indexLag: {
        totalsLag: async (tenantId: string) => lags.get(tenantId) ?? NO_LAG,
        areRecordsStale: async () => false,
      },
      requestEvaluation: async (tenantId: string) => void evaluations.push(tenantId),
      requestTotalsCheck: async (
        tenantId: string,
        period: { readonly from: number; readonly to: number },
      ) => {
        requestedChecks.set(tenantId, [...(requestedChecks.get(tenantId) ?? []), period]);
      },
    }),
    {
      now: Date.parse('2026-05-20T12:00:00Z'),
      allScopes: ['admin:config', 'read:attribution', 'read:reporting'],
    },
  );
  const evaluate = budgetEvaluator({
    budgets: budgetEvaluationStore('budgets'),
    rollups: rollupReader('rollups'),
    outbox: outbox('outbox'),
    clock: () => world.time.now,
  });
  return {
    ...world,
    /** One call, and the evaluation that it requests. */
    call: async (...[name, sent, scopes]: Parameters<typeof world.call>): Promise<TestResponse> => {
      const answer = await world.call(name, sent, scopes);
      if (sent.tenant !== undefined && evaluations.splice(0).includes(sent.tenant.tenant_id))
        await evaluate(sent.tenant, [Math.floor(world.time.now / MINUTE_MS)]);
      return answer;
    },
    stored: ({ tenant_id }: Tenant) =>
      reader.budgets(tenant_id, { descending: false, limit: BUDGETS_MAXIMUM }),
    /** The stored number of budgets, to compare with the budgets that exist. */
    countOf: async ({ tenant_id }: Tenant): Promise<number> =>
      (await budgetWriter('budgets').head(tenant_id)).count,
    /** The periods whose rollups must be compared with the ledger. */
    requestedChecks: ({ tenant_id }: Tenant) => requestedChecks.get(tenant_id) ?? [],
    /** Sets how far the totals of the tenant are behind. */
    setLag: ({ tenant_id }: Tenant, lag: TotalsLag) => lags.set(tenant_id, lag),
  };
};
export type BudgetHarness = Awaited<ReturnType<typeof startBudgetHarness>>;
