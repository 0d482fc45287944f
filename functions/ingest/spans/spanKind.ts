import { modalityOf } from '../../impact/usage/modality.ts';
import { callsNoModel, makesCalls, modelOperationOf } from '../formats/operationNames.ts';
import { UNREAD_COUNTS } from './attributeKinds.ts';
import { countOf, countsUnder, textOf } from './attributes.ts';
import { reportedCost } from './reportedCost.ts';
import type { Attributes, Span } from './telemetry.ts';

/**
 * What telemetry of one operation is. `context`: an agent, chain or tool, whose counts repeat those of the calls below it.
 * `unread`: it has token counts, but says neither a model nor anything else by which it could be a call.
 */
export type OperationKind =
  | { readonly kind: 'call'; readonly operation: string }
  | { readonly kind: 'context' | 'unread' | 'other' };

const CONTEXT = { kind: 'context' } as const;
const INTERNAL = 1;
const CLIENT = 3;
/** The tracer of Vercel AI SDK 7. Its internal root span has the same operation and the totals of its children. */
export const AI_SDK_7 = 'gen_ai';

/** Instrumentations that report the runs of an agent and never its calls, so that no call below a run repeats its counts. */
const ONLY_RUNS = /^(?:openinference\.|@arizeai\/openinference-)instrumentation[.-]claude[_-]agent[_-]sdk$/;

/** Services that run an agent themselves: the span of their client is the only one that has the counts of a run. */
const RUNS_AGENTS = /^(?:microsoft\.foundry|az(?:ure)?\.ai\.agents)$/;

const hasModel = (attributes: Attributes): boolean =>
  textOf('requestedModel', attributes) !== undefined || textOf('servedModel', attributes) !== undefined;

/** A whole count, with the tokens of text that are counted beside it. They are within it if the wholes are already the total. */
const withText = (
  whole: 'inputTokens' | 'outputTokens',
  text: 'textInput' | 'textOutput',
  attributes: Attributes,
): number | undefined => {
  const [count, more] = [countOf(whole, attributes), countOf(text, attributes)];
  if (more === undefined) return count;
  const wholes = (countOf('inputTokens', attributes) ?? 0) + (countOf('outputTokens', attributes) ?? 0);
  return countsUnder('totalTokens', attributes).includes(wholes) ? count : (count ?? 0) + more;
};

/** Tokens that were generated. */
export const outputOf = (attributes: Attributes): number | undefined =>
  withText('outputTokens', 'textOutput', attributes);

/** Whether a call states of its input only what was not read from a cache, or written to one. */
export const statesOnlyUncached = (attributes: Attributes): boolean =>
  (withText('inputTokens', 'textInput', attributes) ?? 0) === 0 &&
  countOf('uncachedInput', attributes) !== undefined;

/** Tokens that were read. An embedding generates none, so its total is what was read: Voyage and Jina state nothing else. */
export const inputOf = (attributes: Attributes): number | undefined => {
  const read = withText('inputTokens', 'textInput', attributes);
  if (read !== undefined && read > 0) return read;
  if (statesOnlyUncached(attributes)) return countOf('uncachedInput', attributes);
  const operation = textOf('operation', attributes) ?? textOf('spanKind', attributes);
  const model = (
    textOf('servedModel', attributes) ??
    textOf('requestedModel', attributes) ??
    ''
  ).toLowerCase();
  return modalityOf(operation, model) === 'embedding' ? (countOf('totalTokens', attributes) ?? read) : read;
};

/** Client libraries fill counts that they do not know with 0. */
export const hasNamedCounts = (attributes: Attributes): boolean =>
  (inputOf(attributes) ?? 0) + (outputOf(attributes) ?? 0) > 0;

const hasAgentCounts = (attributes: Attributes): boolean =>
  (countOf('agentInput', attributes) ?? 0) + (countOf('agentOutput', attributes) ?? 0) > 0;

/** What a call without tokens uses, and the operation that uses it. */
const UNITS = [
  ['characters', 'speech'],
  ['audioSeconds', 'transcription'],
  ['videoSeconds', 'video_generation'],
  ['pages', 'ocr'],
  ['rerankSearches', 'rerank'],
] as const;

/** The operation of a call by what it used in other ways than in tokens; undefined if it says nothing of it. */
export const operationOfUnits = (attributes: Attributes): string | undefined =>
  UNITS.find(([unit]) => (countOf(unit, attributes) ?? 0) > 0)?.[1];

/** A cost without counts is that of a call. */
export const hasCost = (attributes: Attributes): boolean => (reportedCost(attributes).usd ?? '0') !== '0';

/** A model and a cost in an unknown unit: it can be a call, and nothing says what it cost. */
const isUnreadCost = (attributes: Attributes, model: boolean): boolean =>
  model && reportedCost(attributes).unread !== undefined;

/** Counts that make no call by themselves. */
const PARTS = ['totalTokens', 'cacheRead', 'cacheWrite', 'reasoning', 'audioInput', 'audioOutput'] as const;

/** Token counts under names without a namespace, or under names that no mapping reads, or only parts of them. */
const hasOtherCounts = (attributes: Attributes): boolean =>
  attributes.has(UNREAD_COUNTS) ||
  hasAgentCounts(attributes) ||
  PARTS.some((part) => (countOf(part, attributes) ?? 0) > 0);

/** `ai.generateText.doGenerate` calls a model; `ai.generateText` repeats it. So do `ai.embed.doEmbed` and `ai.rerank.doRerank`. */
const aiSdkKind = (operation: string): OperationKind => {
  const done = /\.do([A-Z]\w*)$/.exec(operation)?.[1];
  return done === undefined ? CONTEXT : { kind: 'call', operation: modelOperationOf(done) ?? 'chat' };
};

/** What a name says; undefined if it says nothing. */
const kindNamed = (name: string | undefined): OperationKind | undefined => {
  if (name === undefined) return undefined;
  const operation = modelOperationOf(name);
  if (operation !== undefined) return { kind: 'call', operation };
  return callsNoModel(name) ? CONTEXT : undefined;
};

/**
 * What telemetry says by its own names: first the kind of its SDK, because the roots of older SDKs have the attributes of
 * the convention as well. Undefined if it uses no known name.
 */
const statedKind = (attributes: Attributes, scope: string): OperationKind | undefined => {
  const aiOperation = textOf('aiOperation', attributes);
  if (aiOperation !== undefined && scope !== AI_SDK_7) return aiSdkKind(aiOperation);
  const operation = textOf('operation', attributes);
  // The gateway of Vercel names its rerank calls so.
  if (operation === 'retrieval' && attributes.has('vercel.ai_gateway.cost.total')) {
    return { kind: 'call', operation: 'rerank' };
  }
  const requestType = textOf('requestType', attributes);
  const named =
    kindNamed(textOf('spanKind', attributes)) ??
    kindNamed(operation) ??
    // OpenLLMetry calls the older text completions so, and LiteLLM its chats.
    kindNamed(requestType === 'completion' ? 'text_completion' : requestType);
  if (named !== undefined) return named;
  // The call types of a gateway are known. Any other one manages files, stored responses or jobs, and what has none is the raw
  // request below a call, with all members of its answer: https://github.com/BerriAI/litellm litellm/integrations/opentelemetry.py
  if (scope === 'litellm') return CONTEXT;
  // A run of an agent has the model of the agent and the counts of its calls.
  return operation === undefined && textOf('agentName', attributes) !== undefined ? CONTEXT : undefined;
};

/**
 * What the attributes of a span or an event are. Whatever has a model and token counts, and is no agent, chain or tool, is a
 * call under any name. A name alone is none: a call has a model or counts.
 */
export const kindOfAttributes = (
  attributes: Attributes,
  scope: string,
  model = hasModel(attributes),
): OperationKind => {
  const stated = statedKind(attributes, scope);
  if (stated?.kind === 'context') {
    const isAlone = ONLY_RUNS.test(scope) || RUNS_AGENTS.test(textOf('provider', attributes) ?? '');
    return isAlone && hasNamedCounts(attributes) ? { kind: 'unread' } : stated;
  }
  // Agents name the counts in their spans as in their log events. Beside a model, they are those of a call.
  const counts = hasNamedCounts(attributes) || (model && hasAgentCounts(attributes));
  if (stated !== undefined && (model || counts)) return stated;
  if (model && counts) {
    const isEmbedding =
      countOf('outputTokens', attributes) === undefined &&
      /embed/i.test(textOf('requestedModel', attributes) ?? textOf('agentModel', attributes) ?? '');
    return { kind: 'call', operation: isEmbedding ? 'embeddings' : 'chat' };
  }
  const byUnits = operationOfUnits(attributes) ?? (hasCost(attributes) ? 'chat' : undefined);
  if (model && byUnits !== undefined) return { kind: 'call', operation: byUnits };
  return {
    kind: counts || hasOtherCounts(attributes) || isUnreadCost(attributes, model) ? 'unread' : 'other',
  };
};

/** Whether a span is of a tool or an agent. The calls below it are others than those above it. */
export const callsOnItsOwn = ({ attributes }: Pick<Span, 'attributes'>): boolean =>
  [textOf('spanKind', attributes), textOf('operation', attributes), textOf('aiOperation', attributes)].some(
    (name) => name !== undefined && makesCalls(name),
  );

/** Whether a span asks a model of a provider, and says nothing else of it: OpenLLMetry for JavaScript does so of Converse. */
const namesOnlyModel = ({ attributes, kind }: Pick<Span, 'attributes' | 'kind'>): boolean =>
  kind === CLIENT &&
  textOf('requestedModel', attributes) !== undefined &&
  textOf('provider', attributes) !== undefined &&
  (['operation', 'spanKind', 'requestType', 'aiOperation'] as const).every(
    (name) => textOf(name, attributes) === undefined,
  );

/** The services of AWS and Google that run models, as clients name them in RPC. */
const MODEL_SERVICE = /bedrock[ _-]?runtime|\.(?:prediction|generative)service/i;

/** Whether a span is the RPC of a model call that says neither the model nor its counts, as AWS SDKs did before they knew Bedrock. */
const callsModelByRpc = ({ attributes }: Pick<Span, 'attributes'>): boolean => {
  const parts = [textOf('rpcService', attributes), textOf('rpcMethod', attributes)].join('/').split('/');
  const method = parts.pop() ?? '';
  return MODEL_SERVICE.test(`.${parts.join('.')}`) && modelOperationOf(method) !== undefined;
};

export const kindOfSpan = ({ attributes, kind, scope }: Span): OperationKind => {
  if (scope === AI_SDK_7 && kind === INTERNAL && textOf('operation', attributes) !== undefined)
    return CONTEXT;
  // Log records of a service repeat a call under such names, beside its span.
  const found = kindOfAttributes(
    attributes,
    scope,
    hasModel(attributes) || textOf('agentModel', attributes) !== undefined,
  );
  return found.kind === 'other' && (namesOnlyModel({ attributes, kind }) || callsModelByRpc({ attributes }))
    ? { kind: 'unread' }
    : found;
};
