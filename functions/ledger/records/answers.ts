import {
  type Answer,
  type AttributionRecord,
  CANDIDATES_MAXIMUM,
  type EvidenceBasis,
  type Interpretation,
} from '../../../schemas/attribution/attributionRecord.ts';
import type { Explanation, RuleTrace } from '../../../schemas/attribution/explanation.ts';
import type { Contradiction } from '../../../schemas/attribution/observation.ts';
import {
  ADVISORY_CEILING,
  ALLOCATION_CONFIDENCE,
  CHARGEBACK_FLOOR,
  CONFIDENCE_CEILING,
} from '../../../schemas/values.ts';

/** The evidence card without the answers, which follow from the record and its explanation. */
export type DecisionCard = Omit<Interpretation, 'answers'>;

/** A record of which the answers are not derived yet. */
export type DecidedRecord = Omit<AttributionRecord, 'interpretation'> & {
  readonly interpretation: DecisionCard;
};

type Member = 'owner' | 'service';
type Support = Pick<Answer, 'confidence' | 'evidence_basis'>;
type NameSupport = Support & Pick<Answer, 'probability'>;
/** The part of a record and of its explanation that its answers depend on. */
type Decided = Pick<DecidedRecord, Member | 'interpretation'>;
type Evidence = Pick<
  Explanation,
  | 'rules'
  | 'prediction'
  | 'trace_probability'
  | 'trace_advisory'
  | 'overrides'
  | 'allocation'
  | 'observations'
>;

const RULE_BASIS: Readonly<Record<Exclude<RuleTrace['rule'], 'mapping'>, EvidenceBasis>> = {
  identity: 'identity_resolved',
  service: 'service_resolved',
  workload: 'workload_resolved',
  trace: 'trace_correlated',
  credential: 'credential_resolved',
};

const supportOf = (rule: RuleTrace, { evidence_basis }: DecisionCard): Support => ({
  confidence: Math.min(rule.confidence, CONFIDENCE_CEILING),
  // Explanations of older versions do not state what a mapping read. The card states it for the first rule.
  evidence_basis: rule.rule === 'mapping' ? (rule.basis ?? evidence_basis) : RULE_BASIS[rule.rule],
});

/** The confidence in a prediction, as records show it. */
export const operationalConfidence = (prediction: {
  readonly confidence: number;
  readonly advisory: boolean;
}): number => Math.min(prediction.confidence, prediction.advisory ? ADVISORY_CEILING : CONFIDENCE_CEILING);

/** Whether a person named the owner or service. Older overrides do not state what they named, so they count for both. */
export const isOverridden = (member: Member, overrides: Evidence['overrides'] = []): boolean =>
  overrides.some(({ named }) => named?.includes(member) ?? true);

/** The evidence for a name: a person, the rule that decided, or the model. */
const namedBy = (
  name: string,
  member: Member,
  { interpretation }: Decided,
  { rules, prediction, trace_probability, trace_advisory, overrides }: Evidence,
): NameSupport => {
  const probability = null;
  if (isOverridden(member, overrides)) {
    return { confidence: CONFIDENCE_CEILING, probability, evidence_basis: 'manual_override' };
  }
  const rule = rules.find((one) => one.outcome === 'matched' && one[member] === name);
  if (rule !== undefined) {
    const support = supportOf(rule, interpretation);
    if (rule.rule !== 'trace' || member !== 'owner') return { ...support, probability };
    const ceiling = Math.min(trace_probability ?? 1, trace_advisory ? ADVISORY_CEILING : 1);
    const confidence = Math.min(support.confidence, ceiling);
    return { ...support, confidence, probability: trace_probability ?? null };
  }
  if (prediction?.[member] === name) {
    return {
      confidence: operationalConfidence(prediction),
      probability: prediction.advisory ? null : prediction.confidence,
      evidence_basis: prediction.basis,
    };
  }
  const { confidence, evidence_basis } = interpretation;
  return { confidence, probability, evidence_basis };
};

const STATED_AS = { owner: 'attributed_identity', service: 'attributed_service' } as const;

/** The name that another credential of the tenant states against that of the record. */
const contradictingName = (member: Member, stated: Contradiction['stated']): Answer['candidates'] => {
  const name = stated[STATED_AS[member]];
  if (typeof name !== 'string') return [];
  const evidence_basis = member === 'owner' ? 'identity_resolved' : 'service_resolved';
  return [{ name, confidence: ADVISORY_CEILING, evidence_basis }];
};

const candidatesOf = (
  member: Member,
  { [member]: name, interpretation }: Decided,
  { rules, prediction, observations = [] }: Evidence,
): Answer['candidates'] => {
  const suggestions = [
    ...rules.map((rule) => ({ name: rule[member] ?? null, ...supportOf(rule, interpretation) })),
    ...observations.flatMap(({ contradicts = [] }) =>
      contradicts.flatMap(({ stated }) => contradictingName(member, stated)),
    ),
    ...(prediction === undefined
      ? []
      : [{ ...prediction, probability: operationalConfidence(prediction) }, ...prediction.alternatives].map(
          ({ [member]: suggested, probability: confidence }) => ({
            name: suggested,
            confidence,
            evidence_basis: prediction.basis,
          }),
        )),
  ];
  const candidates = new Map<string, Answer['candidates'][number]>();
  for (const { name: suggested, confidence, evidence_basis } of suggestions) {
    if (suggested === null || suggested === name || candidates.has(suggested)) continue;
    candidates.set(suggested, { name: suggested, confidence, evidence_basis });
  }
  return [...candidates.values()].slice(0, CANDIDATES_MAXIMUM);
};

const CHARGEBACK: Readonly<Record<Interpretation['export_eligibility'], Answer['chargeback']>> = {
  eligible: 'ready',
  unpriced: 'unpriced',
  below_floor: 'below_floor',
  residency_excluded: 'residency_excluded',
};

const answerOf = (member: Member, record: Decided, evidence: Evidence): Answer => {
  const name = record[member];
  const candidates = candidatesOf(member, record, evidence);
  if (name === null) {
    return member === 'owner' && evidence.allocation !== undefined
      ? {
          state: 'allocated',
          confidence: ALLOCATION_CONFIDENCE,
          probability: null,
          evidence_basis: 'allocation_rule',
          chargeback: 'unassigned',
          candidates,
        }
      : {
          state: 'unassigned',
          confidence: 0,
          probability: null,
          evidence_basis: 'none',
          chargeback: 'unassigned',
          candidates,
        };
  }
  const support = namedBy(name, member, record, evidence);
  const { confidence, export_eligibility } = record.interpretation;
  const isConfirmed = Math.min(support.confidence, confidence) >= CHARGEBACK_FLOOR;
  return {
    state: isConfirmed ? 'confirmed' : 'provisional',
    ...support,
    chargeback: isConfirmed ? CHARGEBACK[export_eligibility] : 'below_floor',
    candidates,
  };
};

/**
 * What the owner and the service of a record are worth, each for itself. The only place that decides it: records, reports,
 * budgets and exports count by these states. It is a function of the record and its explanation, so nothing of it is stored.
 */
export const answersOf = (record: Decided, evidence: Evidence): Interpretation['answers'] => ({
  owner: answerOf('owner', record, evidence),
  service: answerOf('service', record, evidence),
});

/** The record with its answers. */
export const withAnswers = (record: DecidedRecord, evidence: Evidence): AttributionRecord => {
  const { interpretation } = record;
  return { ...record, interpretation: { ...interpretation, answers: answersOf(record, evidence) } };
};

/** Whether a call can be counted as one of its owner. A name of less confidence is a suggestion. */
export const hasConfirmedOwner = ({ interpretation }: Pick<AttributionRecord, 'interpretation'>): boolean =>
  interpretation.answers.owner.state === 'confirmed';
