import type { InvocationEvent } from '../../../../schemas/ingest/invocationEvent.ts';
import { assessCallCost, assessImpact, type Factors } from '../../../impact/impact.ts';
import { modelIdentity } from '../../../impact/usage/modelIdentity.ts';
import { knowledgeIn } from '../../../ingest/formats/fullerUsage.ts';
import type { Attribution } from '../../../ledger/records/attribution.ts';
import { holderOf, mayInform, type Party } from '../../../ledger/records/dedup/statementPolicy.ts';
import { personKey } from '../../../ledger/records/person.ts';
import { Evidence } from '../../../ledger/records/trace/evidence.ts';
import type { Agreement } from '../../../ledger/records/trace/traceAgreement.store.ts';
import type { Span, TraceEvidence } from '../../../ledger/records/trace/traceSpan.ts';
import { decimal } from '../../../platform/shared/decimal.ts';
import { sha256Of } from '../../../platform/shared/hash.ts';
import { timeOfUlid } from '../../../platform/shared/ulid.ts';
import type { CompiledMappings } from '../../mappings/mappingRules.ts';
import { normalizeEvent } from '../attribute.ts';
import { isInference } from '../inferenceSpan.ts';
import { membersOf, nearnessOf } from '../observations/observationParts.ts';
import { resolve, TRACE_STRENGTH } from '../rules/resolution.ts';

const hasUsage = ({
  input_tokens,
  output_tokens,
  estimated_cost_usd,
  cost_breakdown,
}: InvocationEvent): boolean =>
  (input_tokens ?? output_tokens ?? estimated_cost_usd ?? cost_breakdown) !== undefined;

const tokensOf = ({ input_tokens = 0, output_tokens = 0 }: InvocationEvent): number =>
  input_tokens + output_tokens;

/** A digest of whom evidence names as payer, as persons are counted. Undefined if nobody. */
export const payerOf = (witness: Witness, resolveNames: ResolveNames): string | undefined => {
  const owner = resolveNames(witness)?.owner ?? null;
  return owner === null
    ? undefined
    : sha256Of('payer', personKey(owner)).subarray(0, 9).toString('base64url');
};

/** A span with what its event says of its caller. */
export const statedSpan = (
  event: InvocationEvent,
  record: string,
  origin: Omit<NonNullable<Parameters<typeof spanOf>[2]>, 'cost_usd'>,
  { resolveNames, factors }: { readonly resolveNames: ResolveNames; readonly factors: Factors },
): Span & { readonly evidence: Evidence } => {
  const evidence = evidenceOfEvent(event);
  const payer = payerOf({ record, evidence }, resolveNames);
  const priced = { ...origin, cost_usd: ownCostOf(event, record, factors) };
  return {
    ...spanOf(event, record, priced),
    ...(payer !== undefined && { payer }),
    ...(understates(event, record, factors) && { understates: true as const }),
    evidence,
  };
};

/** What a span costs if no other one repeats its usage. Undefined if it reports none, or if nobody knows. */
const ownCostOf = (event: InvocationEvent, record: string, factors: Factors): string | undefined => {
  if (!isInference(event.operation) || !hasUsage(event)) return undefined;
  const call = normalizeEvent(event);
  const identity = modelIdentity(call.provider, call.served_model);
  const cost = assessCallCost(call, identity, new Date(timeOfUlid(record)), factors);
  return typeof cost === 'string' ? undefined : cost.central;
};

/** Whether an event reports less energy or carbon than the least that its usage can have, or none where nobody knows that. */
const understates = (event: InvocationEvent, record: string, factors: Factors): boolean => {
  const { energy_wh, carbon_gco2e, ...usage } = normalizeEvent(event);
  if ((energy_wh ?? carbon_gco2e) === undefined) return false;
  const at = new Date(timeOfUlid(record));
  const [stated, estimated] = [{ ...usage, energy_wh, carbon_gco2e }, usage].map((call) =>
    assessImpact(call, at, factors),
  );
  return (['energy', 'carbon'] as const).some((name) => {
    const [reported, least] = [stated?.[name]?.central, estimated?.[name]?.low];
    if (reported === undefined) return false;
    return least === undefined ? decimal(reported).eq('0') : decimal(reported).lt(least);
  });
};

/** Most events state input and output tokens. */
const knownUsage = (event: InvocationEvent): Pick<Span, 'knows'> => {
  const [counts, unsure, charges] = knowledgeIn(event);
  return counts === 2 && unsure + charges === 0 ? {} : { knows: [counts, unsure, charges] };
};

/** `origin`: whose span it is. `observer` is the digest of who observed the call; undefined for its first observer. */
export const spanOf = (
  event: InvocationEvent,
  record: string,
  {
    observer,
    lane,
    connector,
    credential,
    cost_usd,
  }: Pick<Span, 'observer' | 'lane' | 'connector' | 'credential' | 'cost_usd'> = {},
): Span => ({
  record,
  ...(observer !== undefined && { observer }),
  ...(lane !== undefined && { lane }),
  ...(connector !== undefined && { connector }),
  ...(nearnessOf(event.ingestion_layer) > 0 && { nearness: nearnessOf(event.ingestion_layer) }),
  span_id: event.span_id ?? null,
  parent_span_id: event.caller_span_id ?? event.parent_span_id ?? null,
  ...(event.covered_span_ids !== undefined && { covered: event.covered_span_ids }),
  reportsUsage: isInference(event.operation) && hasUsage(event),
  ...(credential !== undefined && { credential }),
  ...(tokensOf(event) > 0 && { tokens: tokensOf(event) }),
  ...knownUsage(event),
  ...(cost_usd !== undefined && { cost_usd }),
});

/**
 * The own evidence of a record, of all observers of its party together. What a connector filled in a record of the tenant holds
 * for this record only.
 */
export const evidenceOf = ({ record: { tags }, explanation, storedEvent }: Attribution): Evidence => {
  const { party } = holderOf(storedEvent.stated_by);
  const filled = (explanation.observations ?? [])
    .filter(({ stated_by }) => holderOf(stated_by).party !== party)
    .flatMap(({ supplied }) => supplied.flatMap(membersOf));
  const stated = { ...storedEvent, ...(tags.length > 0 && { tags }) };
  return Evidence.parse({ ...stated, ...Object.fromEntries(filled.map((member) => [member, undefined])) });
};

export const evidenceOfEvent = ({ tags = [], ...event }: InvocationEvent): Evidence =>
  Evidence.parse({ ...event, ...(tags.length > 0 && { tags }) });

/** A span, by its record, with its own evidence. */
export interface Witness {
  readonly record: string;
  readonly evidence: Evidence;
}

/** Whom a span names by its own evidence at the time of the call; null when it names nobody. */
export type ResolveNames = (
  witness: Witness,
) => { owner: string | null; service: string | null; confidence: number } | null;

export const nameResolver =
  (mappings: CompiledMappings): ResolveNames =>
  ({ record, evidence }) => {
    const context = { mappings, occurredAt: timeOfUlid(record), trace: null };
    const { owner, service, basis, confidence } = resolve(evidence, context);
    return basis === 'none' ? null : { owner, service, confidence };
  };

/** End users as names: each is either the same as another or not. */
export const resolveEndUser: ResolveNames = ({ evidence: { end_user: owner } }) =>
  owner === undefined ? null : { owner, service: null, confidence: 1 };

/** The end user whom those who may inform a span without a caller agree about. */
export const agreedEndUser = (
  agreements: readonly (Agreement | null)[],
  current: TraceEvidence | undefined,
): string | undefined =>
  agreements.some((agreement) => agreement?.state === 'unknown')
    ? current?.end_user
    : agreedSource(agreements, undefined, resolveEndUser)?.evidence.end_user;

/** What a record passes on to the spans that its span called: its own evidence, or that of who called it. */
export const passedOn = (record: string, attribution: Attribution, resolveNames: ResolveNames) => {
  const evidence = evidenceOf(attribution);
  if (resolveNames({ record, evidence }) !== null) {
    return { relation: 'ancestor' as const, span_id: attribution.storedEvent.span_id ?? null, evidence };
  }
  const inherited = attribution.storedEvent.trace?.source;
  return inherited?.relation === 'ancestor' ? inherited : null;
};

/**
 * The agreement of the spans that name somebody, after one more; null when it does not change. Of spans that name the same,
 * the one with the best evidence counts, so that a change means that their records change.
 */
export const agree = (
  known: Agreement | null,
  witness: Witness,
  resolveNames: ResolveNames,
): Agreement | null => {
  const next: Agreement = { state: 'agreed', ...witness };
  if (known === null) return next;
  if (known.state !== 'agreed') return null;
  const [before, now] = [resolveNames(known), resolveNames(witness)];
  const isSame = before?.owner === now?.owner && before?.service === now?.service;
  const strengthOf = (names: typeof now): number => Math.min(names?.confidence ?? 0, TRACE_STRENGTH.trace);
  if (known.record === witness.record) {
    return isSame && strengthOf(before) === strengthOf(now) ? null : next;
  }
  if (!isSame) return { state: 'conflicting' };
  return strengthOf(now) > strengthOf(before) ? next : null;
};

/** The evidence that a span without names and callers takes from the agreements of those who may inform it. */
export const agreedSource = (
  agreements: readonly (Agreement | null)[],
  current: TraceEvidence | undefined,
  resolveNames: ResolveNames,
): TraceEvidence['source'] => {
  const known = agreements.filter((agreement) => agreement !== null);
  if (known.some(({ state }) => state === 'conflicting')) return null;
  if (known.some(({ state }) => state === 'unknown')) {
    return current?.source?.relation === 'trace' ? current.source : null;
  }
  const [first, ...others] = known.filter((agreement) => agreement.state === 'agreed');
  if (first === undefined) return null;
  const namesOf = (witness: Witness): string => {
    const names = resolveNames(witness);
    return JSON.stringify([names?.owner, names?.service]);
  };
  if (others.some((other) => namesOf(other) !== namesOf(first))) return null;
  return { relation: 'trace', span_id: null, evidence: first.evidence };
};

export const partyOfSpan = ({ connector }: Pick<Span, 'connector'>): Party => connector ?? null;

/** Whether a span may give evidence about another one, or repeat its usage. */
export const informs = (span: Pick<Span, 'connector'>, other: Pick<Span, 'connector'>): boolean =>
  mayInform(partyOfSpan(span), partyOfSpan(other));
