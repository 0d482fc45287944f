import type { EvidenceBasis } from '../../../schemas/attribution/attributionRecord.ts';
import type { RuleTrace } from '../../../schemas/attribution/explanation.ts';
import type { Evidence } from '../../ledger/evidence.ts';
import type { TraceEvidence } from '../../ledger/traceSpan.ts';
import { type Mappings, matching, noMappings } from '../mappings/mapping.ts';
import { contest } from './conflict.ts';
import {
  type Claim,
  credentialClaim,
  identityClaim,
  mappingClaim,
  serviceClaim,
  workloadClaim,
} from './evidence.ts';

/** Version of the rules below: a change of any result is a new version, so that a record says which rules made it. */
export const RULES_VERSION = 'deterministic-2';

/**
 * What a span is worth to another of its trace (judgement): who called it is nearly always who pays; that all the spans
 * of a trace agree is weaker, since a trace may cross services that none of them told of.
 */
const TRACE_STRENGTH = { ancestor: 0.9, trace: 0.8 } as const;

/** What the rules go by besides the event's own evidence. */
export interface RuleContext {
  readonly mappings: Mappings;
  /** Null for a call outside any trace. */
  readonly trace: TraceEvidence | null;
  /** When the call was made, epoch milliseconds. */
  readonly occurredAt: number;
}

export interface Resolution {
  readonly owner: string | null;
  readonly service: string | null;
  readonly basis: EvidenceBasis;
  readonly confidence: number;
  readonly rules: RuleTrace[];
  /** Nothing but the name of a provider key stands behind it. */
  readonly isWeak: boolean;
}

/** The rules and the tenant's mappings, as a record names them. */
export const rulesVersion = (mappings: Mappings): string =>
  mappings.version === noMappings.version ? RULES_VERSION : `${RULES_VERSION}+${mappings.version}`;

const traceClaim = ({ teacher }: TraceEvidence, context: RuleContext): Claim => {
  const base: Claim = { rule: 'trace', basis: 'trace_correlated', saw: {}, confidence: 0, kinds: ['trace'] };
  if (teacher === null) return base;
  const saw = { relation: teacher.relation, ...(teacher.span_id !== null && { span_id: teacher.span_id }) };
  const { owner, service, confidence } = resolve(teacher.evidence, { ...context, trace: null });
  return {
    ...base,
    saw,
    ...(owner !== null && { owner }),
    ...(service !== null && { service }),
    confidence: Math.min(confidence, TRACE_STRENGTH[teacher.relation]),
  };
};

/** What each rule makes of the evidence, strongest first: what the tenant has said goes before every other reading. */
const claimsOf = (evidence: Evidence, context: RuleContext): Claim[] => [
  ...matching(context.mappings, evidence, context.occurredAt).map((mapping) =>
    mappingClaim(evidence, mapping),
  ),
  identityClaim(evidence),
  serviceClaim(evidence),
  workloadClaim(evidence),
  ...(context.trace === null ? [] : [traceClaim(context.trace, context)]),
  credentialClaim(evidence),
];

const speaks = (claim: Claim): boolean => claim.owner !== undefined || claim.service !== undefined;

/**
 * Stage A: the deterministic rules. The first rule that names an owner decides it, likewise the service;
 * a credential's name decides only where nothing stronger names anything, so that weak evidence never lowers strong.
 * The record is as sure as the least sure of the claims it uses, each after what contradicts it.
 * What no rule resolves stays null.
 */
export const resolve = (evidence: Evidence, context: RuleContext): Resolution => {
  const claims = claimsOf(evidence, context);
  const used: Claim[] = [];
  let owner: Claim | undefined;
  let service: Claim | undefined;
  for (const claim of claims) {
    const isAlone = claim.rule !== 'credential' || used.length === 0;
    const decidesOwner = claim.owner !== undefined && owner === undefined && isAlone;
    const decidesService = claim.service !== undefined && service === undefined;
    if (!decidesOwner && !decidesService) continue;
    used.push(claim);
    if (decidesOwner) owner = claim;
    if (decidesService) service = claim;
  }
  const contests = new Map(
    used.map((claim) => {
      const held = [
        ...(claim === owner ? [contest(claim, claims, 'owner')] : []),
        ...(claim === service ? [contest(claim, claims, 'service')] : []),
      ];
      return [claim, held] as const;
    }),
  );
  const against = new Set([...contests.values()].flat().flatMap((held) => held.against));
  const confidenceOf = (claim: Claim): number =>
    Math.min(claim.confidence, ...(contests.get(claim) ?? []).map(({ confidence }) => confidence));

  return {
    owner: owner?.owner ?? null,
    service: service?.service ?? null,
    basis: used[0]?.basis ?? 'none',
    confidence: used.length === 0 ? 0 : Math.min(...used.map(confidenceOf)),
    isWeak: used.length === 1 && used[0]?.rule === 'credential',
    rules: claims.map((claim) => ({
      rule: claim.rule,
      ...(claim.mapping !== undefined && { mapping: { id: claim.mapping.id, name: claim.mapping.name } }),
      saw: claim.saw,
      outcome: !speaks(claim)
        ? 'absent'
        : contests.has(claim)
          ? 'matched'
          : against.has(claim)
            ? 'conflicting'
            : 'supporting',
      ...(claim.owner !== undefined && { owner: claim.owner }),
      ...(claim.service !== undefined && { service: claim.service }),
      confidence: speaks(claim) ? confidenceOf(claim) : 0,
    })),
  };
};
