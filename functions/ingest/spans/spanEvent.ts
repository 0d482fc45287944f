import {
  providerInPath,
  providerOfHost,
  providerOfRoute,
  servedElsewhere,
} from '../../impact/usage/modelIdentity.ts';
import {
  costMembers,
  durationOf,
  type EventMembers,
  identityMembers,
  isUniqueId,
  membersOf,
  otherUsageMembers,
  regionOf,
  requiredLabel,
  timestampOf,
  type Warnings,
} from '../formats/observedCall.ts';
import { areaIn } from '../formats/providerUsage.ts';
import { decideCounts } from '../formats/tokenCounts.ts';
import { countOf, isAffirmed, isDenied, listOf, textOf, textsUnder } from './attributes.ts';
import { sumsChunks } from './googleGenai.ts';
import { leftOut } from './leftOut.ts';
import { reportedCost, statesUpstream } from './reportedCost.ts';
import { agentCounts, statedCounts, unreadUsage } from './spanCounts.ts';
import { AI_SDK_7, hasNamedCounts, statesOnlyUncached } from './spanKind.ts';
import type { Attributes, Origin, Span } from './telemetry.ts';

/** Whether a repeated export of the span can be recognised: the protocol requires both ids, and none of only zeros. */
export const isIdentified = ({ attributes, traceId, spanId }: Span): boolean =>
  [...textsUnder('responseId', attributes), ...textsUnder('requestId', attributes)].some(isUniqueId) ||
  [traceId, spanId].every((id) => /[^0]/.test(id));

/** Frameworks that name themselves as the provider of every call, also of those that go through LiteLLM. */
const FRAMEWORK = /^(?:gcp\.vertex\.agent|strands-agents|langchain|crewai|llama_?index|smolagents|autogen)$/;

/** Agents whose spans name no provider, and the one that their log events are of. */
const AGENTS: readonly (readonly [scope: RegExp, provider: string])[] = [
  [/^gemini-cli$/, 'gcp.gemini'],
  [/^codex(?:_|$)/, 'openai'],
];

/**
 * `openai.chat` of the Vercel AI SDK is the provider `openai`. Some agents name it without a namespace, and others only the host
 * that they called. An SDK names its own vendor, whoever has the API that it calls.
 */
const providerOf = ({ attributes, scope }: Pick<Span, 'attributes' | 'scope'>): string | undefined => {
  const provider = textOf('provider', attributes) ?? textOf('agentProvider', attributes);
  const host = textOf('serverAddress', attributes) ?? '';
  if (provider === undefined) {
    return (
      providerOfHost(host) ??
      AGENTS.find(([agent]) => agent.test(scope))?.[1] ??
      providerOfRoute(String(attributes.get('genkit:name') ?? ''))
    );
  }
  const route = FRAMEWORK.test(provider)
    ? providerOfRoute(textOf('requestedModel', attributes) ?? '')
    : undefined;
  if (route !== undefined) return route;
  const server = servedElsewhere(provider, host);
  if (server !== undefined) return server;
  return attributes.has('ai.model.provider') ? provider.split('.')[0] : providerInPath(provider);
};

/** SDKs name a service that nobody named `unknown_service` with the name of the process. */
const isNamed = (service: string | undefined): service is string =>
  service !== undefined && !service.startsWith('unknown_service');

const PROVIDER_LENGTH_MAXIMUM = 64;
const MODEL_LENGTH_MAXIMUM = 256;
/** Gateways that sell what they route report what they charge. */
const isCharged = ({ scope, attributes }: Pick<Span, 'scope' | 'attributes'>): boolean =>
  textOf('costSource', attributes) === 'provider' ||
  scope === 'openrouter' ||
  statesUpstream(attributes) ||
  textOf('gatewayCredential', attributes) === 'system';

/**
 * Labels of the caller: who pays, who uses it, which service, where it runs. `context`: attributes of the spans above, nearest first. Agents
 * and requests often name the user, and their calls do not. The service of a call does not depend on them, because the span
 * above may come in another export.
 */
export const originMembers = (
  { resource, scope }: Origin,
  attributes: Attributes,
  context: readonly Attributes[] = [],
): EventMembers => {
  const service = textOf('service', attributes, resource);
  const nearest = (known: 'identity' | 'endUser'): string | undefined =>
    [attributes, ...context, resource]
      .map((source) => textOf(known, source))
      .find((text) => text !== undefined);
  const environment = textOf('environment', attributes, resource);
  const tags = [
    ...(environment === undefined ? [] : [`environment:${environment}`]),
    ...listOf('tags', attributes).filter((tag) => tag !== ''),
  ];
  return {
    attributed_identity: nearest('identity'),
    end_user: nearest('endUser'),
    attributed_service: isNamed(service) ? service : undefined,
    k8s_namespace: textOf('namespace', resource),
    k8s_workload: textOf('workload', resource),
    k8s_cluster: textOf('cluster', resource),
    source_system: scope === '' ? undefined : scope,
    tags: tags.length === 0 ? undefined : tags,
  };
};

const NO_COUNTS = { input: undefined, output: undefined };
const SUMMED_CHUNKS =
  'Token counts were left out, because the instrumentation sums those of all chunks of a stream: update opentelemetry-instrumentation-google-genai to 0.7b0 or later';

/** Whether the cache of a gateway or a client answered, so that the call reached no model. */
const isCached = (attributes: Attributes): boolean =>
  /\bhit$/i.test(textOf('gatewayCache', attributes) ?? '') || isAffirmed('answerCached', attributes);

/**
 * The event of a span that calls a model, or of an event of the conventions, as an operation of the conventions.
 * `ancestors`: the spans above it in its export, nearest first. `identity`: what identifies the observation if it names no
 * response.
 */
export const eventOfSpan = (
  span: Omit<Span, 'kind'>,
  operation: string,
  ancestors: readonly Span[],
  identity: readonly string[],
  receivedAt: string,
  warnings: Warnings,
): Record<string, unknown> => {
  const { attributes, traceId, spanId, parentSpanId, start, end } = span;
  const served = textOf('servedModel', attributes);
  const requested = textOf('requestedModel', attributes) ?? served ?? textOf('agentModel', attributes);
  const stated = hasNamedCounts(attributes) ? statedCounts(attributes) : agentCounts(attributes);
  const isSum = sumsChunks(span);
  if (isSum) warnings.add(SUMMED_CHUNKS);
  const counts = isSum ? NO_COUNTS : stated;
  const provider = providerOf(span);
  const marks = {
    // The tracer of the AI SDK can be one of the caller, such as that of OpenCode. Version 7 has one of its own.
    source: textOf('aiOperation', attributes) !== undefined && span.scope !== AI_SDK_7 ? 'ai' : span.scope,
    version: span.scopeVersion,
    provider,
    model: served ?? requested,
    has: (name: string) => attributes.has(name),
    semantics: statesOnlyUncached(attributes) ? 'exclusive' : textOf('tokenSemantics', attributes),
  };
  const cost = reportedCost(attributes);
  const isError = span.isError || textOf('errorType', attributes) !== undefined;
  const members: EventMembers = {
    ...identityMembers(
      {
        responses: textsUnder('responseId', attributes),
        requests: textsUnder('requestId', attributes),
        mentioned: textsUnder('mentionedId', attributes),
      },
      ...identity,
    ),
    ingestion_layer: 'otlp',
    ingestion_timestamp: receivedAt,
    occurred_at: timestampOf(start),
    provider: requiredLabel('provider', provider, PROVIDER_LENGTH_MAXIMUM, warnings),
    requested_model: requiredLabel('requested_model', requested, MODEL_LENGTH_MAXIMUM, warnings),
    served_model: served === requested ? undefined : served,
    operation,
    region: regionOf(textOf('serverAddress', attributes)) ?? areaIn(textOf('area', attributes)),
    server_address: textOf('serverAddress', attributes),
    ...membersOf(decideCounts(counts, marks, warnings)),
    ...otherUsageMembers(
      {
        file_searches: countOf('fileSearches', attributes),
        code_executions: countOf('codeExecutions', attributes),
        characters: countOf('characters', attributes),
        audio_seconds: countOf('audioSeconds', attributes),
        video_seconds: countOf('videoSeconds', attributes),
        images: countOf('images', attributes),
        pages: countOf('pages', attributes),
        rerank_searches: countOf('rerankSearches', attributes),
      },
      // A call that states no counts has an unknown cost.
      [
        ...unreadUsage(attributes),
        ...(counts.input === undefined ? [] : leftOut(span).map((name) => ({ name }))),
      ],
    ),
    service_tier: textOf('speed', attributes) === 'fast' ? 'fast' : textOf('serviceTier', attributes),
    ...(isCached(attributes)
      ? costMembers('0', true)
      : { ...costMembers(cost.usd, isCharged(span)), unread_cost: cost.unread }),
    billing_mode: isDenied('billable', attributes) ? 'free' : undefined,
    api_key_name: textOf('apiKeyName', attributes),
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
