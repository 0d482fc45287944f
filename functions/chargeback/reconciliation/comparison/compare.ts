import type { ContractPrices } from '../../../../schemas/attribution/contractPrices.ts';
import type { SuggestedPrice } from '../../../../schemas/chargeback/suggestedPrices.ts';
import { DAY_MS } from '../../../../schemas/durations.ts';
import type { Grouping } from '../../../../schemas/routes/chargeback/reconciliation.ts';
import type { PricesInForceReader } from '../../../impact/price/lists/pricesInForce.ts';
import { rulesWith } from '../../../impact/price/rules/loadedRules.ts';
import { readCohorts } from '../../../ledger/cohorts/readCohorts.ts';
import type { RollupReader } from '../../../ledger/rollups/rollup.store.ts';
import type { Interval } from '../../../platform/shared/time/interval.ts';
import { monthOf, startOfMonth, startOfNextMonth } from '../../../platform/shared/time/month.ts';
import { utcDateOf } from '../../../platform/shared/time/toIso.ts';
import type { BillReader } from '../deliveries/bill.store.ts';
import { suggestPrices } from '../prices/suggestPrices.ts';
import type { BilledDay } from '../rows/bill.ts';
import { blocksOf } from './blocks.ts';
import { blocksIn, type Comparison, comparisonOf } from './reconcile.ts';

const daysOf = ({ from, to }: Interval): string[] =>
  Array.from({ length: (to - from) / DAY_MS }, (_, index) => utcDateOf(from + index * DAY_MS));

interface ComparedPeriod extends Comparison {
  /** When the newest rollup of the months was computed (epoch milliseconds); null when there is none. */
  readonly newest: number | null;
  readonly suggestedPrices: readonly SuggestedPrice[];
  /** The bills of the months. */
  readonly billed: readonly BilledDay[];
  /** The providers of the recorded calls of the period that are shown. */
  readonly recorded: readonly string[];
}

/** Compares a period with its bills. Reads whole months, since suppression depends on all data of a month. */
export const compare = async (
  stores: {
    readonly rollups: RollupReader;
    readonly bills: Pick<BillReader, 'days'>;
    /** Null if the caller may not read them. */
    readonly contractPrices: (tenantId: string) => Promise<ContractPrices | null>;
    /** The prices that operators loaded. */
    readonly loadedPrices: PricesInForceReader;
  },
  tenantId: string,
  period: Interval,
  by: readonly Grouping[],
): Promise<ComparedPeriod> => {
  const months = {
    from: startOfMonth(monthOf(period.from)),
    to: startOfNextMonth(monthOf(period.to - 1)),
  };
  const [{ cohorts, newest, madeOn }, bills, contractPrices, loaded] = await Promise.all([
    readCohorts(stores.rollups, tenantId, period),
    stores.bills.days(tenantId, daysOf(months)),
    stores.contractPrices(tenantId),
    stores.loadedPrices(),
  ]);
  const blocks = blocksOf(cohorts, bills, madeOn, rulesWith(loaded));
  const counted = blocksIn(blocks, period);
  return {
    ...comparisonOf(blocks, period, by),
    newest,
    suggestedPrices: suggestPrices(counted, contractPrices),
    billed: bills,
    recorded: [
      ...new Set(counted.flatMap(({ line, cohorts }) => (cohorts.length > 0 && line.provider) || [])),
    ],
  };
};
