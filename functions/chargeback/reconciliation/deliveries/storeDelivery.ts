import type { Revision, Versioned, Write } from '../../../platform/shared/aws/document.store.ts';
import type { BillWatermark, BillWriter } from './bill.store.ts';
import { type StoredDelivery, totalsOf } from './delivery.ts';

/** What is stored under an id: the delivery that has it, or had it last. */
export interface FoundDelivery {
  readonly place: Awaited<ReturnType<BillWriter['place']>>;
  readonly current: Versioned<StoredDelivery> | null;
}

export const findDelivery = async (
  bills: Pick<BillWriter, 'place' | 'delivery'>,
  tenantId: string,
  id: string,
): Promise<FoundDelivery> => {
  const place = await bills.place(tenantId, id);
  const current = place && (await bills.delivery(tenantId, { id, ...place.document }));
  return { place, current };
};

/** How far a complete delivery moves the watermark. */
export const newestOf = (newest: BillWatermark | null, delivery: StoredDelivery): BillWatermark | null => {
  const { until } = totalsOf(delivery);
  if (delivery.state !== 'complete' || until === null) return newest;
  return { until: Math.max(newest?.until ?? until, until), at: Math.max(newest?.at ?? 0, delivery.at) };
};

/**
 * The writes that store the next state of a delivery. A complete one also writes the watermark, so that whoever computes the
 * watermark of all deliveries at the same time misses none.
 */
export const deliveryWrites = async (
  bills: Pick<BillWriter, 'delivery' | 'putDelivery' | 'putPlace' | 'watermark' | 'putWatermark'>,
  tenantId: string,
  { place, current }: FoundDelivery,
  next: StoredDelivery,
  by: Revision,
): Promise<Write[]> => {
  // The delivery that had the id before can have ended on another day.
  const isPlaced = place?.document.to === next.to;
  const stored = isPlaced ? current : await bills.delivery(tenantId, next);
  const mark = next.state === 'complete' ? await bills.watermark(tenantId) : null;
  return [
    bills.putDelivery(tenantId, next, { expectedRevision: stored?.revision ?? null, by }),
    ...(isPlaced ? [] : [bills.putPlace(tenantId, next, { expectedRevision: place?.revision ?? null, by })]),
    ...(next.state === 'complete'
      ? [
          bills.putWatermark(
            tenantId,
            { newest: newestOf(mark?.document.newest ?? null, next) },
            { expectedRevision: mark?.revision ?? null, by },
          ),
        ]
      : []),
  ];
};
