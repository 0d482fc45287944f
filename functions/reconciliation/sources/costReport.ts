import type { BillRow } from '../../../schemas/reconciliation.ts';

/** A charge of a report. Day, provider and account follow from the request. The cost is in USD. */
export type ReportedCharge = Pick<
  BillRow,
  | 'BilledCost'
  | 'x_Model'
  | 'SkuMeter'
  | 'SkuPriceId'
  | 'SubAccountId'
  | 'RegionId'
  | 'ChargeDescription'
  | 'PricingCategory'
>;

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

/** How the costs of a provider are read. */
export interface CostApi {
  /** The name of the provider on its bill rows. */
  readonly providerName: string;
  readonly baseUrl: string;
  /** Path and query of a page of the report of one UTC day. `day` is its start in epoch milliseconds. */
  readonly pathOf: (day: number, page: string | null) => string;
  readonly headersOf: (credential: string) => Readonly<Record<string, string>>;
  /** Throws when the response does not have the documented form. */
  readonly parsePage: (bytes: Uint8Array) => ReportPage;
}
