import * as z from 'zod';
import { DecimalString } from '../values.ts';

/** One rule of the deterministic stage: what it looked at and what came of it. */
export const RuleTrace = z.object({
  rule: z.enum(['mapping', 'identity', 'service', 'workload', 'trace', 'credential']),
  mapping: z
    .object({ id: z.string(), name: z.string() })
    .optional()
    .meta({ description: 'The identity mapping that matched' }),
  saw: z.record(z.string(), z.string()).meta({
    description: 'The fields of the event the rule read; for rule trace, the span it learned from',
  }),
  outcome: z.enum(['matched', 'supporting', 'conflicting', 'absent']).meta({
    description:
      'matched: it decided the owner or service; supporting: a stronger rule had decided already; conflicting: it names somebody else, which lowers the confidence of the rule that decided; absent: nothing to read',
  }),
  owner: z.string().optional(),
  service: z.string().optional(),
  confidence: z.number(),
});
export type RuleTrace = z.infer<typeof RuleTrace>;

/** USD for one kind of token: quantity times unit price is the cost, exactly, where both are known. */
export const CostComponent = z.object({
  kind: z.enum(['input', 'cached_input', 'cache_write', 'output', 'reasoning', 'request', 'total']).meta({
    description:
      'reasoning only where the model charges it apart from output; total where the producer stated the whole alone, or parts that do not add up to it',
  }),
  quantity: z
    .int()
    .nullable()
    .meta({ description: 'Tokens (requests for kind request); null where only the cost is known' }),
  unit_price_usd_per_million: DecimalString.nullable(),
  cost_usd: DecimalString,
});
export type CostComponent = z.infer<typeof CostComponent>;

export const CostExplanation = z.object({
  source: z.enum(['producer', 'contract', 'override', 'catalogue', 'structure']).meta({
    description: 'structure: the span repeats what its children used, and costs nothing itself',
  }),
  catalogue: z
    .string()
    .meta({ description: 'Price list and version, or the producer', example: 'genai-prices@0.1.8' }),
  price_match: z.enum(['exact', 'alias', 'family']).nullable().meta({
    description: 'How the model was found: exact id, a known alias of it, or only its family',
  }),
  priced_model: z.string().nullable(),
  service_tier_multiplier: DecimalString.nullable(),
  low: DecimalString,
  central: DecimalString,
  high: DecimalString,
  components: z.array(CostComponent).meta({
    description: 'They sum to central, exactly; none where source is structure',
  }),
});
export type CostExplanation = z.infer<typeof CostExplanation>;

export const EnergyExplanation = z.object({
  method: z.string().meta({ example: 'ecologits-0.9.3' }),
  version: z.string().meta({ description: 'Version of the parameter table', example: 'parameters-2026.03' }),
  class: z.enum(['A', 'B', 'C', 'D']).meta({
    description:
      'A metered by the producer, B open weights, C published range for a closed model, D size class only',
  }),
  gsd: z.number().meta({ description: 'Geometric standard deviation of the log-normal uncertainty' }),
  low: DecimalString,
  central: DecimalString,
  high: DecimalString,
  components: z
    .object({ output_wh: DecimalString, input_wh: DecimalString })
    .nullable()
    .meta({ description: 'Null where the producer metered the whole' }),
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
});
export type CarbonExplanation = z.infer<typeof CarbonExplanation>;

const OwnerAndService = z.object({ owner: z.string().nullable(), service: z.string().nullable() });

/** Whom a person named in place of whom the record named before, and why. */
export const OverrideTrace = OwnerAndService.extend({
  id: z.string().meta({ example: 'ovr_k3v9q2mc01KA3Z5V7JQ2M6X9R8T4B1C0DE' }),
  by: z.string().meta({ description: 'Id of the key, client or user' }),
  at: z.iso.datetime(),
  reason: z.string(),
  previous: OwnerAndService,
});
export type OverrideTrace = z.infer<typeof OverrideTrace>;

/** How many overrides a record tells of; those before lie in its older versions and the audit log. */
export const OVERRIDES_MAXIMUM = 50;

/** What the trained stage said of a call that the rules could not place, whether or not it decided. */
export const PredictionTrace = z.object({
  model_version: z.string(),
  basis: z.enum(['model_inferred', 'heuristic_baseline']),
  owner: z.string().nullable(),
  service: z.string().nullable(),
  confidence: z.number().meta({ description: 'Calibrated, before the ceiling' }),
  novel: z.boolean().meta({
    description: 'The call bears names that the model never saw: it is not trusted beyond 0.5',
  }),
  advisory: z.boolean().meta({ description: 'The fallback said so: never enough to charge on' }),
  alternatives: z.array(
    z.object({ owner: z.string().nullable(), service: z.string().nullable(), probability: z.number() }),
  ),
});
export type PredictionTrace = z.infer<typeof PredictionTrace>;

/** How what nobody could be named for was shared out. The parts of a quantity sum to the record's, exactly. */
export const AllocationTrace = z.object({
  version: z.string().meta({ description: 'Version of the shares: follows from what they were made of' }),
  method: z.enum(['proportional', 'even', 'fixed']),
  window: z.object({ from: z.iso.datetime(), to: z.iso.datetime() }).meta({
    description: 'Whose attributed spend the shares follow; `to` excluded',
  }),
  parts: z.array(
    z.object({
      owner: z.string().nullable().meta({ description: 'Null is what stays unallocated' }),
      ratio: DecimalString.meta({ description: 'Share of the cost; the ratios of a record sum to 1' }),
      cost_usd: DecimalString.nullable(),
      energy_wh: DecimalString.nullable(),
      carbon_gco2e: DecimalString.nullable(),
    }),
  ),
});
export type AllocationTrace = z.infer<typeof AllocationTrace>;

/** Everything behind a record: each rule tried and each factor used, with source and version. */
export const Explanation = z
  .object({
    rules_version: z.string(),
    rules: z.array(RuleTrace),
    cost: CostExplanation.nullable(),
    energy: EnergyExplanation.nullable(),
    carbon: CarbonExplanation.nullable(),
    prediction: PredictionTrace.optional().meta({
      description: 'Absent where the rules sufficed, or where nothing could be said',
    }),
    allocation: AllocationTrace.optional().meta({ description: 'Only where output_state is allocated' }),
    overrides: z
      .array(OverrideTrace)
      .optional()
      .meta({
        description: `Manual overrides, the newest last, at most ${OVERRIDES_MAXIMUM}; absent where there is none. The rules stay as they judged`,
      }),
  })
  .meta({ id: 'Explanation' });
export type Explanation = z.infer<typeof Explanation>;
