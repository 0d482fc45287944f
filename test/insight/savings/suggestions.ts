import type { PriceFactors } from '../../../functions/impact/price/listCost.ts';
import { pricesOf } from '../../../functions/impact/price/lists/listPrices.ts';
import { savingsOf } from '../../../functions/insight/savings/savingsOf.ts';
import type { SavingsPeriod } from '../../../functions/insight/savings/serviceCalls.ts';
import { readCohorts } from '../../../functions/ledger/cohorts/readCohorts.ts';
import { toDecimalString } from '../../../functions/platform/shared/decimal.ts';
import { calendarIn } from '../../../functions/platform/shared/time/calendar.ts';
import type { Saving } from '../../../schemas/insight/savings.ts';
import { type Call, rollupReaderOf, TENANT, team } from '../reports/calls.ts';

export const NOVEMBER = { from: Date.parse('2026-11-01'), to: Date.parse('2026-12-01') };
export const OCTOBER = { from: Date.parse('2026-10-01'), to: NOVEMBER.from };

/** Thirty days, so amounts of the period are those of a month. */
export const PERIOD: SavingsPeriod = {
  at: new Date('2026-11-20'),
  monthly: toDecimalString,
  starts: [new Date(OCTOBER.from), new Date(NOVEMBER.from)],
  lengths: { before: OCTOBER.to - OCTOBER.from, now: NOVEMBER.to - NOVEMBER.from },
};

/** Calls of five persons, each a fifth of them. */
export const service = (
  name: string,
  {
    invocations = 100,
    input = 0,
    cached = 0,
    output = 0,
    cost = '0',
    at = NOVEMBER.from,
    ...members
  }: Partial<Call> & { input?: number; cached?: number; output?: number },
): Call[] =>
  team(name, 5).map((person, index): Call => {
    // The first person has all of it: parts of a cohort are never told apart.
    const isFirst = index === 0;
    return {
      at,
      person,
      owner: 'ads',
      service: name,
      provider: 'openai',
      invocations: isFirst ? invocations - 4 : 1,
      cost: isFirst ? cost : '0',
      tokens: {
        input_tokens: isFirst ? input : 0,
        cached_input_tokens: isFirst ? cached : 0,
        output_tokens: isFirst ? output : 0,
      },
      ...members,
    };
  });

export const suggestionsFor = async (
  calls: readonly Call[],
  period = PERIOD,
  showsCalls = true,
  prices: PriceFactors = pricesOf(null, null),
): Promise<Saving[]> => {
  const read = async (range: typeof NOVEMBER) =>
    (await readCohorts(rollupReaderOf(calls), TENANT, range)).cohorts;
  const [now, before] = await Promise.all([read(NOVEMBER), read(OCTOBER)]);
  const all = (matching: typeof now) => ({ matching, undetermined: [] });
  return savingsOf(all(now), all(before), period, calendarIn('UTC'), showsCalls, prices);
};

export const find = (savings: readonly Saving[], kind: Saving['saving'], name: string) =>
  savings.find(({ saving, service: of }) => saving === kind && of === name);
