import * as z from 'zod';
import { BUDGETS_MAXIMUM, BudgetRecord, budgetMembers, thresholds } from '../budgets.ts';
import { Cursor, PageLimit, pageOf } from '../page.ts';
import { route } from './route.ts';

const BUDGET_BYTES_MAXIMUM = 16 * 1_024;

const { name, ceiling_usd, period, scope } = budgetMembers;

const ALERTS = `A budget alerts and does not cap: it stops no call. At ${thresholds.join(', ')} % of the ceiling budget.threshold.crossed is raised, once each in a period, within a minute after the spend can be read.`;

const BudgetRequest = z
  .strictObject({
    name,
    ceiling_usd,
    period,
    scope: scope.optional().meta({ description: 'Default: every call' }),
  })
  .meta({
    id: 'BudgetRequest',
    example: { name: 'Search', ceiling_usd: '5000', period: 'month', scope: { owner: 'team-search' } },
  });
export type BudgetRequest = z.infer<typeof BudgetRequest>;

const BudgetPatch = z
  .strictObject({
    name: name.optional(),
    ceiling_usd: ceiling_usd.optional(),
    period: period.optional(),
    scope: scope.optional().meta({ description: 'Replaces the scope as a whole' }),
  })
  .meta({
    id: 'BudgetPatch',
    description: 'What is not named stays as it is (RFC 7396)',
    example: { ceiling_usd: '7500' },
  });
export type BudgetPatch = z.infer<typeof BudgetPatch>;

export const createBudget = route({
  method: 'POST',
  path: '/api/v1/budgets',
  operation: 'createBudget',
  effect: 'settings',
  unit: 'budgets',
  summary: 'Have spend watched against a ceiling',
  description: `${ALERTS} What the current period has cost already counts. Calls without a known price cost an unknown amount and count for nothing: unpriced_invocations tells how many there are. Made by a credential that is bound to a residency lane, a budget counts that lane alone. VALIDATION_FAILED once the tenant has ${BUDGETS_MAXIMUM}.`,
  access: 'admin:config',
  rate: 'write',
  needs: ['budgets.write', 'rollups.read', 'outbox.append'],
  body: { kind: 'json', schema: BudgetRequest, maxBytes: BUDGET_BYTES_MAXIMUM },
  audit: 'budget.create',
  replies: { 201: { description: 'The budget, and where it stands', body: BudgetRecord } },
});

export const listBudgets = route({
  method: 'GET',
  path: '/api/v1/budgets',
  operation: 'listBudgets',
  unit: 'budgets',
  summary: 'List budgets and where they stand, newest first',
  description: 'A credential that is bound to a residency lane sees the budgets of that lane.',
  access: 'admin:config',
  rate: 'read',
  needs: ['budgets.read', 'rollups.read', 'cursor.derive'],
  query: z.strictObject({ cursor: Cursor.optional(), limit: PageLimit.optional() }),
  replies: { 200: { description: 'A page of budgets', body: pageOf(BudgetRecord, 'BudgetPage') } },
});

export const getBudget = route({
  method: 'GET',
  path: '/api/v1/budgets/{id}',
  operation: 'getBudget',
  unit: 'budgets',
  summary: 'Read one budget and where it stands',
  access: 'admin:config',
  rate: 'read',
  needs: ['budgets.read', 'rollups.read'],
  ids: { id: 'bud' },
  replies: { 200: { description: 'The budget', body: BudgetRecord } },
});

export const updateBudget = route({
  method: 'PATCH',
  path: '/api/v1/budgets/{id}',
  operation: 'updateBudget',
  effect: 'settings',
  unit: 'budgets',
  summary: 'Change a budget',
  description: `${ALERTS} After a change of ceiling, scope or period the spend of the current period is held against the new terms at once: a threshold that was told already is told again only if the change put the spend below it.`,
  access: 'admin:config',
  rate: 'write',
  needs: ['budgets.write', 'rollups.read', 'outbox.append'],
  ids: { id: 'bud' },
  body: { kind: 'json', schema: BudgetPatch, maxBytes: BUDGET_BYTES_MAXIMUM },
  audit: 'budget.update',
  replies: { 200: { description: 'The budget as it is now', body: BudgetRecord } },
});

export const deleteBudget = route({
  method: 'DELETE',
  path: '/api/v1/budgets/{id}',
  operation: 'deleteBudget',
  effect: 'deletion',
  unit: 'budgets',
  summary: 'Delete a budget',
  access: 'admin:config',
  rate: 'write',
  needs: ['budgets.write'],
  ids: { id: 'bud' },
  audit: 'budget.delete',
  replies: { 204: { description: 'It is deleted' } },
});
