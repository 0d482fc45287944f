import type { RealisedSaving } from '../../../../schemas/insight/savings.ts';
import type { Decimal } from '../../../platform/shared/decimal.ts';
import { callsOf } from '../../reports/modelCalls.ts';
import { atLeastZero, paidFactor, type SavingsPeriod, type ServiceCalls, shown } from '../serviceCalls.ts';
import { earlierCalls, knownRealised, unknownRealised } from './realised.ts';

/**
 * What a lower price of the same tokens saves since the period before. Sums have no tier, so a new contract lowers it as batches do:
 * the least is zero. `waiting` are the cohorts that a batch could hold, and `listed` what those of now cost by the list.
 */
export const batchRealised = (
  own: ServiceCalls,
  waiting: (cohorts: ServiceCalls['cohorts']) => ServiceCalls['cohorts'],
  listed: Decimal | null,
  period: SavingsPeriod,
): RealisedSaving => {
  const earlier = earlierCalls(own, (cohorts) => callsOf(waiting(cohorts)));
  if ('unknown' in earlier) return earlier;
  const { before, now, restsOn } = earlier;
  if (!own.isPriceUnchanged) return unknownRealised('price_changed', restsOn);
  const [then, since] = [paidFactor(before, own.weights), paidFactor(now, own.weights)];
  if (then === null || since === null || listed === null) return unknownRealised('unpriced_calls', restsOn);
  const fall = atLeastZero(then.minus(since));
  return knownRealised(
    [fall.times('0'), fall.times(listed)],
    restsOn,
    { paid_of_list_before: shown(then), paid_of_list_now: shown(since) },
    period,
  );
};
