import type { InvocationEvent } from '../../../../schemas/ingest/invocationEvent.ts';
import type { TrafficPattern } from './trafficPattern.ts';

/** A log-normal distribution of sizes. */
export interface LogNormal {
  readonly median: number;
  readonly sigma: number;
}

/** Prices in billionths of a USD per token, as reported by a gateway that prices calls itself. */
export interface GatewayPrice {
  readonly input: number;
  readonly cached: number;
  readonly output: number;
}

export interface ModelUse {
  readonly share: number;
  readonly provider: string;
  readonly model: string;
  /** The dated model name in the provider's response. */
  readonly served?: string;
  readonly regions?: readonly [string, ...string[]];
  readonly tokensPerSecond: number;
  /** Typical share of reasoning tokens in the output. */
  readonly reasoning?: number;
  readonly gatewayPrice?: GatewayPrice;
  /** Energy per output token in millionths of a watt-hour, if the machine is metered. */
  readonly meteredMicroWh?: number;
}

export interface Service {
  readonly name: string;
  /** Share of all calls. */
  readonly share: number;
  readonly pattern: TrafficPattern;
  readonly layer: 'application' | 'gateway' | 'proxy';
  readonly pathway: NonNullable<InvocationEvent['pathway_category']>;
  readonly operation: 'chat' | 'embeddings';
  readonly input: LogNormal;
  readonly output: LogNormal;
  /** Correlation of input and output sizes, 0 to 1. */
  readonly correlation: number;
  /** Probability of a prompt cache hit. */
  readonly cacheHits?: number;
  readonly batch?: true;
  /** The owning team. Each call names a person of the team. */
  readonly team?: string;
  /** Other identity fields of the calls. */
  readonly identity: Pick<
    InvocationEvent,
    | 'attributed_service'
    | 'attribution_confidence'
    | 'k8s_cluster'
    | 'k8s_namespace'
    | 'k8s_workload'
    | 'spiffe_id'
    | 'api_key_name'
  >;
  readonly models: readonly [ModelUse, ...ModelUse[]];
}
