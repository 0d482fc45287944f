import type { NodeHourLine } from '../../../../schemas/attribution/nodeHours.ts';
import type { RealisedSaving } from '../../../../schemas/insight/savings.ts';
import { type Decimal, sumOf, wholeNumber } from '../../../platform/shared/decimal.ts';
import { atLeastZero, type SavingsPeriod } from '../serviceCalls.ts';
import { knownRealised, smallest, unknownRealised } from './realised.ts';

/**
 * What the pool costs less since the period before because fewer of its hours are idle. More use of the same nodes costs nothing less,
 * so it is at most what the cost of the pool fell by. Less use alone can release nodes too: the least is what remains at that use.
 */
export const idleRealised = (
  lines: readonly NodeHourLine[],
  before: readonly NodeHourLine[],
  { monthly, lengths }: Pick<SavingsPeriod, 'monthly' | 'lengths'>,
): RealisedSaving => {
  const callsIn = (some: readonly NodeHourLine[]): number =>
    some.reduce((total, { calls }) => total + calls, 0);
  const restsOn = { before: callsIn(before), now: callsIn(lines) };
  if (before.length === 0) return unknownRealised('too_few_earlier_calls', restsOn);
  // Hours of calls without a duration are charged whole, so what was idle of them is unknown.
  if ([...before, ...lines].some(({ busy }) => busy === 'whole_hour'))
    return unknownRealised('unexamined_calls', restsOn);
  const sum = (some: readonly NodeHourLine[], amountOf: (line: NodeHourLine) => string): Decimal =>
    sumOf(some.map(amountOf));
  // The period before can be longer, as a month can.
  const earlier = (amountOf: (line: NodeHourLine) => string): Decimal =>
    sum(before, amountOf).times(wholeNumber(lengths.now)).div(wholeNumber(lengths.before));
  const idle = { before: earlier((line) => line.idle_usd), now: sum(lines, (line) => line.idle_usd) };
  const used = { before: earlier((line) => line.charged_usd), now: sum(lines, (line) => line.charged_usd) };
  const fall = idle.before.plus(used.before).minus(idle.now).minus(used.now);
  const most = atLeastZero(smallest(idle.before.minus(idle.now), fall));
  const atUseOfNow = used.now.lt(used.before)
    ? idle.before.times(used.now).div(used.before).minus(idle.now)
    : most;
  return knownRealised(
    [smallest(atLeastZero(atUseOfNow), most), most],
    restsOn,
    { idle_before: monthly(idle.before), idle_now: monthly(idle.now), pool_fall: monthly(atLeastZero(fall)) },
    { monthly },
  );
};
