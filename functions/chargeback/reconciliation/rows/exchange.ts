import * as z from 'zod';
import {
  type ExchangedAmount,
  type ExchangeRates,
  RATE_DAYS_MAXIMUM,
} from '../../../../schemas/chargeback/exchangeRates.ts';
import { DAY_MS } from '../../../../schemas/durations.ts';
import { type Decimal, decimal, sumDecimals } from '../../../platform/shared/decimal.ts';
import { utcDateOf } from '../../../platform/shared/time/toIso.ts';

/** How an amount in another currency became USD. */
export const Exchange = z.object({
  currency: z.string(),
  amount: z.string(),
  /** USD for one unit, and the day on which the source published it. */
  rate: z.string(),
  rate_day: z.iso.date(),
  source: z.string(),
});
export type Exchange = z.infer<typeof Exchange>;
export type AppliedRate = Pick<Exchange, 'rate' | 'rate_day' | 'source'>;

/**
 * Fractional digits of a rate that is a quotient: more than amounts have, so that EUR 9.20, made of USD 10 at 0.92, becomes USD 10
 * again.
 */
export const CROSS_RATE_DIGITS = 30;
/** Fractional digits of a rate that is shown. */
const SHOWN_RATE_DIGITS = 18;

const shownRate = ({ rate }: Exchange): string => decimal(rate).round(SHOWN_RATE_DIGITS).toFixed();

/** Units of a currency for one unit of the base on a day, or undefined. */
const unitsOn = ({ base, rates }: ExchangeRates, currency: string, day: string): string | undefined =>
  currency === base ? '1' : rates[day]?.[currency];

/**
 * The USD for one unit of a currency on a UTC day, from the newest day of at most {@link RATE_DAYS_MAXIMUM} before on which the
 * table has both. Null without one: a rate of another time is a guess.
 */
export const rateOn = (
  table: ExchangeRates | undefined,
  currency: string,
  day: string,
): AppliedRate | null => {
  if (table === undefined) return null;
  const oldest = utcDateOf(Date.parse(day) - RATE_DAYS_MAXIMUM * DAY_MS);
  const found = Object.keys(table.rates)
    .filter((published) => published >= oldest && published <= day)
    .sort()
    .reverse()
    .flatMap((published) => {
      const [units, usd] = [unitsOn(table, currency, published), unitsOn(table, 'USD', published)];
      return units === undefined || usd === undefined ? [] : [{ published, units, usd }];
    })[0];
  if (found === undefined) return null;
  return {
    rate: decimal(found.usd).div(found.units).round(CROSS_RATE_DIGITS).toFixed(),
    rate_day: found.published,
    source: table.source,
  };
};

/** How an amount of a day becomes USD. Undefined if it is USD, and null without a rate. */
export const exchangeOn = (
  table: ExchangeRates | undefined,
  currency: string,
  day: string,
): AppliedRate | undefined | null => (currency === 'USD' ? undefined : rateOn(table, currency, day));

const extreme = (texts: readonly string[], isWanted: (one: Decimal, other: string) => boolean): string =>
  texts.reduce((best, text) => (isWanted(decimal(text), best) ? text : best));

/** Adds sums of the same currency and source. */
export const addExchanged = (amounts: readonly ExchangedAmount[]): ExchangedAmount[] =>
  [...Map.groupBy(amounts, ({ currency, source }) => JSON.stringify([currency, source])).values()].flatMap(
    (group) => {
      const [first] = group;
      if (first === undefined) return [];
      return [
        {
          currency: first.currency,
          source: first.source,
          billed: sumDecimals(group.map(({ billed }) => billed)),
          billed_usd: sumDecimals(group.map(({ billed_usd }) => billed_usd)),
          lowest_rate: extreme(
            group.map(({ lowest_rate }) => lowest_rate),
            (one, other) => one.lt(other),
          ),
          highest_rate: extreme(
            group.map(({ highest_rate }) => highest_rate),
            (one, other) => one.gt(other),
          ),
        },
      ];
    },
  );

/** The sums of amounts in other currencies, by currency and source. */
export const exchangedOf = (
  lines: readonly { readonly cost: string; readonly exchange?: Exchange | undefined }[],
): ExchangedAmount[] =>
  addExchanged(
    lines.flatMap(({ cost, exchange }) =>
      exchange === undefined
        ? []
        : [
            {
              currency: exchange.currency,
              source: exchange.source,
              billed: exchange.amount,
              billed_usd: cost,
              lowest_rate: shownRate(exchange),
              highest_rate: shownRate(exchange),
            },
          ],
    ),
  );
