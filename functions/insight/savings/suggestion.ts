import type { PricedTier } from '../../../schemas/attribution/unitPrices.ts';
import type { Saving } from '../../../schemas/insight/savings.ts';
import { type Decimal, ZERO } from '../../platform/shared/decimal.ts';
import type { ModelCalls, WeightsAt } from '../reports/modelCalls.ts';
import { isShown } from './realised/realised.ts';
import { restsOn, type SavingsPeriod, type ServiceCalls } from './serviceCalls.ts';

/** Tiers that cost less, for calls that can wait: up to a day for a batch, for minutes at the flex tier. */
export type SlowTier = Extract<PricedTier, 'batch' | 'flex'>;

/** The price of a tier of a model as a part of its standard price. Null if no lower one is published. */
export type TierFactorOf = (tier: SlowTier, provider: string, model: string, at: Date) => Decimal | null;

/** What all kinds of suggestions share. */
export interface SavingsContext {
  /** The calls of every service. */
  readonly all: readonly ServiceCalls[];
  readonly period: SavingsPeriod;
  readonly weightsAt: WeightsAt;
  readonly tierFactorOf: TierFactorOf;
}

/** A kind of suggestion for the calls of one owner and service to one model. Null if it has nothing to suggest. */
export type Suggest = (own: ServiceCalls, context: SavingsContext) => Saving | null;

interface Suggestion
  extends Pick<
    Saving,
    'saving' | 'replacement' | 'energy_wh' | 'confidence' | 'basis' | 'verify' | 'realised'
  > {
  /** USD of the period. Without `least` it can save nothing. */
  readonly least?: Decimal;
  readonly most: Decimal;
  /** The calls that it rests on. */
  readonly calls: ModelCalls;
}

/** A suggestion, unless nothing is left to save and nothing was saved. */
export const suggestion = (
  { header }: ServiceCalls,
  { monthly }: SavingsPeriod,
  { least = ZERO, most, calls, ...members }: Suggestion,
): Saving | null =>
  isShown(most, members.realised)
    ? { ...header, low_usd: monthly(least), high_usd: monthly(most), ...restsOn(calls), ...members }
    : null;
