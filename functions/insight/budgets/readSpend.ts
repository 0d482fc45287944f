import type { Budget } from '../../../schemas/insight/budgets.ts';
import { readCohorts } from '../../ledger/cohorts/readCohorts.ts';
import { readRollups } from '../../ledger/rollups/readRollups.ts';
import type { RollupReader } from '../../ledger/rollups/rollup.store.ts';
import type { Interval } from '../../platform/shared/time/interval.ts';
import { lookbackFrom } from './forecast.ts';
import { type SpendByDay, spendOfCohorts, spendOfRecords } from './spend.ts';

type Counted = Pick<Budget, 'scope' | 'residency' | 'basis'>;

/**
 * Reads what the spend of these budgets in these periods, and its forecast at `now` (epoch milliseconds), depends on.
 * Returns a function that sums it for one of the budgets.
 */
export const readSpend = async (
  reader: RollupReader,
  tenantId: string,
  budgets: readonly Pick<Budget, 'basis'>[],
  periods: readonly Interval[],
  now: number,
): Promise<(budget: Counted) => SpendByDay> => {
  const range = {
    from: Math.min(lookbackFrom(now), ...periods.map(({ from }) => from)),
    to: Math.max(...periods.map(({ to }) => to)),
  };
  const isCounted = (basis: Budget['basis']): boolean => budgets.some((budget) => budget.basis === basis);
  const [rollups, cohorts] = await Promise.all([
    isCounted('records') ? readRollups(reader, tenantId, range) : [],
    isCounted('cohorts') ? readCohorts(reader, tenantId, range, false) : null,
  ]);
  return (budget) =>
    budget.basis === 'cohorts' && cohorts !== null
      ? spendOfCohorts(budget, cohorts)
      : spendOfRecords(budget, rollups);
};
