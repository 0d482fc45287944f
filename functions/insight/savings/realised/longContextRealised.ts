import type { RealisedSaving } from '../../../../schemas/insight/savings.ts';
import { type Decimal, wholeNumber, ZERO } from '../../../platform/shared/decimal.ts';
import { type PriceStep, type StepCalls, stepCalls, stepSaving } from '../priceSteps.ts';
import {
  atLeastZero,
  callsIn,
  paidFactor,
  type SavingsPeriod,
  type ServiceCalls,
  shareOf,
  shown,
} from '../serviceCalls.ts';
import { earlierCalls, knownRealised, smallest, unknownRealised } from './realised.ts';

/** What each of the calls just above the step would cost less at its length. Null if there is none, or a cost is unknown. */
const savedByOne = ({ justAbove }: StepCalls, step: PriceStep): Decimal | null => {
  const factor = paidFactor(justAbove, step.above);
  const saved = factor && stepSaving(justAbove, step, factor);
  return saved === null ? null : saved.most.div(wholeNumber(callsIn(justAbove)));
};

/**
 * What fewer calls just above a price step save since the period before. Calls can also have become longer, so at most as many
 * count as there are fewer above the step. More short calls lower the share too, so the least is what fewer such calls confirm.
 */
export const longContextRealised = (
  own: ServiceCalls,
  step: PriceStep,
  period: SavingsPeriod,
): RealisedSaving => {
  const earlier = earlierCalls(own);
  if ('unknown' in earlier) return earlier;
  const { restsOn: calls } = earlier;
  if (!own.isPriceUnchanged) return unknownRealised('price_changed', calls);
  const [before, now] = [stepCalls(own.before?.cohorts ?? [], step), stepCalls(own.cohorts, step)];
  if (before.examined < calls.before || now.examined < calls.now)
    return unknownRealised('unexamined_calls', calls);
  if (before.justAbove.unpriced + now.justAbove.unpriced > 0) return unknownRealised('unpriced_calls', calls);
  const expected = (count: number): Decimal =>
    wholeNumber(count).times(wholeNumber(calls.now)).div(wholeNumber(calls.before));
  const [then, since] = [callsIn(before.justAbove), callsIn(now.justAbove)];
  const fewer = smallest(
    expected(then).minus(wholeNumber(since)),
    expected(before.above).minus(wholeNumber(now.above)),
  );
  const certain = smallest(
    fewer,
    atLeastZero(wholeNumber(then - since)),
    atLeastZero(wholeNumber(before.above - now.above)),
  );
  const amounts = [before, now].flatMap((of) => {
    const saved = savedByOne(of, step);
    return saved === null ? [] : [certain.times(saved), fewer.times(saved)];
  });
  const [first = ZERO, ...others] = amounts;
  return knownRealised(
    [first, ...others],
    calls,
    {
      just_above_share_before: shown(shareOf(then, calls.before)),
      just_above_share_now: shown(shareOf(since, calls.now)),
    },
    period,
  );
};
