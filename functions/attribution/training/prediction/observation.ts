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
  /** Absent: the call belongs to no trace. */
  readonly traced?: TracedExample;
}

/** A call of a trace. */
export interface TracedExample {
  /** Whether the call names its owner itself. */
  readonly isNamed: boolean;
  /** The owner that the rules name it by its trace, if it names none itself. Null: they name none. */
  readonly name: {
    /** Confidence of the rule. */
    readonly confidence: number;
    /** Whether the call itself names the same owner. False for a call that names none. */
    readonly isRight: boolean;
  } | null;
  /**
   * Confidence of the rule that would name the call if its owner were named nowhere: how the rules treat a service that never
   * labels. Null: no rule would, or the call names no owner.
   */
  readonly stranger: number | null;
}
