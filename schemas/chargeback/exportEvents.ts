import * as z from 'zod';
import { EventLane } from '../eventLane.ts';
import { Difference } from '../ledger/rollup.ts';
import { DeliveryError, DeliveryTarget, EarlierDelivery } from './deliveryTarget.ts';

/** Why an export failed. Later versions may add reasons. */
export const exportFailures = ['too_large', 'inconsistent', 'timed_out', 'unauthorized', 'internal'] as const;
export type ExportFailure = (typeof exportFailures)[number];

export const ExportFailureDetail = z.object({
  reason: z.enum(exportFailures).meta({
    id: 'ExportFailureReason',
    description:
      'too_large: more rows or files than the limit. inconsistent: rows and exclusions did not sum to the ledger, so nothing was delivered. timed_out: not finished within six hours. unauthorized: the creator of the schedule was revoked or removed, or lost the scope export:create. internal: the service failed. `detail` says what to do',
  }),
  detail: z.string(),
});

/** Totals of a finished export. The manifest has more detail. */
export const ExportResult = z
  .object({
    file_count: z.int(),
    row_count: z.int(),
    bytes: z.int(),
    records: z.int().meta({ description: 'Attribution records that the rows contain' }),
    cost_usd: Difference.meta({
      description: 'Cost of the rows, corrections included. excluded_cost_usd is not included',
    }),
    excluded_records: z.int(),
    excluded_cost_usd: Difference,
    stale: z.boolean().optional().meta({
      description:
        'Whether calls that were accepted more than 90 seconds before the export began may be missing.',
    }),
  })
  .meta({ id: 'ExportResult' });

/** Event data of a finished export. It has no file URLs, because a signed URL gives access to anyone who has it. */
const ExportEventBase = z.object({
  job_id: z.string(),
  format: z.literal('focus'),
  residency: EventLane,
  period: z.object({ from: z.string(), to: z.string() }),
  status_url: z.url(),
  finished_at: z.iso.datetime(),
});
export const ExportCompletedData = ExportEventBase.extend(ExportResult.shape).extend({
  files_expire_at: z.iso.datetime(),
});
export const ExportFailedData = ExportEventBase.extend(ExportFailureDetail.shape);

const DeliveryEventBase = z.object({
  job_id: z.string(),
  residency: EventLane,
  ...DeliveryTarget.shape,
  billing_period: z.string().meta({ example: '2026-10' }),
  status_url: z.url(),
});

/** Event data of an export whose files and manifest are in the bucket. */
export const ExportDeliveredData = DeliveryEventBase.extend({
  version: z.int(),
  supersedes: EarlierDelivery.nullable(),
  location: z.string().meta({ description: 'The manifest of the version, as an S3 URI' }),
  delivered_at: z.iso.datetime(),
});

/** Event data of a delivery that fails. */
export const ExportDeliveryFailedData = DeliveryEventBase.extend({
  error: DeliveryError,
  attempts: z.int(),
  next_attempt_at: z.iso.datetime().nullable().meta({
    description: 'Null: the delivery was given up. Otherwise it is tried again, up to once an hour',
  }),
});
