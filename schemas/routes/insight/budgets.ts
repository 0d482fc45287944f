import * as z from 'zod';
import {
  BUDGET_PERIODS_MAXIMUM,
  BUDGETS_MAXIMUM,
  BudgetPeriodRecord,
  BudgetRecord,
  budgetMembers,
  DEFAULT_THRESHOLDS,
} from '../../insight/budgets.ts';
import { Cursor, PageLimit, pageOf } from '../../page.ts';
import { route } from '../route.ts';

const BUDGET_BYTES_MAXIMUM = 16 * 1_024;

const { name, ceiling_usd, period, scope, thresholds, forecast_thresholds } = budgetMembers;

const ALERTS = `A budget only alerts. It does not block calls. At each of its thresholds it emits budget.threshold.crossed, once for each threshold and period, within one minute after the spend appears in reports. A correction that lowers the spend by more than 5 % of the ceiling below a threshold rearms it; below 10 %, half of the threshold is enough. At each of forecast_thresholds it emits budget.forecast.crossed, looked at once an hour: once when the high end of the forecast range reaches the threshold (possible), and once when the low end does (likely). A threshold that the spend has reached has no forecast alert.`;

const BudgetRequest = z
  .strictObject({
    name,
    ceiling_usd,
    period,
    scope: scope.optional().meta({ description: 'Default: all calls' }),
    thresholds: thresholds.optional().meta({ description: `Default: ${DEFAULT_THRESHOLDS.join(', ')}` }),
    forecast_thresholds: forecast_thresholds.optional().meta({ description: 'Default: none' }),
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
    scope: scope.optional().meta({ description: 'Replaces the whole scope' }),
    thresholds: thresholds.optional().meta({ description: 'Replaces all thresholds' }),
    forecast_thresholds: forecast_thresholds.optional().meta({ description: 'Replaces all thresholds' }),
  })
  .meta({
    id: 'BudgetPatch',
    description: 'Omitted members do not change (JSON Merge Patch, RFC 7396)',
    example: { ceiling_usd: '7500' },
  });
export type BudgetPatch = z.infer<typeof BudgetPatch>;

export const createBudget = route({
  method: 'POST',
  path: '/api/v1/budgets',
  operation: 'createBudget',
  limits: { resources: BUDGETS_MAXIMUM },
  authority: {
    effect: 'settings',
    reveals: [],
    withholds: ['read:reporting', 'read:attribution'],
    lanes: 'own',
  },
  unit: 'budgets',
  summary: 'Create a budget with alerts',
  description: `${ALERTS} Spend of the current period before the creation counts. The response has no figures yet: they are evaluated, usually within seconds. Calls without a known price are not in the spend; unpriced_invocations is their number. A budget created with a credential bound to a residency lane counts only that lane. A credential without read:attribution creates a budget with the basis cohorts: it counts what the usage report shows under the same names, and takes no tags. A tenant can have ${BUDGETS_MAXIMUM} budgets; beyond that the response is VALIDATION_FAILED.`,
  access: 'admin:config',
  alternative: 'finance:config',
  discloses: 'cohorts_or_records',
  rate: 'write',
  needs: ['budgets.write', 'rollups.check'],
  body: { kind: 'json', schema: BudgetRequest, maxBytes: BUDGET_BYTES_MAXIMUM },
  audit: 'budget.create',
  replies: { 201: { description: 'The budget, without its figures', body: BudgetRecord } },
});

export const listBudgets = route({
  method: 'GET',
  path: '/api/v1/budgets',
  operation: 'listBudgets',
  authority: { effect: 'none', reveals: [], withholds: ['read:reporting', 'read:attribution'], lanes: 'own' },
  unit: 'budgets',
  summary: 'List budgets with their current spend, newest first',
  description: 'A credential bound to a residency lane sees only the budgets of that lane.',
  access: 'admin:config',
  alternative: 'read:reporting',
  discloses: 'cohorts_or_records',
  rate: 'read',
  needs: ['budgets.read', 'rollups.read', 'progress.read', 'cursor.derive'],
  query: z.strictObject({ cursor: Cursor.optional(), limit: PageLimit.optional() }),
  replies: { 200: { description: 'A page of budgets', body: pageOf(BudgetRecord, 'BudgetPage') } },
});

export const getBudget = route({
  method: 'GET',
  path: '/api/v1/budgets/{id}',
  operation: 'getBudget',
  authority: { effect: 'none', reveals: [], withholds: ['read:reporting', 'read:attribution'], lanes: 'own' },
  unit: 'budgets',
  summary: 'Read one budget with its current spend',
  description: 'The spend is that of the current period in UTC, and as recent as the usage report.',
  access: 'admin:config',
  alternative: 'read:reporting',
  discloses: 'cohorts_or_records',
  rate: 'read',
  needs: ['budgets.read', 'rollups.read', 'progress.read'],
  ids: { id: 'bud' },
  replies: { 200: { description: 'The budget', body: BudgetRecord } },
});

export const listBudgetPeriods = route({
  method: 'GET',
  path: '/api/v1/budgets/{id}/periods',
  operation: 'listBudgetPeriods',
  authority: { effect: 'none', reveals: [], withholds: ['read:reporting', 'read:attribution'], lanes: 'own' },
  unit: 'budgets',
  summary: 'Read the spend of a budget in its current and earlier periods, newest first',
  description: `Earlier periods are measured with the present scope and ceiling, also those before the creation of the budget, as far back as records are kept. Periods of a rolling budget are ranges of 30 days, one after the other. Calls from before the first budget that names a tag are not in the sums of that tag.`,
  access: 'admin:config',
  alternative: 'read:reporting',
  discloses: 'cohorts_or_records',
  rate: 'read',
  needs: ['budgets.read', 'rollups.read', 'progress.read', 'cursor.derive'],
  ids: { id: 'bud' },
  query: z.strictObject({ cursor: Cursor.optional(), limit: PageLimit.optional() }),
  replies: {
    200: {
      description: `A page of the periods of the budget, at most ${BUDGET_PERIODS_MAXIMUM}`,
      body: pageOf(BudgetPeriodRecord, 'BudgetPeriods'),
    },
  },
});

export const updateBudget = route({
  method: 'PATCH',
  path: '/api/v1/budgets/{id}',
  operation: 'updateBudget',
  authority: {
    effect: 'settings',
    reveals: [],
    withholds: ['read:reporting', 'read:attribution'],
    lanes: 'own',
  },
  unit: 'budgets',
  summary: 'Change a budget',
  description: `The budget alerts as createBudget says. The response has no figures yet. After a change of ceiling, scope or period, the spend of the current period is evaluated, usually within seconds. A threshold that was already reported is reported again only if the change moved the spend below it. To change the ceiling, period or scope of a budget that counts records, the caller needs read:attribution. Otherwise it could find out the spend by trying ceilings.`,
  access: 'admin:config',
  alternative: 'finance:config',
  discloses: 'cohorts_or_records',
  rate: 'write',
  needs: ['budgets.write', 'rollups.check'],
  ids: { id: 'bud' },
  body: { kind: 'json', schema: BudgetPatch, maxBytes: BUDGET_BYTES_MAXIMUM },
  audit: 'budget.update',
  replies: { 200: { description: 'The changed budget, without its figures', body: BudgetRecord } },
});

export const deleteBudget = route({
  method: 'DELETE',
  path: '/api/v1/budgets/{id}',
  operation: 'deleteBudget',
  authority: { effect: 'deletion', reveals: [], lanes: 'own' },
  unit: 'budgets',
  summary: 'Delete a budget',
  description: 'The budget emits no further alerts. Alerts that were emitted remain in the notifications.',
  access: 'admin:config',
  alternative: 'finance:config',
  discloses: 'none',
  rate: 'write',
  needs: ['budgets.write'],
  ids: { id: 'bud' },
  audit: 'budget.delete',
  replies: { 204: { description: 'The budget is deleted' } },
});
