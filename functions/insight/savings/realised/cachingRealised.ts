import type { RealisedSaving } from '../../../../schemas/insight/savings.ts';
import { decimal, wholeNumber, ZERO } from '../../../platform/shared/decimal.ts';
import { changeParts } from '../../reports/changes/changeParts.ts';
import { NO_CALLS } from '../../reports/modelCalls.ts';
import {
  atLeastZero,
  inDollars,
  paidFactor,
  type SavingsPeriod,
  type ServiceCalls,
  shareOf,
  shown,
} from '../serviceCalls.ts';
import { earlierCalls, knownRealised, smallest, unknownRealised } from './realised.ts';

/**
 * What the higher share of cached input saves since the period before: at the prices of then, and at those of now. Calls of another
 * kind can raise the share too. So the least is what follows from the tokens that the cache won and the rest of the input lost.
 */
export const cachingRealised = (own: ServiceCalls, period: SavingsPeriod): RealisedSaving => {
  const { calls: now, weights } = own;
  const earlier = earlierCalls(own);
  if ('unknown' in earlier) return earlier;
  const { before, restsOn } = earlier;
  const [then, since] = [paidFactor(before, weights), paidFactor(now, weights)];
  if (then === null || since === null || then.eq('0')) return unknownRealised('unpriced_calls', restsOn);
  const { cache_usd: change } = changeParts([{ before, now, weights }], { before: NO_CALLS, now: NO_CALLS });
  const saved = atLeastZero(decimal(change).times('-1'));
  const atPriceOfNow = saved.times(since).div(then);
  const moved = Math.min(now.cached - before.cached, before.input - before.cached - now.input + now.cached);
  const { uncached, cached } = weights;
  const perToken = uncached === null || cached === null ? ZERO : uncached.minus(cached);
  const certain = inDollars(wholeNumber(Math.max(0, moved)), perToken).times(smallest(then, since));
  return knownRealised(
    [smallest(certain, saved, atPriceOfNow), saved, atPriceOfNow],
    restsOn,
    {
      cached_share_before: shown(shareOf(before.cached, before.input)),
      cached_share_now: shown(shareOf(now.cached, now.input)),
    },
    period,
  );
};
