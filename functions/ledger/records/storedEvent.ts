import * as z from 'zod';
import type { AttributionRecord } from '../../../schemas/attribution/attributionRecord.ts';
import { CostExplanation } from '../../../schemas/attribution/costExplanation.ts';
import { InvocationEvent, InvocationEventFields } from '../../../schemas/ingest/invocationEvent.ts';
import { Provenance } from './provenance.ts';
import { SameCall } from './sameCall/sameCall.ts';
import { Evidence } from './trace/evidence.ts';
import { TraceEvidence } from './trace/traceSpan.ts';

/** A cost far above what the usage explains, or above that of every call, which a person has confirmed. */
const ConfirmedCost = z.object({ usd: z.string(), by: z.string(), at: z.iso.datetime() });
export type ConfirmedCost = z.infer<typeof ConfirmedCost>;

const Usage = InvocationEventFields.partial();
/** The usage that the call above states, and what the call states itself. It is stored, so that it can be undone. */
const CompletedUsage = z.object({
  /** ULID of the record of the call above. */
  record: z.string(),
  usage: Usage,
  own: Usage,
});
export type CompletedUsage = z.infer<typeof CompletedUsage>;

/** The members of an event that its record does not contain. They are stored, so that the event can be attributed again. */
export const StoredEvent = InvocationEventFields.pick({
  id_basis: true,
  call_ids: true,
  operation: true,
  reported_time: true,
  service_tier: true,
  batch: true,
  input_tokens_high: true,
  output_tokens_high: true,
  cache_write_1h_tokens: true,
  audio_input_tokens: true,
  cached_audio_input_tokens: true,
  image_input_tokens: true,
  audio_output_tokens: true,
  image_output_tokens: true,
  web_searches: true,
  file_searches: true,
  code_executions: true,
  rerank_searches: true,
  audio_seconds: true,
  video_seconds: true,
  images: true,
  pages: true,
  characters: true,
  unread_usage: true,
  inference_region: true,
  server_address: true,
  estimated_cost_usd: true,
  unread_cost: true,
  cost_source: true,
  billing_mode: true,
  cost_breakdown: true,
  energy_wh: true,
  carbon_gco2e: true,
  span_id: true,
  parent_span_id: true,
  caller_span_id: true,
  covered_span_ids: true,
}).extend({
  ...Evidence.omit({ tags: true }).shape,
  trace: TraceEvidence.optional(),
  /** Who stated the event. Of several observers, the first. */
  stated_by: Provenance.optional(),
  /** Another record of the same call has its cost: the tenant reported the call after a connector had. */
  superseded: z.literal(true).optional(),
  same_call: SameCall.optional(),
  completed_usage: CompletedUsage.optional(),
  confirmed_cost: ConfirmedCost.optional(),
  /** The cost that is set aside until a person confirms it. */
  cost_to_confirm: CostExplanation.optional(),
  /** When the first version was written, if that was long after the call was accepted, at which it begins. */
  recorded_at: z.iso.datetime().optional(),
});
export type StoredEvent = z.infer<typeof StoredEvent>;

/** The end user whom the call names, or else its trace. */
export const endUserOf = ({ end_user, trace, same_call }: StoredEvent): string | null =>
  end_user ?? trace?.end_user ?? same_call?.end_user ?? null;

export const toStoredEvent = (
  event: InvocationEvent,
  added: Pick<
    StoredEvent,
    | 'trace'
    | 'stated_by'
    | 'superseded'
    | 'same_call'
    | 'completed_usage'
    | 'confirmed_cost'
    | 'cost_to_confirm'
  >,
): StoredEvent => StoredEvent.parse({ ...event, ...added });

/** Rebuilds the event behind a record, as its observers state it. Its timestamp is the record's `occurred_at`. */
export const toInvocationEvent = (
  record: AttributionRecord,
  {
    trace: _trace,
    stated_by: _statedBy,
    superseded: _superseded,
    same_call: _sameCall,
    completed_usage: completed,
    confirmed_cost: _confirmed,
    cost_to_confirm: _toConfirm,
    recorded_at: _recordedAt,
    ...storedEvent
  }: StoredEvent,
): InvocationEvent => {
  const event = {
    event_id: record.event_id,
    ingestion_layer: record.ingestion_layer,
    ingestion_timestamp: record.occurred_at,
    provider: record.provider,
    requested_model: record.requested_model,
    served_model: record.served_model,
    region: record.region,
    input_tokens: record.input_tokens,
    cached_input_tokens: record.cached_input_tokens,
    cache_write_tokens: record.cache_write_tokens,
    output_tokens: record.output_tokens,
    reasoning_tokens: record.reasoning_tokens,
    latency_ms: record.latency_ms,
    trace_id: record.trace_id,
    pathway_category: record.pathway_category,
    status: record.status,
    tags: record.tags,
    ...storedEvent,
  };
  const { usage = {}, own } = completed ?? {};
  const stated = Object.entries(event).filter(([name, value]) => value !== null && !(name in usage));
  return InvocationEvent.parse({ ...Object.fromEntries(stated), ...own });
};
