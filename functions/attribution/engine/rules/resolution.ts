import type { EvidenceBasis } from '../../../../schemas/attribution/attributionRecord.ts';
import type { RuleTrace } from '../../../../schemas/attribution/explanation.ts';
import type { Evidence } from '../../../ledger/records/trace/evidence.ts';
import type { TraceEvidence } from '../../../ledger/records/trace/traceSpan.ts';
import { type CompiledMappings, matchMappings, noMappings } from '../../mappings/mappingRules.ts';
import { assessConflict } from './conflict.ts';
import {
  type Assertion,
  credentialAssertion,
  identityAssertion,
  mappingAssertion,
  serviceAssertion,
  workloadAssertion,
} from './evidence.ts';

/** Version of the rules below. Records store it, so every change of a result needs a new version. */
export const RULES_VERSION = 'deterministic-4';

/**
 * Confidence limits of trace evidence (our estimates). The owner of an ancestor is nearly always the owner of the span.
 * Agreement of all spans is weaker, because a trace may cross services that reported no evidence.
 */
export const TRACE_STRENGTH = { ancestor: 0.9, trace: 0.8, same_call: 0.8 } as const;

/** Input of the rules besides the evidence of the event. */
export interface RuleContext {
  readonly mappings: CompiledMappings;
  /** Null for a call without a trace. */
  readonly trace: TraceEvidence | null;
  /** Time of the call, epoch milliseconds. */
  readonly occurredAt: number;
}

export interface Resolution {
  readonly owner: string | null;
  readonly service: string | null;
  readonly basis: EvidenceBasis;
  readonly confidence: number;
  readonly rules: RuleTrace[];
}

/** Version of the rules and the tenant's mappings, as stored in records. */
export const rulesVersion = (mappings: CompiledMappings): string =>
  mappings.version === noMappings.version ? RULES_VERSION : `${RULES_VERSION}+${mappings.version}`;

const traceAssertion = ({ source }: TraceEvidence, context: RuleContext): Assertion => {
  const base: Assertion = {
    rule: 'trace',
    basis: 'trace_correlated',
    saw: {},
    confidence: 0,
    kinds: ['trace'],
  };
  if (source === null) return base;
  const saw = { relation: source.relation, ...(source.span_id !== null && { span_id: source.span_id }) };
  const { owner, service, confidence } = resolve(source.evidence, { ...context, trace: null });
  return {
    ...base,
    saw,
    ...(owner !== null && { owner }),
    ...(service !== null && { service }),
    confidence: Math.min(confidence, TRACE_STRENGTH[source.relation]),
  };
};

/** The assertions of all rules, in order of precedence. The tenant's mappings come first. */
const collectAssertions = (evidence: Evidence, context: RuleContext): Assertion[] => [
  ...matchMappings(context.mappings, evidence, context.occurredAt).map((mapping) =>
    mappingAssertion(evidence, mapping),
  ),
  identityAssertion(evidence),
  serviceAssertion(evidence),
  workloadAssertion(evidence),
  ...(context.trace === null ? [] : [traceAssertion(context.trace, context)]),
  credentialAssertion(evidence),
];

const namesAnything = ({ owner, service }: Assertion): boolean =>
  owner !== undefined || service !== undefined;

/**
 * Stage A: the deterministic rules. The first rule that names an owner decides the owner, and the same holds for the
 * service. The name of a provider key decides nothing: services share keys, so it is a candidate until a mapping says
 * whose key it is. The confidence is the lowest of the assertions used, after contradictions. An owner or service that no
 * rule names is null.
 */
export const resolve = (evidence: Evidence, context: RuleContext): Resolution => {
  const assertions = collectAssertions(evidence, context);
  const used: Assertion[] = [];
  let owner: Assertion | undefined;
  let service: Assertion | undefined;
  for (const assertion of assertions) {
    if (assertion.rule === 'credential') continue;
    const decidesOwner = assertion.owner !== undefined && owner === undefined;
    const decidesService = assertion.service !== undefined && service === undefined;
    if (!decidesOwner && !decidesService) continue;
    used.push(assertion);
    if (decidesOwner) owner = assertion;
    if (decidesService) service = assertion;
  }
  const conflicts = new Map(
    used.map((assertion) => {
      const assessments = [
        ...(assertion === owner ? [assessConflict(assertion, assertions, 'owner')] : []),
        ...(assertion === service ? [assessConflict(assertion, assertions, 'service')] : []),
      ];
      return [assertion, assessments] as const;
    }),
  );
  const contradicting = new Set([...conflicts.values()].flat().flatMap((assessments) => assessments.against));
  const confidenceOf = (assertion: Assertion): number =>
    Math.min(assertion.confidence, ...(conflicts.get(assertion) ?? []).map(({ confidence }) => confidence));

  return {
    owner: owner?.owner ?? null,
    service: service?.service ?? null,
    basis: used[0]?.basis ?? 'none',
    confidence: used.length === 0 ? 0 : Math.min(...used.map(confidenceOf)),
    rules: assertions.map((assertion) => ({
      rule: assertion.rule,
      ...(assertion.mapping !== undefined && {
        mapping: { id: assertion.mapping.id, name: assertion.mapping.name },
        basis: assertion.basis,
      }),
      saw: assertion.saw,
      outcome: !namesAnything(assertion)
        ? 'absent'
        : conflicts.has(assertion)
          ? 'matched'
          : contradicting.has(assertion)
            ? 'conflicting'
            : 'supporting',
      ...(assertion.owner !== undefined && { owner: assertion.owner }),
      ...(assertion.service !== undefined && { service: assertion.service }),
      confidence: namesAnything(assertion) ? confidenceOf(assertion) : 0,
    })),
  };
};
