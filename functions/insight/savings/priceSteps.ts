import { type AboveLength, CONTEXT_LENGTHS, type ContextLength } from '../../../schemas/ledger/rollup.ts';
import type { Cohort } from '../../ledger/cohorts/cohorts.ts';
import { figuresOf } from '../../ledger/cohorts/cohortTotals.ts';
import type { Decimal } from '../../platform/shared/decimal.ts';
import { type ModelCalls, modelCallsOf, NO_CALLS, type TokenWeights } from '../reports/modelCalls.ts';
import { atLeastZero, callsIn, listCostOf } from './serviceCalls.ts';

/** A number of input tokens above which all tokens of a call cost more, and the prices on both sides. */
export interface PriceStep {
  readonly length: ContextLength;
  readonly below: TokenWeights;
  readonly above: TokenWeights;
}

/** The prices of a model for calls that read so many tokens. */
export type WeightsAtLength = (contextTokens: number) => TokenWeights | null;

/** Where the price of input rises. Tables differ by one on the number, so both prices are read two tokens apart from it. */
export const priceSteps = (weightsAt: WeightsAtLength): PriceStep[] =>
  CONTEXT_LENGTHS.flatMap((length) => {
    const [below, above] = [weightsAt(length - 2), weightsAt(length + 2)];
    if (below?.uncached == null || above?.uncached == null || above.uncached.lte(below.uncached)) return [];
    return [{ length: `${length}` as const, below, above }];
  });

/** Calls above a price step. */
export interface StepCalls {
  readonly examined: number;
  readonly above: number;
  readonly justAbove: ModelCalls;
}

export const stepCalls = (cohorts: readonly Cohort[], { length }: PriceStep): StepCalls => {
  const { examined, above } = figuresOf(cohorts, (all) => ({ ...all, persons: [] })).long_calls;
  const { invocations = 0, just_above }: Partial<AboveLength> = above[length] ?? {};
  return { examined, above: invocations, justAbove: just_above ? modelCallsOf(just_above) : NO_CALLS };
};

/** The same calls without what they read above the length. What is read from a cache is left out last. */
export const shortened = (calls: ModelCalls, { length }: PriceStep): ModelCalls => {
  const input = callsIn(calls) * Number(length);
  const cached = Math.min(calls.cached, input);
  return { ...calls, input, cached, written: Math.min(calls.written, input - cached) };
};

/** What shorter calls would cost less, and the part of it that is due to the price alone. Null if a cost is unknown. */
export const stepSaving = (calls: ModelCalls, step: PriceStep, factor: Decimal) => {
  const [same, less] = [calls, shortened(calls, step)].map((some) => listCostOf(some, step.below));
  if (same == null || less == null) return null;
  return {
    byPrice: atLeastZero(calls.cost.minus(same.times(factor))),
    most: atLeastZero(calls.cost.minus(less.times(factor))),
  };
};
