import * as z from 'zod';
import { AttributionRecord } from './attributionRecord.ts';

export const VersionCause = z
  .enum([
    'recorded',
    'override',
    'dispute',
    'allocation',
    'observation',
    'trace',
    'rules',
    'model',
    'factors',
    'unknown',
  ])
  .meta({
    description:
      'observation: another report of the call; factors: prices or footprints; unknown: no earlier version is stored',
  });
export type VersionCause = z.infer<typeof VersionCause>;

/** A version of a record, with what wrote it. `by` and `reason` are those of an override or a dispute. */
export const RecordVersion = z
  .object({
    record: AttributionRecord,
    valid_until: z.iso.datetime().nullable().meta({ description: 'Null: until now' }),
    cause: VersionCause,
    by: z.string().optional(),
    reason: z.string().optional(),
  })
  .meta({ id: 'RecordVersion' });
export type RecordVersion = z.infer<typeof RecordVersion>;
