import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { vi } from 'vitest';
import { auditLog } from '../../functions/audit/audit.store.ts';
import { budgetReader, budgetWriter } from '../../functions/budgets/budget.store.ts';
import { outbox } from '../../functions/events/outbox.store.ts';
import type { BoundOperation } from '../../functions/http/operation.ts';
import { rollupReader } from '../../functions/rollups/rollup.store.ts';
import type { Tenant } from '../../functions/tenancy/tenant.ts';
import { AuditEntry } from '../../schemas/access/audit.ts';
import { BUDGETS_MAXIMUM } from '../../schemas/budgets.ts';
import { callAsTenant, type TenantRequest } from '../http/callAsTenant.ts';
import { BASE_URL, type TestResponse } from '../http/harness.ts';
import { startTables } from '../shared/tables.ts';

/** Environment variables that the stack sets. They are read once, when the operations are loaded. */
const ENVIRONMENT = { BASE_URL, ENVIRONMENT: 'local', PUBLIC_CONTRACT: 'true' };

const loadOperations = async () => {
  for (const [name, value] of Object.entries(ENVIRONMENT)) vi.stubEnv(name, value);
  const stores = {
    audit: auditLog('audit'),
    budgets: budgetReader('budgets'),
    budgetWriter: budgetWriter('budgets'),
    rollups: rollupReader('rollups'),
    outbox: outbox('outbox'),
    cursorKey: async () => new Uint8Array(32),
  };
  return {
    create: (await import('../../functions/budgets/createBudget.ts')).default(stores),
    list: (await import('../../functions/budgets/listBudgets.ts')).default(stores),
    get: (await import('../../functions/budgets/getBudget.ts')).default(stores),
    update: (await import('../../functions/budgets/updateBudget.ts')).default(stores),
    remove: (await import('../../functions/budgets/deleteBudget.ts')).default(stores),
  } satisfies Record<string, BoundOperation>;
};
export type OperationName = keyof Awaited<ReturnType<typeof loadOperations>>;

/** The budget operations behind the full middleware pipeline, on real tables, with a test clock. */
export const startBudgetHarness = async () => {
  const live = await startTables();
  const time = { now: Date.parse('2026-05-20T12:00:00Z') };
  const operations = await loadOperations();
  const reader = budgetReader('budgets');

  return {
    live,
    time,
    /** Calls an operation as an administrator of the tenant. `sent.id` is the id of the budget, where the route has one. */
    call: (name: OperationName, sent: TenantRequest): Promise<TestResponse> =>
      callAsTenant(operations[name], sent, { scopes: ['admin:config'], clock: () => time.now }),
    stored: ({ tenant_id }: Tenant) =>
      reader.budgets(tenant_id, { descending: false, limit: BUDGETS_MAXIMUM }),
    /** The stored number of budgets, to compare with the budgets that exist. */
    countOf: async ({ tenant_id }: Tenant): Promise<number> =>
      (await budgetWriter('budgets').find(tenant_id, 'none')).document.head.count,
    auditOf: async ({ tenant_id }: Tenant): Promise<AuditEntry[]> => {
      const { Items = [] } = await live.client.send(
        new QueryCommand({
          TableName: 'audit',
          KeyConditionExpression: 'pk = :pk',
          ExpressionAttributeValues: { ':pk': { S: `${tenant_id}#2026-05` } },
          ConsistentRead: true,
        }),
      );
      return Items.map(({ document }) => AuditEntry.parse(JSON.parse(document?.S ?? '')));
    },
  };
};
export type BudgetHarness = Awaited<ReturnType<typeof startBudgetHarness>>;
