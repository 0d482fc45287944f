import type { Month } from '../../../platform/shared/time/month.ts';
import type { Summary } from '../aggregation/aggregator.ts';
import { signedTotals } from '../aggregation/correctedTotals.ts';
import { noModelSums } from '../aggregation/modelSums.ts';
import { zeroTotals } from '../aggregation/recordTotals.ts';
import { chargePeriodOf } from '../focus/chargePeriod.ts';
import type { Line } from '../focus/line.ts';
import { type Grain, shownDimensionsOf, TOTAL_PRICE } from '../focus/shownDimensions.ts';

export type Sign = 1 | -1;

/** A correction has the month as its charge period: its rows do not tell on which days calls have changed. */
export const correctionGrain = (grain: Grain): Grain => ({ ...grain, granularity: 'month' });

/** The line of a state that is charged or taken back in a later month. */
export const correctionLine = ({ key, amounts }: Line, billedIn: Month, sign: Sign): Line => {
  const factor = BigInt(sign);
  return {
    key: { ...key, billedIn },
    amounts: {
      consumed: amounts.consumed * factor,
      priced: amounts.priced * factor,
      cost: amounts.cost * factor,
      listCost: amounts.listCost * factor,
      energy: amounts.energy * factor,
      carbon: amounts.carbon * factor,
      confidence: amounts.confidence,
      records: amounts.records * sign,
    },
  };
};

/**
 * The same line without what a cohort shows. The difference of two sums of a cohort can be a single call, and that of a
 * month is what reports tell anyway.
 */
export const withoutNames = ({ key, amounts }: Line, grain: Grain): Line => ({
  key: {
    ...chargePeriodOf(key.start, 'month'),
    ...shownDimensionsOf({}, grain),
    requestedModel: null,
    recordId: null,
    invocationId: null,
    price: TOTAL_PRICE,
    consumed: key.consumed,
    energyMethod: key.energyMethod,
    carbonMethod: key.carbonMethod,
  },
  amounts,
});

/** The summary of a state that is charged or taken back: its totals are those of a correction. */
export const correctionSummary = (
  { ledger, idle, excluded }: Summary,
  month: Month,
  sign: Sign,
): Summary => ({
  ledger: zeroTotals,
  idle: zeroTotals,
  excluded: new Map(),
  models: noModelSums,
  folded: { groups: [], cost: 0n },
  corrected: new Map([
    [
      month,
      {
        ledger: signedTotals(ledger, sign),
        idle: signedTotals(idle, sign),
        excluded: new Map([...excluded].map(([reason, totals]) => [reason, signedTotals(totals, sign)])),
      },
    ],
  ]),
});
