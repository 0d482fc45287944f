import { DAY_MS } from '../../../../schemas/durations.ts';
import type { Budget } from '../../../../schemas/insight/budgets.ts';
import { readCohorts } from '../../../ledger/cohorts/readCohorts.ts';
import { readRollups } from '../../../ledger/rollups/readRollups.ts';
import type { RollupReader } from '../../../ledger/rollups/rollup.store.ts';
import type { Interval } from '../../../platform/shared/time/interval.ts';
import { isInLane } from '../../../platform/tenancy/residency.ts';
import type { KnownLabels } from '../scopeWarnings.ts';
import { type SpendByDay, spendOfCohorts, spendOfRecords } from './spend.ts';

type Counted = Pick<Budget, 'scope' | 'residency' | 'basis'>;

/** What the spend of budgets depends on. */
interface Spending {
  readonly spendOf: (budget: Counted) => SpendByDay;
  /** The names of the calls that a budget could count: those in its lane, by the labels that it sees of them. */
  readonly labelsOf: (budget: Counted) => readonly KnownLabels[];
}

/** Reads what the spend of these budgets in these periods depends on, once for all of them. */
export const readSpend = async (
  reader: RollupReader,
  tenantId: string,
  budgets: readonly Pick<Budget, 'basis'>[],
  periods: readonly Interval[],
): Promise<Spending> => {
  const range = {
    from: Math.min(...periods.map(({ from }) => from)),
    to: Math.max(...periods.map(({ to }) => to)),
  };
  // Those at midnight in UTC divide no day.
  const ends = [...new Set(periods.flatMap(({ from, to }) => [from, to]))]
    .filter((end) => end % DAY_MS !== 0 && range.from <= end && end < range.to)
    .sort((one, other) => one - other);
  const parts = [...new Set([range.from, ...ends])].map((from, index, starts) => ({
    from,
    to: starts[index + 1] ?? range.to,
  }));
  const isCounted = (basis: Budget['basis']): boolean => budgets.some((budget) => budget.basis === basis);
  const [rollups, cohorts] = await Promise.all([
    isCounted('records') ? Promise.all(parts.map((part) => readRollups(reader, tenantId, part))) : [],
    isCounted('cohorts') ? readCohorts(reader, tenantId, range, ends) : null,
  ]);
  return {
    spendOf: (budget) =>
      budget.basis === 'cohorts' && cohorts !== null
        ? spendOfCohorts(budget, cohorts, ends)
        : spendOfRecords(budget, rollups.flat(), ends),
    labelsOf: ({ basis, residency }) =>
      basis === 'cohorts' && cohorts !== null
        ? cohorts.cohorts.flatMap(({ lane, labels }) => (isInLane(lane, residency) ? labels : []))
        : rollups
            .flat()
            .flatMap(({ groups }) =>
              groups.flatMap(({ dimensions }) =>
                isInLane(dimensions.residency, residency) ? dimensions : [],
              ),
            ),
  };
};
