import { type RealisedSaving, SAVING_CALLS_MINIMUM } from '../../../../schemas/insight/savings.ts';
import { type Decimal, decimal, ZERO } from '../../../platform/shared/decimal.ts';
import { callsOf, type ModelCalls } from '../../reports/modelCalls.ts';
import { atLeastZero, callsIn, type SavingsPeriod, type ServiceCalls } from '../serviceCalls.ts';

type Basis = RealisedSaving['basis'];

/** How many calls of the period before and of this one a figure rests on. */
export interface RestsOn {
  readonly before: number;
  readonly now: number;
}

export const unknownRealised = (
  unknown: NonNullable<RealisedSaving['unknown']>,
  { before, now }: RestsOn,
): RealisedSaving => ({
  low_usd: null,
  high_usd: null,
  unknown,
  previous_invocations: before,
  invocations: now,
  basis: {},
});

export const smallest = (first: Decimal, ...others: readonly Decimal[]): Decimal =>
  others.reduce((least, one) => (one.lt(least) ? one : least), first);

/** What was saved lies between these amounts of the period. What costs more has saved nothing. */
export const knownRealised = (
  amounts: readonly [Decimal, ...Decimal[]],
  { before, now }: RestsOn,
  basis: Basis,
  { monthly }: Pick<SavingsPeriod, 'monthly'>,
): RealisedSaving => {
  const [first, ...others] = amounts.map(atLeastZero);
  const least = smallest(first ?? ZERO, ...others);
  const most = others.reduce((high, one) => (one.gt(high) ? one : high), first ?? ZERO);
  return {
    low_usd: monthly(least),
    high_usd: monthly(most),
    unknown: null,
    previous_invocations: before,
    invocations: now,
    basis,
  };
};

interface ComparedCalls {
  readonly before: ModelCalls;
  readonly now: ModelCalls;
  readonly restsOn: RestsOn;
}

/** The calls of both periods, if they can be compared: or else why not. A group with a hidden name is another one in each period. */
export const earlierCalls = (
  { header: { kind }, cohorts, before }: Pick<ServiceCalls, 'header' | 'cohorts' | 'before'>,
  select: (cohorts: ServiceCalls['cohorts']) => ModelCalls = callsOf,
): ComparedCalls | RealisedSaving => {
  const [then, now] = [select(before?.cohorts ?? []), select(cohorts)];
  const restsOn = { before: callsIn(then), now: callsIn(now) };
  if (kind !== 'group') return unknownRealised('hidden_calls', restsOn);
  if (restsOn.before < SAVING_CALLS_MINIMUM) return unknownRealised('too_few_earlier_calls', restsOn);
  return { before: then, now, restsOn };
};

/** Whether there is something to show: a suggestion, or what it has saved already. */
export const isShown = (most: Decimal, { high_usd }: RealisedSaving): boolean =>
  most.gt(ZERO) || (high_usd !== null && decimal(high_usd).gt(ZERO));
