import type { Budget, BudgetScope } from '../../schemas/budgets.ts';
import type { Dimensions, Rollup } from '../../schemas/rollup.ts';
import { addDecimals } from '../rollups/figures.ts';
import { startOf } from '../rollups/grain.ts';
import type { Period } from './budgetPeriod.ts';

/** What a budget's calls cost on one day. */
export interface DaySpend {
  readonly spent: string;
  readonly unpriced: number;
  readonly asOf: number;
}

/** By the beginning of the day, epoch milliseconds; days without a call are left out. */
export type SpendByDay = ReadonlyMap<number, DaySpend>;

/** Whether calls with these dimensions count. */
export const inScope = (
  { owner, service, provider, tags = [] }: BudgetScope,
  dimensions: Pick<Dimensions, 'owner' | 'service' | 'provider' | 'tags'>,
): boolean =>
  (owner === undefined || dimensions.owner === owner) &&
  (service === undefined || dimensions.service === service) &&
  (provider === undefined || dimensions.provider === provider) &&
  tags.every((tag) => dimensions.tags.includes(tag));

/** What the calls that count for a budget cost, day by day. */
export const spendByDay = (
  { scope, residency }: Pick<Budget, 'scope' | 'residency'>,
  rollups: readonly Rollup[],
): SpendByDay => {
  const days = new Map<number, DaySpend>();
  for (const { start, asOf, groups } of rollups) {
    const counted = groups.filter(
      ({ dimensions }) =>
        (residency === null || dimensions.residency === residency) && inScope(scope, dimensions),
    );
    if (counted.length === 0) continue;
    const day = startOf('day', start);
    let { spent, unpriced, asOf: newest } = days.get(day) ?? { spent: '0', unpriced: 0, asOf };
    for (const { figures } of counted) {
      spent = addDecimals(spent, figures.cost_usd.central);
      unpriced += figures.cost_usd.unknown;
    }
    newest = Math.max(newest, asOf);
    days.set(day, { spent, unpriced, asOf: newest });
  }
  return days;
};

/** What a period cost; `asOf` is when the newest of its sums was computed, null before there is any. */
export interface Spend {
  readonly spent: string;
  readonly unpriced: number;
  readonly asOf: number | null;
}

export const spendWithin = (days: SpendByDay, { from, to }: Period): Spend => {
  let total: Spend = { spent: '0', unpriced: 0, asOf: null };
  for (const [day, { spent, unpriced, asOf }] of days) {
    if (day < from || day >= to) continue;
    total = {
      spent: addDecimals(total.spent, spent),
      unpriced: total.unpriced + unpriced,
      asOf: Math.max(total.asOf ?? asOf, asOf),
    };
  }
  return total;
};
