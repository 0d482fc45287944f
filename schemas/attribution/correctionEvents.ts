import * as z from 'zod';
import { OverrideTrace } from './explanation.ts';

/**
 * A correction of a record: the record, the first corrected version, the new owner and service, the author and the reason.
 */
const Correction = z.object({
  attribution_id: z.string(),
  invocation_id: z.string(),
  version: z.int(),
  owner: z.string().nullable(),
  service: z.string().nullable(),
  by: z.string(),
  reason: z.string().meta({ description: 'The reason that the author of the correction gave' }),
});

/** Event data of an override. */
export const OverrideAppliedData = Correction.extend({
  override_id: z.string(),
  previous: OverrideTrace.shape.previous,
  dispute_id: z
    .string()
    .nullable()
    .meta({ description: 'The dispute that the override resolved. Null when none was open.' }),
});

/** Event data of a dispute. */
export const DisputedData = Correction.extend({
  dispute_id: z.string(),
  proposed_owner: z.string().nullable(),
  proposed_service: z.string().nullable(),
});
