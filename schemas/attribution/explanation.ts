import * as z from 'zod';
import { DecimalString } from '../values.ts';
import { EvidenceBasis } from './attributionRecord.ts';
import { CostExplanation } from './costExplanation.ts';
import { MarketBasedCarbon, SetAsideFootprint, WaterExplanation } from './footprintExplanation.ts';
import { ObservationTrace, RejectedStatement } from './observation.ts';
import { HISTORY_MAXIMUM, NameChange } from './recordVersion.ts';

/** One rule of stage A, with its input and its outcome. */
export const RuleTrace = z.object({
  rule: z.enum(['mapping', 'identity', 'service', 'workload', 'trace', 'credential']),
  mapping: z
    .object({ id: z.string(), name: z.string() })
    .optional()
    .meta({ description: 'The identity mapping that matched' }),
  basis: EvidenceBasis.optional().meta({ description: 'What the mapping that matched read' }),
  saw: z.record(z.string(), z.string()).meta({
    description: 'Event fields that the rule read; for rule trace, the span whose evidence it used',
  }),
  outcome: z.enum(['matched', 'supporting', 'conflicting', 'absent']).meta({
    description:
      'matched: the rule decided the owner or service; supporting: a stronger rule had decided; conflicting: it names another owner or service, which lowers the confidence of the rule that decided; absent: the event has no evidence for it',
  }),
  owner: z.string().optional(),
  service: z.string().optional(),
  confidence: z.number(),
});
export type RuleTrace = z.infer<typeof RuleTrace>;

export const EnergyExplanation = z.object({
  method: z.string().meta({ example: 'ecologits-0.9.3-8bit' }),
  version: z.string().meta({ description: 'Version of the parameter table', example: 'parameters-2026.03' }),
  class: z.enum(['A', 'B', 'C', 'D']).meta({
    description:
      'A: metered by the producer, or the part of a call in the energy of own nodes; B: open weights; C: published range for a closed model; D: size class only',
  }),
  gsd: z.number().meta({ description: 'Geometric standard deviation of the log-normal uncertainty' }),
  low: DecimalString,
  central: DecimalString,
  high: DecimalString,
  components: z
    .object({ output_wh: DecimalString, input_wh: DecimalString })
    .nullable()
    .meta({ description: 'Null if the total was metered' }),
});
export type EnergyExplanation = z.infer<typeof EnergyExplanation>;

export const CarbonExplanation = z.object({
  method: z.string().meta({ example: 'location-based' }),
  version: z.string().meta({ example: 'electricity-maps-2025@0.19.0' }),
  zone: z.string().nullable().meta({ description: 'Grid zone', example: 'US-MIDA-PJM' }),
  zone_basis: z.enum(['region', 'country', 'provider_default']).nullable(),
  year: z.int().nullable(),
  intensity_gco2e_per_kwh: DecimalString.nullable(),
  gsd: z.number(),
  low: DecimalString,
  central: DecimalString,
  high: DecimalString,
  components: z.object({ usage_gco2e: DecimalString, embodied_gco2e: DecimalString }).nullable(),
  market_based: MarketBasedCarbon.optional().meta({
    description:
      'Absent if the operator of the data centre publishes no factor, and for a figure of the producer',
  }),
});
export type CarbonExplanation = z.infer<typeof CarbonExplanation>;

const OwnerAndService = z.object({ owner: z.string().nullable(), service: z.string().nullable() });

/** A manual override: the owner and service before and after, and the reason. */
export const OverrideTrace = OwnerAndService.extend({
  id: z.string().meta({ example: 'ovr_k3v9q2mc01KA3Z5V7JQ2M6X9R8T4B1C0DE' }),
  by: z.string().meta({ description: 'Id of the key, client or user' }),
  at: z.iso.datetime(),
  reason: z.string(),
  previous: OwnerAndService,
  named: z
    .array(z.enum(['owner', 'service']))
    .optional()
    .meta({ description: 'What the override named. The other answer keeps its evidence' }),
});
export type OverrideTrace = z.infer<typeof OverrideTrace>;

/** The most overrides in a record. Earlier ones are in its older versions and in the audit log. */
export const OVERRIDES_MAXIMUM = 50;

/** The prediction of stage B for a call of which the rules named no owner or no service, whether or not it was used. */
export const PredictionTrace = z.object({
  model_version: z.string(),
  basis: z.enum(['model_inferred', 'heuristic_baseline']),
  owner: z.string().nullable(),
  service: z.string().nullable(),
  confidence: z.number().meta({ description: 'Calibrated, before the ceiling' }),
  novel: z.boolean().meta({
    description: 'The call has names that are not in the training data. The confidence is at most 0.5',
  }),
  advisory: z.boolean().meta({
    description:
      'Prediction of the fallback, or of a model that did not pass the publication gate. Always below the chargeback floor',
  }),
  alternatives: z.array(
    z.object({ owner: z.string().nullable(), service: z.string().nullable(), probability: z.number() }),
  ),
});
export type PredictionTrace = z.infer<typeof PredictionTrace>;

/** How a record without an owner was allocated. The parts of a quantity sum exactly to that of the record. */
export const AllocationTrace = z.object({
  version: z.string().meta({ description: 'Version of the shares: a digest of their content' }),
  method: z.enum(['proportional', 'even', 'fixed']),
  window: z.object({ from: z.iso.datetime(), to: z.iso.datetime() }).meta({
    description: 'Period of the attributed spend behind the shares; `to` excluded',
  }),
  parts: z.array(
    z.object({
      owner: z.string().nullable().meta({ description: 'Null for the unallocated part' }),
      ratio: DecimalString.meta({ description: 'Share of the cost. The ratios of a record sum to 1' }),
      cost_usd: DecimalString.nullable(),
      energy_wh: DecimalString.nullable(),
      carbon_gco2e: DecimalString.nullable(),
    }),
  ),
});
export type AllocationTrace = z.infer<typeof AllocationTrace>;

/** The explanation of a record: every rule and every factor, with source and version. */
export const Explanation = z
  .object({
    rules_version: z.string(),
    rules: z.array(RuleTrace),
    cost: CostExplanation.nullable(),
    energy: EnergyExplanation.nullable(),
    carbon: CarbonExplanation.nullable(),
    water: WaterExplanation.optional().meta({ description: 'Absent if it is unknown' }),
    reported_cost: z
      .object({
        usd: DecimalString,
        confirmed_by: z.string().nullable(),
        confirmed_at: z.iso.datetime().nullable(),
      })
      .optional()
      .meta({ description: 'A cost that is set aside as implausible_cost until it is confirmed' }),
    reported_footprint: SetAsideFootprint.optional(),
    usage_of: z.string().optional().meta({
      description: 'Record of the call above, which states more of the usage',
    }),
    reported_time: z.iso.datetime({ offset: true }).optional().meta({
      description:
        'The time by the clock of the producer, if no clock can show it. occurred_at is then that of arrival',
    }),
    prediction: PredictionTrace.optional().meta({
      description: 'Absent if the rules named both, or if stage B predicted nothing',
    }),
    trace_probability: z.number().optional().meta({ description: 'How many owners from traces are right' }),
    trace_advisory: z
      .literal(true)
      .optional()
      .meta({ description: 'The owner from the trace is not charged' }),
    allocation: AllocationTrace.optional().meta({ description: 'Present only if the owner is allocated' }),
    observations: z.array(ObservationTrace).optional().meta({
      description:
        'Present only if several capture layers or source systems observed the call. It is billed once, with the richest evidence of all',
    }),
    history: z
      .array(NameChange)
      .optional()
      .meta({
        description: `Whom the newest ${HISTORY_MAXIMUM} versions named, newest first. In the answer of getAttribution, for a record with several versions. The versions are at /v1/attribution/{id}/versions`,
      }),
    rejected_statements: z.array(RejectedStatement).optional().meta({
      description:
        'The last statement of each connector that has no authority over what the record holds. Absent if there is none',
    }),
    overrides: z
      .array(OverrideTrace)
      .optional()
      .meta({
        description: `Manual overrides, newest last, at most ${OVERRIDES_MAXIMUM}; absent if there are none. They leave rules unchanged`,
      }),
  })
  .meta({ id: 'Explanation' });
export type Explanation = z.infer<typeof Explanation>;
