import type { Interpretation } from '../../../schemas/attribution/attributionRecord.ts';
import type { Explanation } from '../../../schemas/attribution/explanation.ts';
import type { InvocationEvent } from '../../../schemas/ingest/invocationEvent.ts';
import {
  withContradictions,
  withOtherCost,
  withOtherFootprint,
  withPossibleRepeat,
} from '../../impact/contradictingImpact.ts';
import type { Factors } from '../../impact/factors.ts';
import { assessImpact, type Impact } from '../../impact/impact.ts';
import { structuralImpact } from '../../impact/structuralImpact.ts';
import { knowsMore, usageIn, withUsage } from '../../ingest/formats/fullerUsage.ts';
import { type DecidedRecord, withAnswers } from '../../ledger/records/answers.ts';
import type { Attribution } from '../../ledger/records/attribution.ts';
import type { Provenance } from '../../ledger/records/provenance.ts';
import type { SameCall } from '../../ledger/records/sameCall/sameCall.ts';
import { type CompletedUsage, type ConfirmedCost, toStoredEvent } from '../../ledger/records/storedEvent.ts';
import type { TraceEvidence } from '../../ledger/records/trace/traceSpan.ts';
import { idOf, invocationUlid, recordUlid } from '../../platform/shared/ids.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';
import type { Tenant } from '../../platform/tenancy/tenant.ts';
import { type CompiledMappings, noMappings } from '../mappings/mappingRules.ts';
import { decideAttribution, measuredTrace } from './decideAttribution.ts';
import { type Infer, noInference } from './inference.ts';
import { isInference } from './inferenceSpan.ts';
import { buildInterpretation } from './interpretation.ts';
import { pathwayOf } from './pathway.ts';
import { resolve, rulesVersion } from './rules/resolution.ts';

/** Input of the attribution besides the event and the factors. */
export interface AttributionContext {
  readonly mappings?: CompiledMappings;
  readonly trace?: TraceEvidence | null;
  /** Other records of the same call. */
  readonly sameCall?: SameCall | null;
  /** What the call above states of the usage, of which this one is the only call below. */
  readonly usageAbove?: Omit<CompletedUsage, 'own'> | null;
  /** Stage B. */
  readonly infer?: Infer;
  /** Whether an earlier model left the owner or the service of the call open. */
  readonly isAgain?: boolean;
  /** The call as other credentials of the tenant tell it, who contradict the event. */
  readonly contradicting?: readonly InvocationEvent[];
}

/** A tenant's current mappings, stage B and factors. */
export interface TenantAttributionContext
  extends Required<
    Omit<AttributionContext, 'trace' | 'sameCall' | 'usageAbove' | 'contradicting' | 'isAgain'>
  > {
  readonly factors: Factors;
}

/** Times of the dedup claim of an event (epoch milliseconds), and what else its record does not take from it. */
export interface EventMetadata {
  readonly occurredAt: number;
  readonly receivedAt: number;
  readonly residency: string | null;
  /** ULIDs. Default: those of an event of the tenant in its home lane, in the only shard of its month. */
  readonly record?: string;
  readonly invocation?: string;
  readonly statedBy?: Provenance | undefined;
  /** Whether another record of the same call has its cost. */
  readonly isSuperseded?: boolean;
  readonly confirmedCost?: ConfirmedCost | undefined;
  /** The cost of the earlier version, which keeps its share of a node hour. */
  readonly divided?: Explanation['cost'] | undefined;
}

/**
 * Fills in the defaults of optional members, as in the record. All stages use the normalized event. So training and
 * replay, which rebuild events from records, see the same input as the first attribution.
 */
export const normalizeEvent = (event: InvocationEvent) => ({
  ...event,
  served_model: event.served_model ?? event.requested_model,
  pathway_category: pathwayOf(event),
  status: event.status ?? 'ok',
  tags: event.tags ?? [],
});

/** Names of the caller that only other records of the call have. Those of its own trace come first. */
const withNamesOf = (sameCall: SameCall | null, trace: TraceEvidence | null): TraceEvidence | null =>
  sameCall?.evidence === undefined || (trace !== null && trace.source !== null)
    ? trace
    : {
        source: { relation: 'same_call', span_id: null, evidence: sameCall.evidence },
        repeatsUsage: trace?.repeatsUsage ?? false,
        ...(trace?.mayRepeatUsage === true && { mayRepeatUsage: true }),
      };

const shownSameCall = (sameCall: SameCall | null, tag: string): Interpretation['same_call'] => {
  if (sameCall === null) return undefined;
  const { state, basis, confidence, records } = sameCall;
  return { state, basis, confidence, records: records.map((ulid) => idOf('att', tag, ulid)) };
};

/** What a person needs to confirm a cost, and who did. */
const reportedCostOf = (
  { cost, toConfirm }: Impact,
  confirmed: ConfirmedCost | undefined,
): Pick<Explanation, 'reported_cost'> => {
  if (toConfirm !== undefined)
    return {
      reported_cost: { usd: toConfirm.central, confirmed_by: null, confirmed_at: null },
    };
  if (confirmed === undefined || confirmed.usd !== cost?.central) return {};
  return { reported_cost: { usd: confirmed.usd, confirmed_by: confirmed.by, confirmed_at: confirmed.at } };
};

/** An impact with what other records of the call state, and with what a trace leaves open. */
export const besideOthers = (own: Impact, sameCall: SameCall | null, trace: TraceEvidence | null): Impact => {
  const stated = withOtherFootprint(withOtherCost(own, sameCall?.cost), sameCall ?? {});
  return trace?.mayRepeatUsage === true ? withPossibleRepeat(stated) : stated;
};

/**
 * Attributes one event. A pure function of the event, the tenant, the factors and the context. The same arguments give
 * the same bytes, so a record can be reproduced years later.
 */
export const attribute = (
  stated: InvocationEvent,
  metadata: EventMetadata,
  tenant: Pick<Tenant, 'tenant_id' | 'tag'>,
  factors: Factors,
  {
    mappings = noMappings,
    trace = null,
    sameCall = null,
    usageAbove = null,
    infer = noInference,
    isAgain = false,
    contradicting = [],
  }: AttributionContext = {},
): Attribution => {
  const { occurredAt } = metadata;
  const completed = usageAbove !== null && knowsMore(usageAbove.usage, stated) ? usageAbove : null;
  const event = normalizeEvent(completed === null ? stated : withUsage(stated, completed.usage));
  const version = rulesVersion(mappings);
  const resolution = resolve(event, { mappings, trace: withNamesOf(sameCall, trace), occurredAt });
  const decision = decideAttribution(event, metadata, resolution, version, infer, isAgain);
  const traced = measuredTrace(resolution, infer);
  const { isSuperseded = false, statedBy, confirmedCost, divided } = metadata;
  const isRepeat = isSuperseded || sameCall?.state === 'repeat';
  const isLeaf = isInference(event.operation) && trace?.repeatsUsage !== true && !isRepeat;
  const assess = (told: InvocationEvent) =>
    assessImpact(told, new Date(occurredAt), factors, { confirmedUsd: confirmedCost?.usd, divided });
  const assessed = (): Impact =>
    besideOthers(withContradictions(assess(event), contradicting.map(assess)), sameCall, trace);
  const impact = isLeaf ? assessed() : structuralImpact;
  const { cost, energy, carbon, water, unknown, toConfirm, setAside } = impact;
  const costUsd = cost?.central ?? null;
  const interpretation = buildInterpretation(decision.stageResult, {
    cost: costUsd,
    unknown: Object.keys(unknown).length > 0 ? unknown : undefined,
    occurredAt,
    receivedAt: metadata.receivedAt,
    sameCall: shownSameCall(sameCall, tenant.tag),
  });
  const createdAt = toIso(metadata.receivedAt);
  const {
    record: ulid = recordUlid(tenant.tenant_id, event.event_id, occurredAt),
    invocation = invocationUlid(tenant.tenant_id, event.event_id),
  } = metadata;
  const record: DecidedRecord = {
    id: idOf('att', tenant.tag, ulid),
    tenant_id: tenant.tenant_id,
    invocation_id: idOf('inv', tenant.tag, invocation),
    event_id: event.event_id,
    version: 1,
    occurred_at: toIso(occurredAt),
    created_at: createdAt,
    as_of: createdAt,
    provider: event.provider,
    requested_model: event.requested_model,
    served_model: event.served_model,
    service: decision.service,
    owner: decision.owner,
    end_user: event.end_user ?? trace?.end_user ?? null,
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
    residency: metadata.residency,
    pathway_category: event.pathway_category,
    status: event.status,
    tags: event.tags,
    output_state: decision.state,
    coper: interpretation.confidence,
    interpretation,
  };
  const explanation: Explanation = {
    rules_version: version,
    rules: resolution.rules,
    cost,
    energy,
    carbon,
    ...(water !== null && { water }),
    ...reportedCostOf(impact, confirmedCost),
    ...(setAside !== undefined && { reported_footprint: setAside }),
    ...(completed !== null && { usage_of: idOf('att', tenant.tag, completed.record) }),
    ...(event.reported_time !== undefined && { reported_time: event.reported_time }),
    ...(decision.prediction !== null && { prediction: decision.prediction }),
    ...(traced !== null && { trace_probability: traced.probability }),
    ...(traced?.advisory && { trace_advisory: true }),
  };
  return {
    record: withAnswers(record, explanation),
    explanation,
    storedEvent: toStoredEvent(event, {
      ...(trace !== null && { trace }),
      ...(statedBy !== undefined && { stated_by: statedBy }),
      ...(isSuperseded && { superseded: true }),
      ...(sameCall !== null && { same_call: sameCall }),
      ...(completed !== null && { completed_usage: { ...completed, own: usageIn(stated) } }),
      ...(confirmedCost !== undefined && { confirmed_cost: confirmedCost }),
      ...(toConfirm !== undefined && { cost_to_confirm: toConfirm }),
    }),
  };
};
