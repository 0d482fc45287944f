import { shareOf } from '../../../../sdk/shared/decimal.ts';
import type { Budget } from '../../../../sdk/typescript/src/types.ts';
import type { Tone } from '../../components/tone.ts';
import { formatShare } from '../../format/amount.ts';
import { spentOf } from './budgetSpend.ts';

/** Shares of the ceiling: spent so far, and expected at the end of the period. Null if unknown, not readable or too early. */
export const progressOf = (
  budget: Budget,
): { readonly spent: number | null; readonly forecast: number | null } => {
  const [spent, forecast] = [spentOf(budget), budget.forecast_usd];
  return {
    spent: spent === null ? null : shareOf(spent, budget.ceiling_usd),
    forecast: forecast === null ? null : shareOf(forecast, budget.ceiling_usd),
  };
};

export const budgetStatus = (budget: Budget): { readonly tone: Tone; readonly text: string } => {
  const { spent, forecast } = progressOf(budget);
  if (budget.period_to_date_usd === null) return { tone: 'plain', text: 'not readable for you' };
  if (spent === null) return { tone: 'warn', text: 'spend unknown' };
  if (spent >= 1) return { tone: 'bad', text: `over, at ${formatShare(spent)}` };
  if (forecast !== null && forecast > 1)
    return { tone: 'warn', text: `heading for ${formatShare(forecast)}` };
  if (spent * 100 >= (budget.thresholds[0] ?? 100))
    return { tone: 'warn', text: `${formatShare(spent)} spent` };
  return { tone: 'good', text: 'on course' };
};

/** The budget that needs attention most comes first. */
export const byUrgency = (a: Budget, b: Budget): number => urgency(b) - urgency(a);

const urgency = (budget: Budget): number => {
  const { spent, forecast } = progressOf(budget);
  return Math.max(spent ?? 0, forecast ?? 0);
};

export const scopeText = ({ scope }: Budget): string => {
  const { owner, service, provider, served_model, region, tags = [] } = scope;
  const parts = [owner, service, provider, served_model, region, ...tags].filter(
    (part) => part !== undefined,
  );
  return parts.length === 0 ? 'all calls' : parts.join(' · ');
};
