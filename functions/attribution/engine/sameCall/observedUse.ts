import type { InvocationEvent } from '../../../../schemas/ingest/invocationEvent.ts';
import { modelIdentity } from '../../../impact/usage/modelIdentity.ts';
import { idStyleOf } from '../../../ingest/formats/observedCall.ts';
import { isUncountedCall } from '../../../ingest/formats/uncountedCall.ts';
import { isAddress, personKey } from '../../../ledger/records/person.ts';
import type { ObservedUse } from '../../../ledger/records/sameCall/observedUse.ts';
import { ownIdsOf } from '../../../ledger/records/trace/traceSpan.ts';
import { sha256Of } from '../../../platform/shared/hash.ts';
import { isInference } from '../inferenceSpan.ts';
import { nearnessOf } from '../observations/observationParts.ts';

/** Gateways that report their calls by OpenTelemetry. They stand where call logs of gateways do. */
const GATEWAY_SCOPE =
  /litellm|envoy|kong|portkey|cloudflare|openrouter|helicone|bifrost|apisix|traefik|higress|tensorzero|gateway|proxy/i;

/** What Vercel, Cloudflare and Portkey name the service that exports the calls of their gateways. */
const GATEWAY_SERVICES: ReadonlySet<string | undefined> = new Set(['ai-gateway', 'portkey']);

const sideOf = (event: InvocationEvent): number => {
  const { ingestion_layer: layer, source_system: source = '', attributed_service: service } = event;
  const isGateway = layer === 'otlp' && (GATEWAY_SCOPE.test(source) || GATEWAY_SERVICES.has(service));
  return nearnessOf(isGateway ? 'gateway' : layer);
};

const digestOf = (...parts: readonly string[]): string =>
  sha256Of('observed use', ...parts)
    .subarray(0, 9)
    .toString('base64url');

/** The model of an id, without its vendor, region, date and version, which observers state or leave out. */
const modelName = (provider: string, id: string): string =>
  (modelIdentity(provider, id).model.split('/').at(-1) ?? '')
    .replace(/^(?:[a-z-]+\.)+(?=[a-z])/, '')
    .replace(/(?:-v\d+)?(?::\d+)?$/, '')
    .replace(/(?:[@-]\d{8}|-\d{4}-\d{2}-\d{2}|-latest)$/, '');

/** Whether an observer may report the call under an id that no other observer knows. */
export const isWeaklyIdentified = ({ id_basis: basis }: InvocationEvent): boolean =>
  basis !== undefined && !basis.startsWith('response');

const isCounted = ({ input_tokens = 0, output_tokens = 0 }: InvocationEvent): boolean =>
  input_tokens + output_tokens > 0;

const readingsOf = (count: number | undefined, high: number | undefined): number[] => [
  ...new Set([count ?? 0, high ?? count ?? 0]),
];

/**
 * Observations of one call share one: a lane and exact token counts. Several only if its source does not tell what its counts
 * include. None if it states no counts.
 */
export const usageKeysOf = (event: InvocationEvent, lane: string | null): string[] =>
  isCounted(event)
    ? readingsOf(event.input_tokens, event.input_tokens_high).flatMap((input) =>
        readingsOf(event.output_tokens, event.output_tokens_high).map((output) =>
          digestOf('usage', lane ?? '', String(input), String(output)),
        ),
      )
    : [];

/** Observations of one trace in one lane share it. */
export const traceKeysOf = ({ trace_id: trace }: InvocationEvent, lane: string | null): string[] =>
  trace === undefined ? [] : [digestOf('trace', lane ?? '', trace)];

/** What another observer of the call sees too; null if nothing but its id identifies the call. */
export const observedUseOf = (
  event: InvocationEvent,
  record: string,
  occurredAt: number,
  lane: string | null,
): ObservedUse | null => {
  const { id_basis: basis, provider } = event;
  if (basis === undefined || event.retrieval === true || !isInference(event.operation)) return null;
  // Without counts, only the trace of a call shows that another observer saw it.
  if (!isCounted(event) && !(isUncountedCall(event) && event.trace_id !== undefined)) return null;
  const models = [event.requested_model, event.served_model ?? event.requested_model]
    .map((model) => modelName(provider, model))
    .filter((model) => model !== '' && model !== 'unknown');
  if (models.length === 0) return null;
  const styles = [basis.split('.')[1], ...(event.call_ids ?? []).map(idStyleOf)].filter(
    (style) => style !== undefined,
  );
  const nearness = sideOf(event);
  const spans = ownIdsOf({ span_id: event.span_id ?? null, covered: event.covered_span_ids });
  const caller = event.caller_span_id ?? event.parent_span_id;
  const counts = usageKeysOf(event, lane);
  return {
    record,
    // Some gateways and SDKs export under one scope.
    kind: digestOf('kind', event.ingestion_layer, event.source_system ?? '', String(nearness)),
    nearness,
    from: occurredAt,
    to: occurredAt + (event.latency_ms ?? 0),
    models: [...new Set(models)],
    ...(event.trace_id !== undefined && { trace: event.trace_id }),
    ...(spans.length > 0 && { spans }),
    ...(caller !== undefined && { caller }),
    ...(counts.length > 0 && { counts }),
    ...(event.attributed_service !== undefined && { service: digestOf('service', event.attributed_service) }),
    ...(styles.length > 0 && { idStyles: styles }),
    ...(event.api_key_name !== undefined && { key: digestOf('key', event.api_key_name) }),
    ...(event.attributed_identity !== undefined &&
      isAddress(event.attributed_identity) && {
        person: digestOf('person', personKey(event.attributed_identity)),
      }),
  };
};
