import type { BudgetPeriodRecord } from '../../../schemas/insight/budgets.ts';
import { listBudgetPeriods } from '../../../schemas/routes/insight/budgets.ts';
import { completeUntil, type TotalsLag } from '../../ledger/freshness/totalsLag.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import type { Interval } from '../../platform/shared/time/interval.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';
import { requireVisible } from './budgetChanges.ts';
import { betweenOf, periodsUntil } from './budgetPeriod.ts';
import { maySeeFigures } from './budgetStatus.ts';
import { findReachedThresholds } from './crossing.ts';
import { readSpend } from './readSpend.ts';
import { type Spend, spendWithin } from './spend.ts';

const PERIODS = 6;

type Figures = Omit<BudgetPeriodRecord, 'period' | 'is_current'>;
const HIDDEN: Figures = {
  spent_usd: null,
  spent_by_owner_state: null,
  unpriced_invocations: null,
  reached: null,
  as_of: null,
};

const toFigures = (ceiling: string, { spent, byState, unpriced, asOf }: Spend, lag: TotalsLag): Figures => {
  const complete = completeUntil(asOf, lag);
  return {
    spent_usd: spent,
    spent_by_owner_state: byState,
    unpriced_invocations: unpriced,
    reached: findReachedThresholds(ceiling, spent),
    as_of: complete === null ? null : toIso(complete),
  };
};

export default operation(listBudgetPeriods, async ({ parameters, query, caller, receivedAt, stores }) => {
  const { tenant_id: tenantId } = caller.tenant;
  const budget = requireVisible(caller, await stores.budgets.budget(tenantId, parameters['id'] ?? ''));
  const periods = periodsUntil(budget.period, receivedAt, query.limit ?? PERIODS);

  const readFigures = async (): Promise<(period: Interval) => Figures> => {
    const [spendOf, lag] = await Promise.all([
      readSpend(stores.rollups, tenantId, [budget], periods, receivedAt),
      stores.indexLag.totalsLag(tenantId),
    ]);
    const days = spendOf(budget);
    return (period) => toFigures(budget.ceiling_usd, spendWithin(days, period), lag);
  };
  const figuresOf = maySeeFigures(caller, budget) ? await readFigures() : () => HIDDEN;

  const data = periods.map(
    (period, index): BudgetPeriodRecord => ({
      period: betweenOf(period),
      is_current: index === 0,
      ...figuresOf(period),
    }),
  );
  return reply(200, { data });
});
