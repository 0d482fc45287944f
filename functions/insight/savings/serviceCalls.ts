import type { Saving } from '../../../schemas/insight/savings.ts';
import type { ModelIdentity } from '../../impact/usage/modelIdentity.ts';
import type { Cohort } from '../../ledger/cohorts/cohorts.ts';
import { type Decimal, sumOf, toDecimalString, wholeNumber, ZERO } from '../../platform/shared/decimal.ts';
import { type ModelCalls, type TokenWeights, weighTokens } from '../reports/modelCalls.ts';

/** The calls of one owner and service to one model. */
export interface ServiceCalls {
  readonly header: Pick<Saving, 'kind' | 'owner' | 'service' | 'provider' | 'served_model'>;
  readonly identity: ModelIdentity;
  readonly cohorts: readonly Cohort[];
  readonly calls: ModelCalls;
  /** Those of the period before. Null if that period may lack calls. */
  readonly before: { readonly cohorts: readonly Cohort[]; readonly calls: ModelCalls } | null;
  /** Calls of both periods of which privacy hides whether they are among these. */
  readonly hidden: () => number;
  /** Whether the prices are the same in both periods. */
  readonly isPriceUnchanged: boolean;
  readonly weights: TokenWeights;
}

/** What all suggestions of a report share. */
export interface SavingsPeriod {
  /** Now. */
  readonly at: Date;
  /** From the amounts of the period to those of 30 days. */
  readonly monthly: (amount: Decimal) => string;
  /** When the period before and this one began. */
  readonly starts: readonly Date[];
  /** Milliseconds of both. */
  readonly lengths: { readonly before: number; readonly now: number };
}

const MILLIONTH = '0.000001';

export const atLeastZero = (amount: Decimal): Decimal => (amount.lt(ZERO) ? ZERO : amount);

/** What the tokens of calls cost by the list, USD. Null if a kind that occurs has no price. */
export const listCostOf = (calls: ModelCalls, weights: TokenWeights): Decimal | null => {
  const tokens = weighTokens(calls, weights);
  return tokens && sumOf(tokens.map(({ weighed }) => weighed)).times(MILLIONTH);
};

/** What was paid for one USD of the list. Null if a part of the cost is unknown, or nothing is listed. */
export const paidFactor = (calls: ModelCalls, weights: TokenWeights): Decimal | null => {
  const listed = listCostOf(calls, weights);
  return calls.unpriced > 0 || listed === null || listed.eq(ZERO) ? null : calls.cost.div(listed);
};

export const callsIn = ({ priced, unpriced }: ModelCalls): number => priced + unpriced;

export const shareOf = (part: number, whole: number): Decimal =>
  whole === 0 ? ZERO : wholeNumber(part).div(wholeNumber(whole));

/** A figure of the basis of a suggestion: four digits are enough to follow the computation. */
export const shown = (figure: Decimal): string => figure.round(4).toFixed();

export const listPriceOf = (weight: Decimal | null): string => toDecimalString(weight ?? ZERO);

export const inDollars = (tokens: Decimal, perMillion: Decimal): Decimal =>
  tokens.times(perMillion).times(MILLIONTH);

export const restsOn = (calls: ModelCalls): Pick<Saving, 'invocations' | 'cost_usd'> => ({
  invocations: callsIn(calls),
  cost_usd: toDecimalString(calls.cost),
});
