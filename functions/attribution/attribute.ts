import type { AttributionRecord } from '../../schemas/attributionRecord.ts';
import type { Explanation } from '../../schemas/explanation.ts';
import type { InvocationEvent, PathwayCategory } from '../../schemas/invocationEvent.ts';
import { idOf, invocationUlid, recordUlid } from '../shared/ids.ts';
import type { Tenant } from '../tenancy/tenant.ts';
import { RULES_VERSION, resolve } from './evidence.ts';
import type { Factors } from './impact/factors.ts';
import { assessImpact } from './impact/impact.ts';
import { interpret } from './interpretation.ts';

/** A record and everything behind it, as one version of the ledger holds it. */
export interface Attribution {
  readonly record: AttributionRecord;
  readonly explanation: Explanation;
}

/** What of an event's arrival counts: the instants that won for its id (epoch milliseconds), and the lane its record lies in. */
export interface Arrived {
  readonly occurredAt: number;
  readonly receivedAt: number;
  readonly residency: string | null;
}

/** A map, since a producer may call its layer anything, `constructor` included. */
const pathwayOfLayer: ReadonlyMap<string, PathwayCategory> = new Map([
  ['application', 'application_direct'],
  ['gateway', 'gateway_mediated'],
  ['proxy', 'proxy_observed'],
  ['agent', 'agent_workflow'],
  ['batch', 'batch_pipeline'],
  ['saas', 'embedded_saas'],
]);

/**
 * The engine: a pure function of the event, the tenant and the versions of rules and factors it is given.
 * The same arguments give the same bytes, now or when a record is defended years later.
 */
export const attribute = (
  event: InvocationEvent,
  arrived: Arrived,
  tenant: Pick<Tenant, 'tenant_id' | 'tag'>,
  factors: Factors,
): Attribution => {
  const resolution = resolve(event);
  const { cost, energy, carbon, unknown } = assessImpact(event, new Date(arrived.occurredAt), factors);
  const costUsd = cost?.central ?? null;
  const interpretation = interpret(resolution, {
    cost: costUsd,
    unknown: Object.keys(unknown).length > 0 ? unknown : undefined,
    occurredAt: arrived.occurredAt,
    receivedAt: arrived.receivedAt,
  });
  const createdAt = new Date(arrived.receivedAt).toISOString();
  const record: AttributionRecord = {
    id: idOf('att', tenant.tag, recordUlid(tenant.tenant_id, event.event_id, arrived.occurredAt)),
    tenant_id: tenant.tenant_id,
    invocation_id: idOf('inv', tenant.tag, invocationUlid(tenant.tenant_id, event.event_id)),
    event_id: event.event_id,
    version: 1,
    occurred_at: new Date(arrived.occurredAt).toISOString(),
    created_at: createdAt,
    as_of: createdAt,
    provider: event.provider,
    requested_model: event.requested_model,
    served_model: event.served_model ?? event.requested_model,
    service: resolution.service,
    owner: resolution.owner,
    cost_usd: costUsd,
    energy_wh: energy?.central ?? null,
    carbon_gco2e: carbon?.central ?? null,
    input_tokens: event.input_tokens ?? null,
    cached_input_tokens: event.cached_input_tokens ?? null,
    cache_write_tokens: event.cache_write_tokens ?? null,
    output_tokens: event.output_tokens ?? null,
    reasoning_tokens: event.reasoning_tokens ?? null,
    latency_ms: event.latency_ms ?? null,
    trace_id: event.trace_id ?? null,
    ingestion_layer: event.ingestion_layer,
    region: event.region ?? null,
    residency: arrived.residency,
    pathway_category: event.pathway_category ?? pathwayOfLayer.get(event.ingestion_layer) ?? 'unknown',
    status: event.status ?? 'ok',
    tags: event.tags ?? [],
    output_state: resolution.basis === 'none' ? 'unresolved' : 'deterministically_resolved',
    coper: interpretation.confidence,
    interpretation,
  };
  return {
    record,
    explanation: { rules_version: RULES_VERSION, rules: resolution.rules, cost, energy, carbon },
  };
};
