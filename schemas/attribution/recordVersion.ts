import * as z from 'zod';
import { AnswerState, AttributionRecord } from './attributionRecord.ts';

export const VersionCause = z
  .enum([
    'recorded',
    'override',
    'dispute',
    'confirmation',
    'allocation',
    'observation',
    'trace',
    'rules',
    'model',
    'factors',
    'unknown',
  ])
  .meta({
    id: 'VersionCause',
    description:
      'confirmation: a person confirmed the cost; observation: another report of the call; factors: prices or footprints; unknown: no earlier version is stored',
  });
export type VersionCause = z.infer<typeof VersionCause>;

/** A version of a record, with what wrote it. `by` is who overrode, disputed or confirmed it. */
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

/** The most versions of which an explanation tells the owner. */
export const HISTORY_MAXIMUM = 20;

/** Whom a record named from when until when, and what changed it. */
export const NameChange = z
  .object({
    version: z.int(),
    owner: z.string().nullable(),
    owner_state: AnswerState,
    service: z.string().nullable(),
    from: z.iso.datetime().meta({ description: 'When the version was written' }),
    until: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When the next one was written. Null: until now' }),
    cause: VersionCause,
    by: z.string().optional(),
    reason: z.string().optional(),
  })
  .meta({ id: 'NameChange' });
export type NameChange = z.infer<typeof NameChange>;
