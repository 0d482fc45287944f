import { DAY_MS } from '../../../../../schemas/durations.ts';
import { type Month, startOfMonth, startOfNextMonth } from '../../../../platform/shared/time/month.ts';
import type { ReportedCharge } from '../reports/costReport.ts';
import { ExportTooLarge } from './exportFile.ts';
import {
  type BedrockCharge,
  chargeKeyOf,
  type LineItem,
  toBedrockCharge,
  toReportedCharge,
} from './lineItem.ts';

/** Charges of a month that are kept in memory: about 100 MB. */
const CHARGES_MAXIMUM = 200_000;

/** The charges of a billing period, added exactly while its rows are read. */
export const statementOf = (month: Month) => {
  const charges = new Map<string, BedrockCharge>();
  const [first, last] = [startOfMonth(month), startOfNextMonth(month) - DAY_MS];
  return {
    /** Adds a row. Throws when it does not have the documented form. */
    add: (item: LineItem): void => {
      const read = toBedrockCharge(item);
      if (read === null) return;
      // A statement can correct an earlier one. Its charges stay in the month that bills them.
      const charge = { ...read, day: Math.min(last, Math.max(first, read.day)) };
      const key = chargeKeyOf(charge);
      const before = charges.get(key);
      if (before === undefined && charges.size >= CHARGES_MAXIMUM) {
        throw new ExportTooLarge('a month has too many charges');
      }
      charges.set(
        key,
        before === undefined
          ? charge
          : {
              ...charge,
              cost: before.cost.plus(charge.cost),
              quantity: before.quantity.plus(charge.quantity),
            },
      );
    },
    /** The charges by the start of their day. */
    byDay: (): ReadonlyMap<number, readonly ReportedCharge[]> =>
      new Map(
        [...Map.groupBy(charges.values(), ({ day }) => day)].map(([day, ofDay]) => [
          day,
          ofDay.map(toReportedCharge),
        ]),
      ),
  };
};
