import type { InvocationEvent } from '../../schemas/ingestion/invocationEvent.ts';

/** What a producer sends about a call apart from who made it. The stated identity and service are labels, never features. */
const OBSERVED = [
  'provider',
  'requested_model',
  'served_model',
  'operation',
  'ingestion_layer',
  'region',
  'input_tokens',
  'cached_input_tokens',
  'output_tokens',
  'reasoning_tokens',
  'latency_ms',
  'service_tier',
  'batch',
  'api_key_name',
  'source_system',
  'k8s_namespace',
  'k8s_workload',
  'k8s_cluster',
  'spiffe_id',
  'pathway_category',
  'status',
  'tags',
] as const satisfies readonly (keyof InvocationEvent)[];

/** All that inference may look at. `occurredAt` in epoch milliseconds. */
export interface Observation extends Pick<InvocationEvent, (typeof OBSERVED)[number]> {
  readonly occurredAt: number;
}

/** The part of an event that inference may look at. */
export const observationOf = (event: InvocationEvent, occurredAt: number): Observation => {
  const { provider, requested_model, ingestion_layer } = event;
  const observed = OBSERVED.filter((field) => event[field] !== undefined).map((field) => [
    field,
    event[field],
  ]);
  return { ...Object.fromEntries(observed), provider, requested_model, ingestion_layer, occurredAt };
};

/** A call that was seen, and who made it where the deterministic rules could tell. */
export interface Example {
  readonly observation: Observation;
  readonly label: string | null;
}
