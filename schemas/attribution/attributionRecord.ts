import * as z from 'zod';
import { CallStatus, PathwayCategory } from '../ingest/invocationEvent.ts';
import { CHARGEBACK_FLOOR, CONFIDENCE_CEILING, DecimalString, PROVISIONAL_FLOOR } from '../values.ts';

export const OutputState = z
  .enum([
    'deterministically_resolved',
    'strongly_inferred',
    'weakly_inferred',
    'allocated',
    'manually_overridden',
    'unresolved',
  ])
  .meta({ id: 'OutputState' });

export const EvidenceBasis = z.enum([
  'identity_resolved',
  'service_resolved',
  'workload_resolved',
  'trace_correlated',
  'credential_resolved',
  'model_inferred',
  'heuristic_baseline',
  'allocation_rule',
  'manual_override',
  'none',
]);
export type EvidenceBasis = z.infer<typeof EvidenceBasis>;

/** What an answer to "who owns this call?" or "which service made it?" is worth. */
export const AnswerState = z.enum(['confirmed', 'provisional', 'allocated', 'unassigned']).meta({
  id: 'AnswerState',
  description: `confirmed: named, and the confidence of the answer and of the record are at least ${CHARGEBACK_FLOOR}. provisional: named with less confidence. allocated: nobody is named, and the cost is divided among owners. unassigned: nothing is named; candidates may be suggested`,
});
export type AnswerState = z.infer<typeof AnswerState>;

/** The most candidates of an answer. */
export const CANDIDATES_MAXIMUM = 5;

/** The owner or the service of a call as an answer of its own. The name is the `owner` or `service` of the record. */
export const Answer = z
  .object({
    state: AnswerState,
    confidence: z.number().min(0).max(CONFIDENCE_CEILING).meta({
      description: 'Confidence that the name is right, whatever the other answer is worth. 0 without a name',
    }),
    probability: z.number().min(0).max(1).nullable().meta({
      description: 'Measured, without a ceiling. Null unless predicted or traced',
    }),
    evidence_basis: EvidenceBasis.meta({ description: 'Evidence for the name' }),
    chargeback: z.enum(['ready', 'unpriced', 'below_floor', 'unassigned', 'residency_excluded']).meta({
      description:
        'Whether the call can be charged to this name. ready: the answer is confirmed and the cost is known',
    }),
    candidates: z
      .array(z.object({ name: z.string(), confidence: z.number(), evidence_basis: EvidenceBasis }))
      .max(CANDIDATES_MAXIMUM)
      .meta({
        description:
          'Suggestions: other names that the evidence supports, rules first, in their order of precedence, then the model. Confidences of rules and of the model are not on one scale',
      }),
  })
  .meta({ id: 'Answer' });
export type Answer = z.infer<typeof Answer>;

/** What became of a record whose call has other records. */
export const SAME_CALL_STATES = ['counted', 'repeat', 'ambiguous'] as const;
/** What shows that records are of one call. */
export const SAME_CALL_BASES = ['call_id', 'trace', 'time'] as const;

/** Other records of the same call, by other observers that know it under another id. */
const SameCall = z
  .object({
    state: z.enum(SAME_CALL_STATES).meta({
      description:
        'counted: this record stands for the call. repeat: another record does, and this one has no cost and counts in no total. ambiguous: it may be of the call of another record, but several fit, so it counts as a call of its own',
    }),
    basis: z.enum(SAME_CALL_BASES).meta({
      description:
        'call_id: an id of the request or response. trace: the same trace, time, model and token counts. time: the same time, model and token counts, seen from different sides',
    }),
    confidence: z.number().min(0).max(CONFIDENCE_CEILING).meta({
      description: 'Confidence that the records are of one call. Not a part of the confidence of the record',
    }),
    records: z.array(z.string()).meta({ description: 'Ids of the other records' }),
  })
  .meta({ id: 'SameCall' });

/** The evidence card: the confidence of a result and its reasons. Present on every record. */
export const Interpretation = z
  .object({
    stage_origin: z.enum(['stage_a', 'stage_b', 'stage_c']),
    confidence: z
      .number()
      .min(0)
      .max(CONFIDENCE_CEILING)
      .meta({ description: 'Operational confidence (coper)' }),
    confidence_band: z.enum(['chargeback_ready', 'provisional', 'estimated']).meta({
      id: 'ConfidenceBand',
      description: `chargeback_ready from ${CHARGEBACK_FLOOR}, provisional from ${PROVISIONAL_FLOOR}, else estimated`,
    }),
    evidence_basis: EvidenceBasis.meta({ description: 'Strongest evidence that the result is based on' }),
    model_version: z.string().meta({ description: 'Version of the rules or model that produced the result' }),
    degradation_state: z.enum(['none', 'degraded_serving', 'disabled', 'model_recalled']).meta({
      id: 'DegradationState',
      description:
        'degraded_serving: the model was unavailable or, of a single record, exceeded its 20 ms for this call. degradation_state of the tenant says whether it is unavailable',
    }),
    freshness: z.enum(['fresh', 'index_stale', 'source_stale']).meta({
      description:
        'source_stale: the call was sent more than a day after it happened. index_stale: calls that the tenant sent more than 90 seconds ago may not be recorded yet, so there may be newer calls or versions',
    }),
    export_eligibility: z.enum(['eligible', 'below_floor', 'residency_excluded', 'unpriced']),
    unknown: z
      .object({ cost: z.string(), energy: z.string(), carbon: z.string() })
      .partial()
      .optional()
      .meta({ description: 'Why a quantity is null: one reason for each unknown quantity' }),
    same_call: SameCall.optional().meta({
      description:
        'Absent if no other record is of the same call, as far as anything shows. Ids that all observers know make one record, and need no such join',
    }),
    answers: z.object({ owner: Answer, service: Answer }).meta({
      description:
        'Owner and service are two answers. The other members describe the record as a whole: a record that is resolved by its service may have no owner',
    }),
  })
  .meta({ id: 'Interpretation' });
export type Interpretation = z.infer<typeof Interpretation>;

/** A dispute of a record's owner or service. The newest dispute stays in the record after an override resolves it. */
export const Dispute = z
  .object({
    id: z.string().meta({ example: 'dsp_k3v9q2mc01KA3Z5V7JQ2M6X9R8T4B1C0DE' }),
    status: z.enum(['open', 'resolved']),
    reason: z.string(),
    proposed_owner: z.string().nullable(),
    proposed_service: z.string().nullable(),
    opened_by: z.string().meta({ description: 'Id of the key, client, user or sandbox reset' }),
    opened_at: z.iso.datetime(),
    resolved_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Dispute' });

export const AttributionRecord = z
  .object({
    id: z.string().meta({ example: 'att_k3v9q2mc01KA3Z5V7JQ2M6X9R8T4B1C0DE' }),
    tenant_id: z.string(),
    invocation_id: z.string(),
    event_id: z.string(),
    version: z
      .int()
      .min(1)
      .meta({ description: 'Incremented by every override, dispute, re-pricing or re-attribution' }),
    occurred_at: z.iso.datetime(),
    created_at: z.iso.datetime(),
    as_of: z.iso.datetime().meta({ description: 'Start of the validity of this version' }),
    provider: z.string(),
    requested_model: z.string(),
    served_model: z.string(),
    service: z.string().nullable(),
    owner: z.string().nullable(),
    end_user: z.string().nullable(),
    cost_usd: DecimalString.nullable().meta({
      description: 'Null when the price is unknown, never 0 instead',
    }),
    energy_wh: DecimalString.nullable(),
    carbon_gco2e: DecimalString.nullable(),
    input_tokens: z.int().nullable(),
    cached_input_tokens: z.int().nullable(),
    cache_write_tokens: z.int().nullable(),
    output_tokens: z.int().nullable(),
    reasoning_tokens: z.int().nullable(),
    latency_ms: z.int().nullable(),
    trace_id: z.string().nullable(),
    ingestion_layer: z.string(),
    region: z.string().nullable(),
    residency: z.string().nullable(),
    pathway_category: PathwayCategory,
    status: CallStatus,
    tags: z.array(z.string()),
    output_state: OutputState,
    coper: z
      .number()
      .min(0)
      .max(CONFIDENCE_CEILING)
      .meta({ description: 'Equals interpretation.confidence' }),
    interpretation: Interpretation,
    dispute: Dispute.optional().meta({ description: 'Absent if the record was never disputed' }),
  })
  .meta({ id: 'AttributionRecord' });
export type AttributionRecord = z.infer<typeof AttributionRecord>;
