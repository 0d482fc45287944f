import type { Example } from '../../functions/attribution/training/prediction/observation.ts';
import { observationOf } from '../../functions/attribution/training/prediction/observation.ts';
import { type Draws, seededDraws } from '../../functions/tenants/sandbox/sample/seededRandom.ts';
import { InvocationEvent } from '../../schemas/ingest/invocationEvent.ts';

/** A generated service. Only its usage pattern distinguishes its calls from those of other services. */
interface Caller {
  readonly owner: string;
  readonly service: string;
  readonly models: readonly [Model, ...Model[]];
  readonly event: Partial<InvocationEvent>;
  /** Median tokens. */
  readonly input: number;
  readonly output: number;
}

interface Model {
  readonly provider: string;
  readonly requested_model: string;
}

const MODELS: readonly [Model, ...Model[]] = [
  { provider: 'openai', requested_model: 'gpt-4o' },
  { provider: 'openai', requested_model: 'gpt-4o-mini' },
  { provider: 'openai', requested_model: 'gpt-5' },
  { provider: 'openai', requested_model: 'gpt-5-mini' },
  { provider: 'azure', requested_model: 'gpt-4.1' },
  { provider: 'anthropic', requested_model: 'claude-sonnet-4-5' },
  { provider: 'anthropic', requested_model: 'claude-haiku-4-5' },
  { provider: 'aws', requested_model: 'us.anthropic.claude-haiku-4-5-20251001-v1:0' },
  { provider: 'aws', requested_model: 'amazon.nova-pro-v1:0' },
  { provider: 'google', requested_model: 'gemini-2.5-flash' },
  { provider: 'google', requested_model: 'gemini-2.5-pro' },
  { provider: 'mistral', requested_model: 'mistral-large-latest' },
];
const REGIONS = ['us-east-1', 'us-west-2', 'eu-west-1', 'eu-central-1', 'ap-southeast-1'] as const;
const SYSTEMS = ['litellm', 'kong', 'envoy', 'langfuse', 'batch-runner'] as const;
const LAYERS = ['application', 'gateway', 'proxy', 'agent'] as const;

/** `count` services. Four services belong to one team and share its provider key. Two share a namespace. */
export const callersOf = (count: number): readonly Caller[] => {
  const draws = seededDraws('bench callers');
  return Array.from({ length: count }, (_, index): Caller => {
    const team = Math.floor(index / 4);
    return {
      owner: `team-${team}`,
      service: `service-${index}`,
      models: [draws.pick(MODELS), draws.pick(MODELS)],
      event: {
        ingestion_layer: draws.pick(LAYERS),
        region: draws.pick(REGIONS),
        operation: draws.chance(0.9) ? 'chat' : 'text_completion',
        api_key_name: `key-${team}`,
        source_system: draws.pick(SYSTEMS),
        k8s_namespace: `namespace-${Math.floor(index / 2)}`,
        tags: ['env:prod', `tier:${1 + Math.floor(draws.uniform() * 4)}`],
      },
      input: 2 ** (6 + 8 * draws.uniform()),
      output: 2 ** (4 + 6 * draws.uniform()),
    };
  });
};

const tokensAround = (median: number, draws: Draws): number =>
  Math.round(median * 2 ** (0.7 * draws.normal()));

/** A call whose only attribution evidence is the name of its provider key. */
const callOf = ({ models, event, input, output }: Caller, at: number, draws: Draws): InvocationEvent => {
  const input_tokens = tokensAround(input, draws);
  const output_tokens = tokensAround(output, draws);
  const hexWord = () =>
    Math.floor(draws.uniform() * 2 ** 32)
      .toString(16)
      .padStart(8, '0');
  return InvocationEvent.parse({
    event_id: `${hexWord()}-${hexWord().slice(4)}-4${hexWord().slice(5)}-8${hexWord().slice(5)}-${hexWord()}${hexWord().slice(4)}`,
    ingestion_timestamp: new Date(at).toISOString(),
    ...draws.pick(models),
    ...event,
    input_tokens,
    cached_input_tokens: Math.floor(input_tokens * draws.uniform()),
    output_tokens,
    latency_ms: Math.round(300 + output_tokens * 12 * (0.7 + 0.6 * draws.uniform())),
  });
};

/** A call and the caller that made it. */
export interface CallByCaller {
  readonly event: InvocationEvent;
  readonly caller: Caller;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** `count` calls, evenly spaced between two instants. Some callers are more frequent. The name is the random seed. */
export const callsOf = (
  name: string,
  callers: readonly Caller[],
  count: number,
  { from, to }: { readonly from: number; readonly to: number },
): CallByCaller[] => {
  const draws = seededDraws(name);
  return Array.from({ length: count }, (_, index) => {
    const caller = callers[Math.floor(callers.length * draws.uniform() ** 1.5)];
    if (caller === undefined) throw new RangeError('at least one caller is required');
    const at = Math.floor(from + ((to - from) * index) / count);
    return { event: callOf(caller, at, draws), caller, at };
  });
};

/** Share of the calls that the rules could attribute. */
const LABELLED_SHARE = 0.7;

/** The calls as training examples. */
export const examplesOf = (calls: readonly CallByCaller[]): Example[] => {
  const draws = seededDraws('bench labels');
  return calls.map(({ event, caller: { owner, service }, at }) => ({
    observation: observationOf(event, at),
    label: draws.chance(LABELLED_SHARE) ? JSON.stringify([owner, service]) : null,
  }));
};
