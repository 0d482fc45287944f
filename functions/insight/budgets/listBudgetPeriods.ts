import {
  BUDGET_PERIODS_MAXIMUM,
  type Budget,
  type BudgetPeriodRecord,
} from '../../../schemas/insight/budgets.ts';
import { RECORD_RETENTION_MONTHS } from '../../../schemas/platform/retention.ts';
import { listBudgetPeriods } from '../../../schemas/routes/insight/budgets.ts';
import { completeUntil, type TotalsLag } from '../../ledger/freshness/totalsLag.ts';
import { RETENTION_MILLISECONDS } from '../../ledger/records/ledgerItem.ts';
import { operation } from '../../platform/http/operation.ts';
import { respondWithPage, toPage } from '../../platform/http/pages/paging.ts';
import type { Interval } from '../../platform/shared/time/interval.ts';
import { isoOrNull } from '../../platform/shared/time/toIso.ts';
import { calendarOf } from '../../platform/tenancy/tenant.ts';
import { findReachedThresholds } from './alerts/crossing.ts';
import { requireVisible } from './budgetChanges.ts';
import { betweenOf, periodsUntil } from './budgetPeriod.ts';
import { maySeeFigures } from './budgetStatus.ts';
import { readSpend } from './spend/readSpend.ts';
import { type Spend, spendWithin } from './spend/spend.ts';

type Figures = Omit<BudgetPeriodRecord, 'time_zone' | 'period' | 'is_current'>;
const HIDDEN: Figures = {
  spent_usd: null,
  spent_by_owner_state: null,
  unpriced_invocations: null,
  reached: null,
  as_of: null,
};

const toFigures = (
  budget: Pick<Budget, 'ceiling_usd' | 'thresholds'>,
  { spent, byState, unpriced, asOf }: Spend,
  lag: TotalsLag,
  now: number,
): Figures => {
  const complete = completeUntil(asOf, lag, now);
  return {
    spent_usd: spent,
    spent_by_owner_state: byState,
    unpriced_invocations: unpriced,
    reached: findReachedThresholds(budget, spent),
    as_of: isoOrNull(complete),
  };
};

export default operation(listBudgetPeriods, async (call) => {
  const { parameters, caller, stores } = call;
  const { tenant_id: tenantId } = caller.tenant;
  const budget = requireVisible(caller, await stores.budgets.budget(tenantId, parameters['id'] ?? ''));

  const readFigures = async (periods: readonly Interval[]): Promise<(period: Interval) => Figures> => {
    if (!maySeeFigures(caller, budget)) return () => HIDDEN;
    const [{ spendOf }, lag] = await Promise.all([
      readSpend(stores.rollups, tenantId, [budget], periods),
      stores.indexLag.totalsLag(tenantId),
    ]);
    const days = spendOf(budget);
    return (period) => toFigures(budget, spendWithin(days, period), lag, call.receivedAt);
  };

  return respondWithPage(listBudgetPeriods, call, async ({ after, asOf }, limit) => {
    const calendar = calendarOf(caller.tenant);
    const all = periodsUntil(budget.period, asOf, RECORD_RETENTION_MONTHS, calendar);
    const current = all[0]?.from;
    const remaining = all.filter(
      ({ from, to }) => to > asOf - RETENTION_MILLISECONDS && (after === undefined || from < Number(after)),
    );
    const { items, resume } = toPage(
      remaining,
      Math.min(limit, BUDGET_PERIODS_MAXIMUM),
      ({ from }) => `${from}`,
    );
    const figuresOf = await readFigures(items);
    return {
      items: items.map(
        (period): BudgetPeriodRecord => ({
          time_zone: calendar.timeZone,
          period: betweenOf(period),
          is_current: period.from === current,
          ...figuresOf(period),
        }),
      ),
      resume,
    };
  });
});
