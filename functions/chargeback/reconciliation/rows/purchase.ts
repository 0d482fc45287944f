import type { BillRow } from '../../../../schemas/chargeback/reconciliation.ts';
import { canonicalProvider } from '../../../impact/usage/modelIdentity.ts';
import { sha256Of } from '../../../platform/shared/hash.ts';
import { billTier } from './billTier.ts';
import { meterOfSku } from './normalizeModel.ts';

/** What a charge pays for. Invoices, texts and amounts are no part of it, so they can change from delivery to delivery. */
export interface Purchase {
  /** Digest of everything but the meter. */
  readonly key: string;
  /** The words of the meter. Null if the row names none: files before FOCUS 1.1 have no such column. */
  readonly meter: string | null;
}

const KEY_LENGTH = 22;

const wordsOf = (meter: string): string => (meter.toLowerCase().match(/[a-z0-9]+/g) ?? []).join(' ');

/**
 * The purchase of a row. A correction is one of its own for each bill that has it: it adds to the charge that it corrects.
 */
export const purchaseOf = (row: BillRow): Purchase => {
  const isCorrection = row.ChargeClass === 'Correction';
  const parts = [
    canonicalProvider(row.ServiceProviderName ?? row.ProviderName ?? ''),
    row.BillingAccountId,
    Date.parse(row.ChargePeriodStart),
    Date.parse(row.ChargePeriodEnd),
    row.ChargeCategory ?? 'Usage',
    isCorrection ? Date.parse(row.BillingPeriodStart ?? row.ChargePeriodStart) : null,
    row.x_Model ?? row.x_ServedModelId,
    row.SkuId,
    row.SkuPriceId,
    row.ResourceId,
    row.SubAccountId,
    row.RegionId,
    billTier(row.PricingCategory ?? ''),
    row.x_RowId,
  ];
  const meter = row.SkuMeter ?? (row.SkuId ? meterOfSku(row.SkuId) : null);
  return {
    key: sha256Of('purchase', JSON.stringify(parts.map((part) => part ?? null)))
      .toString('base64url')
      .slice(0, KEY_LENGTH),
    meter: meter === null ? null : wordsOf(meter),
  };
};

/** Whether two rows pay for the same. A row without a meter is that of every meter. */
export const isSamePurchase = (one: Purchase, other: Purchase): boolean =>
  one.key === other.key && (one.meter === null || other.meter === null || one.meter === other.meter);
