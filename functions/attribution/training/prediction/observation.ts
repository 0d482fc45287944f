import type { InvocationEvent } from '../../../../schemas/ingest/invocationEvent.ts';

/** Event fields that inference may use. The stated identity and service are labels, never features. */
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

/** The input of inference. `occurredAt` is epoch milliseconds. */
export interface Observation extends Pick<InvocationEvent, (typeof OBSERVED)[number]> {
  readonly occurredAt: number;
  /** Undefined for the home lane. */
  readonly lane?: string | undefined;
}

/** Selects the fields of an event that inference may use. */
export const observationOf = (event: InvocationEvent, occurredAt: number, lane?: string): Observation => {
  const { provider, requested_model, ingestion_layer } = event;
  const observed = OBSERVED.filter((field) => event[field] !== undefined).map((field) => [
    field,
    event[field],
  ]);
  const known = { provider, requested_model, ingestion_layer, occurredAt };
  return { ...Object.fromEntries(observed), ...known, ...(lane !== undefined && { lane }) };
};

/** A call with its label. The label is null when neither the deterministic rules nor a person attributed the call. */
export interface Example {
  readonly observation: Observation;
  readonly label: string | null;
  /** Absent: the call names no owner itself, or the others of its trace do not name one together. */
  readonly traced?: TracedName;
}

/** What the rules would name a call by its trace, if it named no owner itself. */
export interface TracedName {
  /** Confidence of the rule. */
  readonly confidence: number;
  /** Whether the call itself names the same owner. */
  readonly isRight: boolean;
}
