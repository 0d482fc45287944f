import type { CostExplanation } from '../../../schemas/attribution/costExplanation.ts';
import type { NodeHourShare } from '../../../schemas/attribution/nodeHours.ts';
import type { NodePool, NodePools } from '../../../schemas/attribution/nodePools.ts';
import type { CostUnknown } from '../../../schemas/attribution/unknownCost.ts';
import { HOUR_MS } from '../../../schemas/durations.ts';
import { formatFixedPoint, parseFixedPoint } from '../../../schemas/fixedPoint.ts';
import type { InvocationEvent } from '../../../schemas/ingest/invocationEvent.ts';
import { modalityOf } from '../usage/modality.ts';
import { type ModelIdentity, modelIdentity } from '../usage/modelIdentity.ts';
import { regionName } from '../usage/regionName.ts';
import { readUsage } from '../usage/usage.ts';
import { producerCost, toComponent } from './producerCost.ts';

/** Tokens of a call that its nodes worked on. */
interface TokenUse {
  readonly uncached: number;
  readonly cached: number;
  readonly output: number;
}

/** What is known of the work of a call. Null: not reported. */
export interface CallUse {
  readonly tokens: TokenUse | null;
  readonly milliseconds: number | null;
}

/** Relative work of tokens, as fixed-point numbers. */
interface TokenWeights {
  readonly input: bigint;
  readonly cached: bigint;
  readonly output: bigint;
}

/** A rate of a pool: USD and Wh for an hour of all its nodes, in units of 1e-12. */
export interface HourRate {
  readonly nodes: number;
  readonly cost: bigint;
  /** Null if the power of the nodes is not stated. */
  readonly energy: bigint | null;
}

/** The price of a pool at an hour (epoch milliseconds). Null while it does not run. */
export const rateAt = ({ rates }: NodePool, hour: number): HourRate | null => {
  const rate = rates
    .filter(({ from }) => Date.parse(from) <= hour)
    .toSorted((one, other) => Date.parse(other.from) - Date.parse(one.from))[0];
  if (rate === undefined || rate.nodes === 0) return null;
  const { nodes, node_hour_usd: usd, node_watts: watts } = rate;
  const ofAll = (amount: string): bigint => parseFixedPoint(amount) * BigInt(nodes);
  return { nodes, cost: ofAll(usd), energy: watts === undefined ? null : ofAll(watts) };
};

export const hourOf = (at: number): number => Math.floor(at / HOUR_MS) * HOUR_MS;

/** Host names are compared without case and the dot of a root. */
const hostName = (host: string): string => host.trim().toLowerCase().replace(/\.$/, '');

/** Finds the pool that ran a call. Of several, one that names the host; then the one with the longest model id; then the first. */
export type FindPool = (
  call: Pick<InvocationEvent, 'provider' | 'requested_model' | 'served_model' | 'region' | 'server_address'>,
  at: number,
) => NodePool | null;

export const poolFinder = (pools: NodePools): FindPool => {
  const entries = pools
    .flatMap((pool) =>
      pool.serves.map(({ provider, model, region, host }) => {
        const isPrefix = model.endsWith('*');
        const identity = modelIdentity(provider, isPrefix ? model.slice(0, -1) : model);
        return {
          ...{ pool, ...identity, isPrefix },
          region: region === undefined ? null : regionName(region),
          host: host === undefined ? null : hostName(host),
        };
      }),
    )
    .toSorted(
      (one, other) =>
        Number(other.host !== null) - Number(one.host !== null) || other.model.length - one.model.length,
    );
  return (call, at) => {
    if (entries.length === 0) return null;
    const { provider, model } = modelIdentity(call.provider, call.served_model ?? call.requested_model);
    const region = call.region === undefined ? null : regionName(call.region);
    const host = call.server_address === undefined ? null : hostName(call.server_address);
    const found = entries.find(
      (entry) =>
        entry.provider === provider &&
        (entry.isPrefix ? model.startsWith(entry.model) : model === entry.model) &&
        (entry.region === null || entry.region === region) &&
        (entry.host === null || entry.host === host) &&
        rateAt(entry.pool, hourOf(at)) !== null,
    );
    return found?.pool ?? null;
  };
};

/** What the counts of a call say about its work. */
export const useOf = (event: InvocationEvent, { model }: ModelIdentity): CallUse => {
  const usage = readUsage(event);
  const isEmbedding = modalityOf(event.operation, model) === 'embedding';
  const output = typeof usage === 'string' ? null : (usage.output ?? (isEmbedding ? 0 : null));
  return {
    tokens:
      typeof usage === 'string' || output === null
        ? null
        : { uncached: usage.uncached + usage.cacheWrite, cached: usage.cached, output },
    milliseconds: event.latency_ms ?? null,
  };
};

/** The weighted tokens of a call, in units of 1e-12. */
const weightedTokens = ({ uncached, cached, output }: TokenUse, weights: TokenWeights): bigint =>
  BigInt(uncached) * weights.input + BigInt(cached) * weights.cached + BigInt(output) * weights.output;

const weightsOf = (input: string, cached: string, output: string): TokenWeights => ({
  input: parseFixedPoint(input),
  cached: parseFixedPoint(cached),
  output: parseFixedPoint(output),
});

/**
 * Work of an output token relative to an input token where nobody measured it: DeepSeek's nodes read 73,700 tokens a second, of
 * which 56 % were cached, or wrote 14,800 (https://github.com/deepseek-ai/open-infra-index, day 6), which is 2.2 to 5. Small
 * batches of dense models write slower. The bounds are a judgement.
 */
const JUDGED = [weightsOf('1', '0.1', '4'), weightsOf('1', '0.1', '2'), weightsOf('1', '0.1', '10')] as const;

/** The weights of a pool, first those that divide its cost. The others are bounds of what they may be. */
const weightingsOf = ({ weights }: Pick<NodePool, 'weights'>): readonly TokenWeights[] =>
  weights === undefined ? JUDGED : [weightsOf(weights.input, weights.cached_input, weights.output)];

/** A millisecond in units of 1e-12 seconds. */
const MILLISECOND = 1_000_000_000n;

/** The use of a call in units of 1e-12: as it divides the cost, then as bounds of that. Empty if it is not known. */
export const usesOf = (
  { tokens, milliseconds }: CallUse,
  pool: Pick<NodePool, 'weights'>,
  measure: NodeHourShare['measure'],
): readonly bigint[] => {
  if (measure === 'seconds') return milliseconds === null ? [] : [BigInt(milliseconds) * MILLISECOND];
  return tokens === null ? [] : weightingsOf(pool).map((weights) => weightedTokens(tokens, weights));
};

/** The cost of a call on a pool, from its share of the hour. What its producer reports is shown and charges nothing. */
export const nodeHourCost = (
  event: InvocationEvent,
  { share, usd }: { readonly share: NodeHourShare; readonly usd: string },
): CostExplanation => {
  const reported = producerCost(event);
  return {
    source: 'node_hours',
    catalogue: `node-pool:${share.pool}`,
    price_match: null,
    priced_model: null,
    service_tier_multiplier: null,
    node_hours: share,
    ...(reported !== null && { reported_usd: reported.central }),
    low: share.low,
    central: usd,
    high: share.high,
    components: [toComponent('total', usd)],
  };
};

/** Why the cost of a call is unknown after a division, too: it has nothing by which calls are measured, or not what others have. */
export const unmeasured = ({ tokens, milliseconds }: CallUse): CostUnknown =>
  tokens === null && milliseconds === null ? 'usage_missing' : 'node_hour_open';

/**
 * The cost of a call on a pool: unknown until its hour is divided, and again if the work that the share was made for has
 * changed since.
 */
export const pooledCost = (
  event: InvocationEvent,
  identity: ModelIdentity,
  pool: NodePool,
  at: number,
  divided: CostExplanation | null,
): CostExplanation | CostUnknown => {
  const share = divided?.node_hours;
  const call = useOf(event, identity);
  if (divided === null || share === undefined) return unmeasured(call);
  const [use] = usesOf(call, pool, share.measure);
  const isOfCall =
    share.pool === pool.name &&
    Date.parse(share.hour) === hourOf(at) &&
    use !== undefined &&
    share.use === formatFixedPoint(use);
  return isOfCall ? nodeHourCost(event, { share, usd: divided.central }) : unmeasured(call);
};
