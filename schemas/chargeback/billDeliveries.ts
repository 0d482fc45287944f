import * as z from 'zod';
import { DAY_MS } from '../durations.ts';
import { dropConfidential, IsoDate, label } from '../values.ts';
import { ExchangedAmount } from './exchangeRates.ts';

/** Days of one delivery. */
export const DELIVERY_DAYS_MAXIMUM = 366;
/** Requests of one delivery. All its rows are read together. */
export const DELIVERY_PAGES_MAXIMUM = 100;
/** Billing accounts that the rows of one delivery can name. */
export const DELIVERY_ACCOUNTS_MAXIMUM = 200;
/** An open delivery expires so many days after its last request. */
export const OPEN_DAYS = 7;

const START = 'must be the start of a UTC day';

/** The start of a UTC day, as a date or as an instant. An instant with an offset can start one at any hour. */
export const Day = z
  .union([
    IsoDate,
    z
      .string()
      .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:00(?:\.0+)?(?:Z|[+-]\d\d:\d\d)$/, { error: START, abort: true })
      .refine((text) => Date.parse(text) % DAY_MS === 0, START),
  ])
  .meta({ id: 'UtcDay', description: 'A UTC day: a date, or the instant at which it starts' });

/** The id of a delivery, which is part of a path. */
const DeliveryId = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/,
    'must have letters, digits, dots, colons, hyphens and underscores only',
  )
  .refine((id) => dropConfidential(id) !== undefined, 'must not be a secret');

/** What a delivery is the bill of. */
export const DeclaredDelivery = z
  .strictObject({
    id: DeliveryId.meta({
      description: 'Your id of the delivery',
      example: 'openai-bill-1',
    }),
    provider: label(64).meta({ description: 'The provider that bills, in any spelling', example: 'OpenAI' }),
    account: label(512).optional().meta({
      description:
        'Its BillingAccountId. Default: those that its rows name; if one names none, or without rows, the whole provider',
    }),
    from: Day.meta({ description: 'The first UTC day of its charges' }),
    to: Day.meta({ description: `Exclusive. At most ${DELIVERY_DAYS_MAXIMUM} days after from` }),
    page: z.int().min(1).max(DELIVERY_PAGES_MAXIMUM).optional().meta({
      description:
        'Number of the request. Needed only if two requests have equal rows: without it, the second counts as a retry. A page that is sent again replaces the earlier one',
    }),
  })
  .superRefine(({ from, to }, issues) => {
    const days = (Date.parse(to) - Date.parse(from)) / DAY_MS;
    if (days >= 1 && days <= DELIVERY_DAYS_MAXIMUM) return;
    const message = `must be 1 to ${DELIVERY_DAYS_MAXIMUM} days after from`;
    issues.addIssue({ code: 'custom', path: ['to'], message });
  })
  .meta({ id: 'DeclaredBillDelivery' });
export type DeclaredDelivery = z.infer<typeof DeclaredDelivery>;

/** A delivery as responses show it. */
export const BillDelivery = z
  .object({
    id: z.string().meta({ description: 'Your id, or one of the service' }),
    mode: z.enum(['replace', 'merge']).meta({
      description:
        'replace: it replaces the bill of its provider, accounts and days. merge: rows without a delivery, which replace the same purchases',
    }),
    state: z.enum(['open', 'complete', 'expired']).meta({
      description: `open: not counted yet. complete: it counts, unless a later one replaces it. expired: it was open for ${OPEN_DAYS} days after its last request, and never counts`,
    }),
    provider: z.string().nullable().meta({ description: 'Null if it has rows of several providers' }),
    account: z.string().nullable().meta({ description: 'Null if the rows name none, or several' }),
    from: z.iso.date(),
    to: z.iso.date().meta({ description: 'Exclusive' }),
    rows: z.int(),
    rejected_rows: z.int().meta({ description: 'Rows that could not be read' }),
    billed_usd: z.string().meta({ description: 'Usage charges' }),
    other_charges_usd: z.string().meta({ description: 'Purchases, taxes, credits and adjustments' }),
    exchanged: z.array(ExchangedAmount).optional().meta({
      description: 'What was billed in other currencies. Its USD are part of the sums above',
    }),
    imported_at: z.iso.datetime().meta({
      description: 'When its last request arrived, or its report was requested',
    }),
    imported_by: z
      .string()
      .nullable()
      .meta({ description: 'Id of the key, client or user. Null for a bill source' }),
    source_id: z.string().nullable().meta({ description: 'The bill source. Null if the rows were sent' }),
    expires_at: z.iso.datetime().nullable().meta({ description: 'Null unless it is open' }),
  })
  .meta({ id: 'BillDelivery' });
export type BillDelivery = z.infer<typeof BillDelivery>;
