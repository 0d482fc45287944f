import * as z from 'zod';
import type { BillRow } from '../../../../../schemas/chargeback/reconciliation.ts';
import { label } from '../../../../../schemas/values.ts';
import { type Decimal, decimal } from '../../../../platform/shared/decimal.ts';
import type { BilledTokens } from '../../rows/billedTokens.ts';

/** The text of an amount. Its digits and exponent are bounded, because an exponent of a million is a million digits. */
export const ReportedAmount = z.string().regex(/^-?\d{1,18}(?:\.\d{1,60})?(?:[eE][+-]?\d{1,2})?$/);
export const ReportedCurrency = z.string().regex(/^[a-z]{3}$/i);

/** A charge in a currency of which the source has no rate for its day. A report states none, so its value in USD is unknown. */
export class OtherCurrency extends Error {
  override readonly name = 'OtherCurrency';
}

/** The amount of a bill row. `unit` is the value of one in the currency of the charge. */
export const toBilledCost = (amount: string, unit: Decimal = decimal('1')): string =>
  decimal(amount).times(unit).toFixed();

/** A charge of a report. Day, provider and account follow from the request. */
export type ReportedCharge = Pick<
  BillRow,
  | 'BilledCost'
  | 'BillingCurrency'
  | 'BillingAccountId'
  | 'ChargeCategory'
  | 'x_Model'
  | 'SkuMeter'
  | 'SkuPriceId'
  | 'SubAccountId'
  | 'RegionId'
  | 'PricingCategory'
> & { readonly tokens?: BilledTokens | undefined };

const Account = label(512);
/** The account; null if it is none that a bill row can name. */
export const readAccount = (account: string | null | undefined): string | null =>
  Account.safeParse(account).data ?? null;

/** The account that charges name. It must be the same in each report, so of several it is the first in order. */
export const reportedAccount = (charges: readonly ReportedCharge[]): string | null =>
  charges
    .flatMap(({ BillingAccountId }) => readAccount(BillingAccountId) ?? [])
    .reduce<string | null>((first, account) => (first === null || account < first ? account : first), null);

/** The charges of a period of a report. Epoch milliseconds, `end` excluded. */
export interface ReportedBucket {
  readonly start: number;
  readonly end: number;
  readonly charges: readonly ReportedCharge[];
}

export interface ReportPage {
  readonly buckets: readonly ReportedBucket[];
  /** The token of the next page; null on the last page. */
  readonly next: string | null;
}

/** The token of the next page; null on the last page. Throws for a page that has a next one and does not say which. */
export const nextPage = (page: {
  readonly has_more: boolean;
  readonly next_page?: string | null | undefined;
}): string | null => {
  if (!page.has_more) return null;
  if (!page.next_page) throw new RangeError('a page has a next one without a token');
  return page.next_page;
};

/** A number of tokens of a day (epoch milliseconds), by what they have in common with a charge. */
export interface ReportedTokens {
  readonly day: number;
  readonly key: string;
  readonly count: number;
}

/** How the tokens of a provider are read whose costs do not contain them. The host and the credential are the same. */
export interface UsageApi {
  readonly pathOf: (day: number, page: string | null) => string;
  /** Throws when the response does not have the documented form. */
  readonly parsePage: (bytes: Uint8Array) => {
    readonly tokens: readonly ReportedTokens[];
    readonly next: string | null;
  };
  readonly addTokens: (
    buckets: readonly ReportedBucket[],
    tokens: readonly ReportedTokens[],
  ) => readonly ReportedBucket[];
}

/** How the costs of a provider are read. */
export interface CostApi {
  readonly baseUrl: string;
  /** Path and query of a page of the report of one UTC day. `day` is its start in epoch milliseconds. */
  readonly pathOf: (day: number, page: string | null) => string;
  readonly headersOf: (credential: string) => Readonly<Record<string, string>>;
  /** The response header that names the organization of the credential. */
  readonly accountHeader: string;
  /** Throws when the response does not have the documented form. */
  readonly parsePage: (bytes: Uint8Array) => ReportPage;
  readonly usage?: UsageApi;
}
