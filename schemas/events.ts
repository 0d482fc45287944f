import * as z from 'zod';
import { Interpretation } from './attributionRecord.ts';
import { OverrideTrace } from './explanation.ts';

/** A correction of a record: which, from which version on, whom it names now, and by whom and why. */
const Correction = z.object({
  attribution_id: z.string(),
  invocation_id: z.string(),
  version: z.int(),
  owner: z.string().nullable(),
  service: z.string().nullable(),
  by: z.string(),
  reason: z.string().meta({ description: 'As the person who corrected the record gave it' }),
});

const DegradationState = Interpretation.shape.degradation_state;

/** A move of how a tenant's predictions are served. */
const DegradationChange = z
  .object({
    previous: DegradationState,
    state: DegradationState,
    reason: z.enum([
      'model_unavailable',
      'model_available',
      'model_validated',
      'model_recalled',
      'inference_disabled',
      'inference_enabled',
    ]),
    model_version: z
      .string()
      .nullable()
      .meta({ description: 'The model it is about; null when there is none' }),
  })
  .meta({ id: 'DegradationStateChanged' });
export type DegradationChange = z.infer<typeof DegradationChange>;

/** The data of each event type. Within a major version members are only ever added. */
export const eventData = {
  'apikey.rotated': z
    .object({
      api_key_id: z.string(),
      name: z.string(),
      rotated_at: z.iso.datetime(),
      previous_secret_valid_until: z.iso.datetime().nullable(),
    })
    .meta({ id: 'ApiKeyRotated' }),
  'attribution.override.applied': Correction.extend({
    override_id: z.string(),
    previous: OverrideTrace.shape.previous,
    dispute_id: z
      .string()
      .nullable()
      .meta({ description: 'The dispute this resolved; null when none was open' }),
  }).meta({ id: 'AttributionOverrideApplied' }),
  'attribution.disputed': Correction.extend({
    dispute_id: z.string(),
    proposed_owner: z.string().nullable(),
    proposed_service: z.string().nullable(),
  }).meta({ id: 'AttributionDisputed' }),
  'degradation.state.changed': DegradationChange,
} as const;
export type EventType = keyof typeof eventData;
export type EventData<Type extends EventType> = z.infer<(typeof eventData)[Type]>;

/** The part of an evidence card that travels with an event. */
export const EventInterpretation = Interpretation.pick({
  stage_origin: true,
  confidence_band: true,
  degradation_state: true,
});

/** An event as it is raised; `sequence` is given by each stream it enters. */
export const RaisedEvent = z.object({
  id: z.string(),
  type: z.enum(Object.keys(eventData) as [EventType, ...EventType[]]),
  created_at: z.iso.datetime(),
  tenant_id: z.string(),
  data: z.record(z.string(), z.unknown()),
  /** Present when the data is an attribution result. */
  interpretation: EventInterpretation.optional(),
});
export type RaisedEvent = z.infer<typeof RaisedEvent>;
