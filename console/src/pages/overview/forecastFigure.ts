import type { Budget, ForecastTotals } from '../../../../sdk/typescript/src/types.ts';
import type { Tone } from '../../components/tone.ts';
import { formatUsd } from '../../format/amount.ts';
import { budgetStatus, byUrgency } from '../budgets/budgetState.ts';

export const unknownForecasts: Readonly<Record<NonNullable<ForecastTotals['forecast_unknown']>, string>> = {
  unpriced_calls: 'no known prices',
  too_few_days: 'too early to forecast',
};

/** The most urgent budget of the month that counts all calls. Null without one. */
export const budgetOfMonth = (
  budgets: readonly Budget[],
): { readonly tone: Tone; readonly text: string } | null => {
  const [budget] = budgets
    .filter(({ period, scope }) => period === 'month' && Object.keys(scope).length === 0)
    .toSorted(byUrgency);
  if (budget === undefined) return null;
  const { tone, text } = budgetStatus(budget);
  return { tone, text: `Budget ${formatUsd(budget.ceiling_usd)}: ${text}` };
};
