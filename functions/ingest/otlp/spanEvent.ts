import { operationOfCallType } from '../formats/litellm.ts';
import {
  callIdOf,
  costMembers,
  durationOf,
  type EventMembers,
  isUniqueResponseId,
  membersOf,
  regionOf,
  requiredLabel,
  timestampOf,
  type Warnings,
} from '../formats/observedCall.ts';
import { decideCounts } from '../formats/tokenCounts.ts';
import { amountOf, countOf, countsUnder, listOf, textOf } from './attributes.ts';
import type { Attributes, Origin, Span } from './telemetry.ts';

/**
 * Operations that call a model. All others (agents, chains, tools, retrieval) are context and repeat counts of their parts.
 */
const INFERENCE = new Set(['chat', 'generate_content', 'text_completion', 'embeddings']);
const CLIENT = 3;
/** The tracer of Vercel AI SDK 7. Its internal root span has the same operation and the totals of its children. */
const AI_SDK_7 = 'gen_ai';

const OPENINFERENCE: Readonly<Record<string, string>> = { LLM: 'chat', EMBEDDING: 'embeddings' };
const OPENLLMETRY: Readonly<Record<string, string>> = {
  chat: 'chat',
  completion: 'text_completion',
  embedding: 'embeddings',
};

/** `ai.generateText.doGenerate` calls a model; `ai.generateText` repeats it. */
const aiSdkOperation = (operation: string): string | undefined => {
  if (/\.do(?:Generate|Stream)$/.test(operation)) return 'chat';
  return operation.endsWith('.doEmbed') ? 'embeddings' : undefined;
};

/** The operation of a span that calls a model; undefined for any other span. LiteLLM names call types as operations. */
const inferenceOperation = ({ attributes, kind, scope }: Span): string | undefined => {
  // The vendor's own kind comes first: the roots of older SDKs have the attributes of the convention as well.
  const aiOperation = textOf('aiOperation', attributes);
  if (aiOperation !== undefined && scope !== AI_SDK_7) return aiSdkOperation(aiOperation);
  const spanKind = textOf('spanKind', attributes);
  if (spanKind !== undefined) return OPENINFERENCE[spanKind.toUpperCase()];
  const operation = textOf('operation', attributes);
  if (operation !== undefined) {
    if (scope === AI_SDK_7 && kind !== CLIENT) return undefined;
    return INFERENCE.has(operation) ? operation : operationOfCallType(operation);
  }
  const requestType = textOf('requestType', attributes) ?? '';
  return OPENLLMETRY[requestType] ?? operationOfCallType(requestType);
};

export const callsModel = (span: Span): boolean => inferenceOperation(span) !== undefined;

/** Whether a repeated export of the span can be recognised: the protocol requires both ids, and none of only zeros. */
export const isIdentified = ({ attributes, traceId, spanId }: Span): boolean =>
  isUniqueResponseId(textOf('responseId', attributes)) || [traceId, spanId].every((id) => /[^0]/.test(id));

/** `openai.chat` of the Vercel AI SDK is the provider `openai`. */
const providerOf = ({ attributes }: Span): string | undefined => {
  const provider = textOf('provider', attributes);
  return attributes.has('ai.model.provider') ? provider?.split('.')[0] : provider;
};

/** SDKs name a service that nobody named `unknown_service` with the name of the process. */
const isNamed = (service: string | undefined): service is string =>
  service !== undefined && !service.startsWith('unknown_service');

const PROVIDER_LENGTH_MAXIMUM = 64;
const MODEL_LENGTH_MAXIMUM = 256;

/**
 * Labels of the caller: who, which service, where it runs. `context`: attributes of the spans above, nearest first. Agents
 * and requests often name the user, and their calls do not. The service of a call does not depend on them, because the span
 * above may come in another export.
 */
export const originMembers = (
  { resource, scope }: Origin,
  attributes: Attributes,
  context: readonly Attributes[] = [],
): EventMembers => {
  const service = textOf('service', attributes, resource);
  const identity = [attributes, ...context, resource]
    .map((source) => textOf('identity', source))
    .find((text) => text !== undefined);
  const environment = textOf('environment', attributes, resource);
  const tags = [
    ...(environment === undefined ? [] : [`environment:${environment}`]),
    ...listOf('tags', attributes).filter((tag) => tag !== ''),
  ];
  return {
    attributed_identity: identity,
    attributed_service: isNamed(service) ? service : undefined,
    k8s_namespace: textOf('namespace', resource),
    k8s_workload: textOf('workload', resource),
    k8s_cluster: textOf('cluster', resource),
    source_system: scope === '' ? undefined : scope,
    tags: tags.length === 0 ? undefined : tags,
  };
};

/** The event of a span that calls a model. `ancestors`: the spans above it in its export, nearest first. */
export const eventOfSpan = (
  span: Span,
  ancestors: readonly Span[],
  receivedAt: string,
  warnings: Warnings,
): Record<string, unknown> => {
  const { attributes, traceId, spanId, parentSpanId, start, end } = span;
  const served = textOf('servedModel', attributes);
  const requested = textOf('requestedModel', attributes) ?? served;
  const counts = {
    input: countOf('inputTokens', attributes),
    output: countOf('outputTokens', attributes),
    cacheRead: countOf('cacheRead', attributes),
    cacheWrite: countOf('cacheWrite', attributes),
    hourWrite: countOf('hourWrite', attributes),
    reasoning: countOf('reasoning', attributes),
    audioInput: countOf('audioInput', attributes),
    imageInput: countOf('imageInput', attributes),
    audioOutput: countOf('audioOutput', attributes),
    imageOutput: countOf('imageOutput', attributes),
    totals: countsUnder('totalTokens', attributes),
  };
  const provider = providerOf(span);
  const marks = {
    source: span.scope,
    version: span.scopeVersion,
    provider,
    model: served ?? requested,
    has: (name: string) => attributes.has(name),
  };
  const currency = textOf('costCurrency', attributes) ?? 'USD';
  const isError = span.isError || textOf('errorType', attributes) !== undefined;
  const members: EventMembers = {
    event_id: callIdOf(textOf('responseId', attributes), 'span', traceId, spanId),
    ingestion_layer: 'otlp',
    ingestion_timestamp: receivedAt,
    occurred_at: timestampOf(start),
    provider: requiredLabel('provider', provider, PROVIDER_LENGTH_MAXIMUM, warnings),
    requested_model: requiredLabel('requested_model', requested, MODEL_LENGTH_MAXIMUM, warnings),
    served_model: served === requested ? undefined : served,
    operation: inferenceOperation(span),
    region: regionOf(textOf('serverAddress', attributes)),
    ...membersOf(decideCounts(counts, marks, warnings)),
    service_tier: textOf('serviceTier', attributes),
    ...costMembers(
      currency === 'USD' ? amountOf('cost', attributes) : undefined,
      textOf('costSource', attributes) === 'provider',
    ),
    latency_ms: durationOf(start, end),
    trace_id: traceId === '' ? undefined : traceId,
    span_id: spanId === '' ? undefined : spanId,
    parent_span_id: parentSpanId === '' ? undefined : parentSpanId,
    status: isError ? 'error' : undefined,
    ...originMembers(
      span,
      attributes,
      ancestors.map((ancestor) => ancestor.attributes),
    ),
  };
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
};
