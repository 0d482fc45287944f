import * as z from 'zod';
import { label } from '../values.ts';

/** Days after its own on which a rate still holds: sources publish none on weekends and holidays. */
export const RATE_DAYS_MAXIMUM = 7;
/** Days of one table: a year of bills, and the days before it. */
const TABLE_DAYS_MAXIMUM = 400;
/** Currencies of one day. The European Central Bank publishes 30. */
const CURRENCIES_MAXIMUM = 50;

const CODE = /^[A-Z]{3}$/;
/** Checked without a pattern of the schema: USD was the only value once, and a pattern would look narrower. */
export const Currency = z
  .string()
  .refine((text) => CODE.test(text), 'must be a currency code of ISO 4217, such as EUR');

const Rate = z
  .string()
  .regex(
    /^(?:0|[1-9]\d{0,8})(?:\.\d{1,12})?$/,
    'must be a positive decimal string with at most 12 fractional digits',
  )
  .refine((text) => /[1-9]/.test(text), 'must not be zero');

const atMost = (count: number, what: string) =>
  [
    (record: Readonly<Record<string, unknown>>) => Object.keys(record).length <= count,
    `must have at most ${count} ${what}`,
  ] as const;

/** A table of exchange rates in the form in which central banks publish them: units for one unit of a base, by day. */
export const ExchangeRates = z
  .strictObject({
    source: label(256).meta({
      description: 'Who published the rates',
      example: 'ECB euro foreign exchange reference rates',
    }),
    base: Currency.meta({ description: 'The currency whose unit the rates are for', example: 'EUR' }),
    rates: z
      .record(
        z.iso.date(),
        z
          .record(z.string().regex(CODE, 'must be a currency code of ISO 4217, such as EUR'), Rate)
          .refine(...atMost(CURRENCIES_MAXIMUM, 'currencies')),
      )
      .refine(...atMost(TABLE_DAYS_MAXIMUM, 'days'))
      .meta({
        description: 'Units of each currency for one unit of the base, by day',
        example: { '2026-03-02': { USD: '1.0512', GBP: '0.8421' } },
      }),
  })
  .meta({ id: 'ExchangeRates' });
export type ExchangeRates = z.infer<typeof ExchangeRates>;

/** What was billed in another currency, and the rates that made it USD. */
export const ExchangedAmount = z
  .object({
    currency: z.string(),
    source: z.string(),
    billed: z.string(),
    billed_usd: z.string(),
    lowest_rate: z.string().meta({ description: 'USD for one unit' }),
    highest_rate: z.string(),
  })
  .meta({ id: 'ExchangedAmount' });
export type ExchangedAmount = z.infer<typeof ExchangedAmount>;
