import type { EvidenceBasis } from '../../../../schemas/attribution/attributionRecord.ts';
import type { RuleTrace } from '../../../../schemas/attribution/explanation.ts';
import type { Evidence } from '../../../ledger/records/trace/evidence.ts';
import type { MappableField, MatchedMapping } from '../../mappings/mappingRules.ts';

/** Independent kinds of evidence. Only evidence of different kinds can contradict. */
export type EvidenceKind = 'identity' | 'service' | 'workload' | 'credential' | 'source' | 'trace';

/** The result of one rule: the owner and service that it derives from the evidence. */
export interface Assertion {
  readonly rule: RuleTrace['rule'];
  readonly basis: EvidenceBasis;
  readonly saw: Record<string, string>;
  readonly owner?: string;
  readonly service?: string;
  readonly confidence: number;
  readonly kinds: readonly EvidenceKind[];
  readonly mapping?: MatchedMapping;
}

/**
 * Operational confidence of each kind of evidence (our estimates). Statements of the producer and cryptographic workload
 * identities are near the ceiling. Services can share a Kubernetes workload. Provider keys are shared most often, so their
 * names stay below the chargeback floor.
 */
const STRENGTH = { identity: 0.95, service: 0.95, spiffe: 0.9, kubernetes: 0.85, credential: 0.7 } as const;

/** Confidence of evidence that a mapping translated. Only the evidence itself can still be wrong. */
const MAPPED_STRENGTH: Readonly<
  Record<MappableField, { kind: EvidenceKind; basis: EvidenceBasis; strength: number }>
> = {
  identity: { kind: 'identity', basis: 'identity_resolved', strength: 0.95 },
  // A directory of users says which team a person works for.
  end_user: { kind: 'identity', basis: 'identity_resolved', strength: 0.95 },
  service: { kind: 'service', basis: 'service_resolved', strength: 0.95 },
  spiffe_id: { kind: 'workload', basis: 'workload_resolved', strength: 0.95 },
  k8s_workload: { kind: 'workload', basis: 'workload_resolved', strength: 0.9 },
  k8s_namespace: { kind: 'workload', basis: 'workload_resolved', strength: 0.9 },
  k8s_cluster: { kind: 'workload', basis: 'workload_resolved', strength: 0.85 },
  api_key_name: { kind: 'credential', basis: 'credential_resolved', strength: 0.85 },
  source_system: { kind: 'source', basis: 'service_resolved', strength: 0.85 },
  tag: { kind: 'source', basis: 'service_resolved', strength: 0.85 },
};

/** Limits the confidence in a producer's statement to the confidence that the producer reported. */
const capToProducerConfidence = ({ attribution_confidence }: Evidence, strength: number): number =>
  Math.min(strength, attribution_confidence ?? strength);

const pickDefined = (fields: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined),
  );

/** `spiffe://trust/ns/search/sa/ranker` → `search/ranker`; other paths are unchanged (https://spiffe.io, SPIFFE-ID §2.2). */
const parseSpiffeService = (spiffeId: string): string => {
  const path = spiffeId.replace(/^spiffe:\/\/[^/]+\//, '');
  const [, namespace, account] = /^ns\/([^/]+)\/sa\/([^/]+)$/.exec(path) ?? [];
  return namespace === undefined ? path : `${namespace}/${account}`;
};

/** All conditions of a mapping matched, so its confidence is that of its strongest field. */
export const mappingAssertion = (evidence: Evidence, mapping: MatchedMapping): Assertion => {
  const readings = mapping.fields.map((field) => {
    const { kind, basis, strength } = MAPPED_STRENGTH[field];
    const isStated = field === 'identity' || field === 'service';
    return { kind, basis, confidence: isStated ? capToProducerConfidence(evidence, strength) : strength };
  });
  const strongest = readings.reduce((one, other) => (other.confidence > one.confidence ? other : one));
  return {
    rule: 'mapping',
    basis: strongest.basis,
    saw: { ...mapping.saw },
    ...(mapping.owner !== undefined && { owner: mapping.owner }),
    ...(mapping.service !== undefined && { service: mapping.service }),
    confidence: strongest.confidence,
    kinds: [...new Set(readings.map(({ kind }) => kind))],
    mapping,
  };
};

export const identityAssertion = (evidence: Evidence): Assertion => ({
  rule: 'identity',
  basis: 'identity_resolved',
  saw: pickDefined({ attributed_identity: evidence.attributed_identity }),
  ...(evidence.attributed_identity !== undefined && { owner: evidence.attributed_identity }),
  confidence: capToProducerConfidence(evidence, STRENGTH.identity),
  kinds: ['identity'],
});

export const serviceAssertion = (evidence: Evidence): Assertion => ({
  rule: 'service',
  basis: 'service_resolved',
  saw: pickDefined({ attributed_service: evidence.attributed_service }),
  ...(evidence.attributed_service !== undefined && { service: evidence.attributed_service }),
  confidence: capToProducerConfidence(evidence, STRENGTH.service),
  kinds: ['service'],
});

export const workloadAssertion = (evidence: Evidence): Assertion => {
  const { spiffe_id, k8s_cluster, k8s_namespace, k8s_workload } = evidence;
  const saw = pickDefined({ spiffe_id, k8s_cluster, k8s_namespace, k8s_workload });
  const base: Assertion = {
    rule: 'workload',
    basis: 'workload_resolved',
    saw,
    confidence: 0,
    kinds: ['workload'],
  };
  if (spiffe_id !== undefined) {
    return { ...base, service: parseSpiffeService(spiffe_id), confidence: STRENGTH.spiffe };
  }
  // A namespace can contain many services, so a namespace alone names none.
  if (k8s_workload === undefined) return base;
  const service = k8s_namespace === undefined ? k8s_workload : `${k8s_namespace}/${k8s_workload}`;
  return { ...base, service, confidence: STRENGTH.kubernetes };
};

export const credentialAssertion = (evidence: Evidence): Assertion => ({
  rule: 'credential',
  basis: 'credential_resolved',
  saw: pickDefined({ api_key_name: evidence.api_key_name }),
  ...(evidence.api_key_name !== undefined && { owner: evidence.api_key_name }),
  confidence: STRENGTH.credential,
  kinds: ['credential'],
});
