import * as z from 'zod';
import { DELIVERY_DAYS_MAXIMUM, DeliveryError, DeliveryTarget, EarlierDelivery } from './deliveryTarget.ts';

/** What a delivered manifest says beside the manifest of its export. */
export const DeliveredTo = z
  .object({
    bucket: z.string(),
    name: z.string(),
    billing_period: z.string().meta({ description: 'UTC month', example: '2026-10' }),
    edition: z.enum(['provisional', 'final']).nullable(),
    version: z.int().meta({ description: 'Counts the deliveries of this name and month, from 1' }),
    supersedes: EarlierDelivery.nullable().meta({
      description: 'The delivery that this one replaces as a whole. Null for the first',
    }),
  })
  .meta({ id: 'DeliveredExport' });
export type DeliveredTo = z.infer<typeof DeliveredTo>;

const members = {
  attempts: z.int(),
  last_error: DeliveryError.nullable().meta({
    description: 'Why the last attempt failed. Null if it did not',
  }),
  version: z.int().nullable().meta({ description: 'Null before the first attempt' }),
  supersedes: EarlierDelivery.nullable(),
};

/** The states of a delivery. Those after `pending` are its ends. */
const endStates = ['delivered', 'superseded', 'failed'] as const;

/** The delivery of a finished export as stored. Instants are epoch milliseconds. */
export const StoredDelivery = z.object({
  ...members,
  state: z.enum(['pending', ...endStates]),
  /** It is tried for some days from then on. */
  opened_at: z.int(),
  /** The next attempt starts at the first run at or after this instant. */
  due_at: z.int(),
  ended_at: z.int().nullable(),
  /** Of the manifest of the version, as an S3 URI. */
  location: z.string().nullable(),
  /** Whether the event of a failing delivery was raised. */
  is_failure_told: z.boolean(),
});
export type StoredDelivery = z.infer<typeof StoredDelivery>;

/** The delivery of an export as returned to callers. */
export const ExportDelivery = z
  .object({
    ...DeliveryTarget.shape,
    state: z.enum(['waiting', 'pending', ...endStates, 'cancelled']).meta({
      description: `waiting: the export is not finished. pending: files are being put, or the next attempt waits. delivered: all files and the manifest are in the bucket. superseded: a later export with this name and month came first, so nothing was put. failed: tried for ${DELIVERY_DAYS_MAXIMUM} days, or the destination was deleted. cancelled: the export has no files`,
    }),
    ...members,
    next_attempt_at: z.iso.datetime().nullable(),
    delivered_at: z.iso.datetime().nullable(),
    location: z.string().nullable().meta({
      description: 'The manifest of the version in the bucket. Null before the first attempt',
      example:
        's3://example-finance/ai/chargeback/metadata/BILLING_PERIOD=2026-10/version=3/chargeback-Manifest.json',
    }),
  })
  .meta({ id: 'ExportDelivery' });
export type ExportDelivery = z.infer<typeof ExportDelivery>;
