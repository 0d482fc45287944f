import type { InvocationEvent } from '../../schemas/ingestion/invocationEvent.ts';
import type { TrafficPattern } from './trafficPattern.ts';

/** A log-normal size: half of the calls lie below the median. */
export interface LogNormal {
  readonly median: number;
  readonly sigma: number;
}

/** USD billionths a token, as a gateway that prices calls itself would know them. */
export interface GatewayPrice {
  readonly input: number;
  readonly cached: number;
  readonly output: number;
}

export interface ModelUse {
  readonly share: number;
  readonly provider: string;
  readonly model: string;
  /** The dated name the provider answers with. */
  readonly served?: string;
  readonly regions?: readonly [string, ...string[]];
  readonly tokensPerSecond: number;
  /** Typical part of the output spent on reasoning. */
  readonly reasoning?: number;
  readonly gatewayPrice?: GatewayPrice;
  /** Millionths of a watt-hour an output token takes, where the machine has a meter. */
  readonly meteredMicroWh?: number;
}

export interface Service {
  readonly name: string;
  /** Part of all calls. */
  readonly share: number;
  readonly pattern: TrafficPattern;
  readonly layer: 'application' | 'gateway' | 'proxy';
  readonly pathway: NonNullable<InvocationEvent['pathway_category']>;
  readonly operation: 'chat' | 'embeddings';
  readonly input: LogNormal;
  readonly output: LogNormal;
  /** How strongly a long input goes with a long output, 0 to 1. */
  readonly correlation: number;
  /** How often a call finds its prefix in the cache. */
  readonly cacheHits?: number;
  readonly batch?: true;
  /** Whose it is; each call names a person of the team. */
  readonly team?: string;
  /** What else the calls carry to tell where they come from. */
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
