import type { RealisedSaving } from '../../../../schemas/insight/savings.ts';
import { wholeNumber } from '../../../platform/shared/decimal.ts';
import { callsIn, listCostOf, paidFactor, type SavingsPeriod, type ServiceCalls } from '../serviceCalls.ts';
import { earlierCalls, knownRealised, unknownRealised } from './realised.ts';

/**
 * What the calls save that the recommended model took over since the period before. As many moved as the one model lost and the
 * other won. It is known only if these are more than the calls of both that came or went, and that privacy hides. Tokens are those of
 * the other model, or `MORE_TOKENS` fewer, at the price of the replaced one.
 */
export const replacementRealised = (
  own: ServiceCalls,
  other: ServiceCalls | undefined,
  moreTokens: string,
  period: SavingsPeriod,
): RealisedSaving => {
  const earlier = earlierCalls(own);
  if ('unknown' in earlier) return earlier;
  const { before, restsOn } = earlier;
  const lost = callsIn(before) - callsIn(own.calls);
  const won = other?.before ? callsIn(other.calls) - callsIn(other.before.calls) : 0;
  if (lost <= 0) return knownRealised([wholeNumber(0)], restsOn, { moved_calls: '0' }, period);
  const moved = Math.min(lost, won);
  if (other === undefined || moved <= Math.abs(lost - won)) return unknownRealised('volume_changed', restsOn);
  if (moved <= own.hidden() + other.hidden()) return unknownRealised('hidden_calls', restsOn);
  const factor = paidFactor(before, own.weights);
  const listed = listCostOf(other.calls, own.weights);
  if (factor === null || listed === null || other.calls.unpriced > 0)
    return unknownRealised('unpriced_calls', restsOn);
  const instead = listed.times(factor);
  const part = (amount: typeof instead) =>
    amount.times(wholeNumber(moved)).div(wholeNumber(callsIn(other.calls)));
  return knownRealised(
    [part(instead.div(moreTokens).minus(other.calls.cost)), part(instead.minus(other.calls.cost))],
    { before: callsIn(before), now: callsIn(own.calls) + callsIn(other.calls) },
    { moved_calls: String(moved), most_tokens: moreTokens },
    period,
  );
};
