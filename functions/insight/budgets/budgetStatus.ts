import type { FieldError } from '../../../schemas/fieldError.ts';
import type { Scope } from '../../../schemas/identity/scopes.ts';
import type { BudgetBasis, BudgetRecord } from '../../../schemas/insight/budgets.ts';
import { RECORDS_SCOPE } from '../../../schemas/routes/disclosure.ts';
import type { IndexLag } from '../../ledger/freshness/indexLag.ts';
import { completeUntil, type TotalsLag } from '../../ledger/freshness/totalsLag.ts';
import type { RollupReader } from '../../ledger/rollups/rollup.store.ts';
import type { Calendar } from '../../platform/shared/time/calendar.ts';
import { isoOrNull } from '../../platform/shared/time/toIso.ts';
import type { Caller } from '../../platform/tenancy/caller.ts';
import { calendarOf, type Tenant } from '../../platform/tenancy/tenant.ts';
import { lookback } from '../trends/periodForecast.ts';
import { type Crossing, crossedThresholds } from './alerts/crossing.ts';
import type { BudgetReader, StoredBudget } from './budget.store.ts';
import { type BudgetInPeriod, budgetNow, readCrossings } from './budgetInPeriod.ts';
import { betweenOf, periodOf } from './budgetPeriod.ts';
import { scopeWarnings } from './scopeWarnings.ts';
import { forecast } from './spend/forecast.ts';
import { readSpend } from './spend/readSpend.ts';
import { type SpendByDay, spendWithin } from './spend/spend.ts';

const NO_FIGURES = {
  period_to_date_usd: null,
  spent_by_owner_state: null,
  unpriced_invocations: null,
  forecast_usd: null,
  forecast_range_usd: null,
  forecast_unknown: null,
  crossed: null,
  warnings: null,
  as_of: null,
};

/** The budget with spend, forecast and crossed thresholds of its current period, at `now` (epoch milliseconds). */
const budgetStatus = (
  { budget: { terms_changed_at: _changed, ...budget }, period }: BudgetInPeriod,
  days: SpendByDay,
  crossings: readonly Crossing[],
  warnings: readonly FieldError[],
  lag: TotalsLag,
  now: number,
  calendar: Calendar,
): BudgetRecord => {
  const { spent, byState, unpriced, asOf } = spendWithin(days, period);
  const complete = completeUntil(asOf, lag, now);
  return {
    ...budget,
    time_zone: calendar.timeZone,
    current_period: betweenOf(period),
    period_to_date_usd: spent,
    spent_by_owner_state: byState,
    unpriced_invocations: unpriced,
    ...forecast(days, period, now),
    crossed: crossedThresholds(budget, crossings, now),
    warnings: [...warnings],
    as_of: isoOrNull(complete),
    stale: lag.isStale,
  };
};

/** A budget that was just written. Its spend is read afterwards, because that takes longer the more there is. */
export const unevaluated = (
  { terms_changed_at: _changed, ...budget }: StoredBudget,
  now: number,
  calendar: Calendar,
): BudgetRecord => ({
  ...budget,
  time_zone: calendar.timeZone,
  current_period: betweenOf(periodOf(budget.period, now, calendar)),
  ...NO_FIGURES,
  stale: true,
});

/** {@link budgetStatus} of several budgets, in the order given. */
export const budgetStatuses = async (
  stores: {
    readonly budgets: Pick<BudgetReader, 'crossings'>;
    readonly rollups: RollupReader;
    readonly indexLag: Pick<IndexLag, 'totalsLag'>;
  },
  tenant: Pick<Tenant, 'tenant_id' | 'time_zone'>,
  budgets: readonly StoredBudget[],
  now: number,
): Promise<BudgetRecord[]> => {
  if (budgets.length === 0) return [];
  const { tenant_id: tenantId } = tenant;
  const calendar = calendarOf(tenant);
  const current = budgets.map((budget) => budgetNow(budget, now, calendar));
  const periods = [...current.map(({ period }) => period), lookback(now)];
  const [{ spendOf, labelsOf }, crossingsOf, lag] = await Promise.all([
    readSpend(stores.rollups, tenantId, budgets, periods),
    readCrossings(stores.budgets, tenantId, current),
    stores.indexLag.totalsLag(tenantId),
  ]);
  return current.map((one) =>
    budgetStatus(
      one,
      spendOf(one.budget),
      crossingsOf(one),
      scopeWarnings(one.budget.scope, labelsOf(one.budget)),
      lag,
      now,
      calendar,
    ),
  );
};

/** The scope that reads the figures of a budget: that of the usage report, or that of single records. */
const figuresScope: Readonly<Record<BudgetBasis, Scope>> = {
  cohorts: 'read:reporting',
  records: RECORDS_SCOPE,
};

/** Whether a caller may see the spend of a budget. */
export const maySeeFigures = (
  { scopes }: Pick<Caller, 'scopes'>,
  { basis }: Pick<BudgetRecord, 'basis'>,
): boolean => scopes.has(figuresScope[basis]);

/**
 * The budget as a caller may see it. Administering budgets does not give a right to read spend. The spend of any set of
 * calls is as revealing as its records, so the figures of a budget that counts records need the same scope as single
 * records. Crossed thresholds are figures too: the caller knows the ceiling.
 */
export const toResponse = (caller: Pick<Caller, 'scopes'>, record: BudgetRecord): BudgetRecord =>
  maySeeFigures(caller, record) ? record : { ...record, ...NO_FIGURES, stale: null };
