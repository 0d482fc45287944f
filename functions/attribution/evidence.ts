import type { EvidenceBasis } from '../../schemas/attributionRecord.ts';
import type { RuleTrace } from '../../schemas/explanation.ts';
import type { InvocationEvent } from '../../schemas/invocationEvent.ts';

/** Version of the rules below: a change of any result is a new version, so that a record says which rules made it. */
export const RULES_VERSION = 'deterministic-1';

/**
 * How strongly each kind of evidence names an owner or a service (operational confidence, judgement).
 * A statement of the producer and a cryptographic workload identity stand near the ceiling; a workload's place can be
 * shared by services; the name of a provider key is shared most of all and stays below the chargeback floor.
 */
const STRENGTH = { identity: 0.95, service: 0.95, spiffe: 0.9, kubernetes: 0.85, credential: 0.7 } as const;

interface Claim {
  readonly rule: RuleTrace['rule'];
  readonly basis: EvidenceBasis;
  readonly saw: Record<string, string>;
  readonly owner?: string;
  readonly service?: string;
  readonly confidence: number;
}

export interface Resolution {
  readonly owner: string | null;
  readonly service: string | null;
  readonly basis: EvidenceBasis;
  readonly confidence: number;
  readonly rules: RuleTrace[];
}

/** The producer's statements are worth no more than the producer's own confidence in them. */
const stated = (event: InvocationEvent, strength: number): number =>
  Math.min(strength, event.attribution_confidence ?? strength);

const present = (fields: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined),
  );

/** `spiffe://trust/ns/search/sa/ranker` → `search/ranker`; any other path as it is (https://spiffe.io, SPIFFE-ID §2.2). */
const serviceOfSpiffe = (spiffeId: string): string => {
  const path = spiffeId.replace(/^spiffe:\/\/[^/]+\//, '');
  const [, namespace, account] = /^ns\/([^/]+)\/sa\/([^/]+)$/.exec(path) ?? [];
  return namespace === undefined ? path : `${namespace}/${account}`;
};

/** What each rule reads from the event, strongest first. */
const claimsOf = (event: InvocationEvent): Claim[] => [
  {
    rule: 'identity',
    basis: 'identity_resolved',
    saw: present({ attributed_identity: event.attributed_identity }),
    ...(event.attributed_identity !== undefined && { owner: event.attributed_identity }),
    confidence: stated(event, STRENGTH.identity),
  },
  {
    rule: 'service',
    basis: 'service_resolved',
    saw: present({ attributed_service: event.attributed_service }),
    ...(event.attributed_service !== undefined && { service: event.attributed_service }),
    confidence: stated(event, STRENGTH.service),
  },
  workloadClaim(event),
  {
    rule: 'credential',
    basis: 'credential_resolved',
    saw: present({ api_key_name: event.api_key_name }),
    ...(event.api_key_name !== undefined && { owner: event.api_key_name }),
    confidence: STRENGTH.credential,
  },
];

const workloadClaim = (event: InvocationEvent): Claim => {
  const { spiffe_id, k8s_cluster, k8s_namespace, k8s_workload } = event;
  const saw = present({ spiffe_id, k8s_cluster, k8s_namespace, k8s_workload });
  const base = { rule: 'workload', basis: 'workload_resolved', saw } as const;
  if (spiffe_id !== undefined) {
    return { ...base, service: serviceOfSpiffe(spiffe_id), confidence: STRENGTH.spiffe };
  }
  // A namespace alone names a neighbourhood, not a service.
  if (k8s_workload === undefined) return { ...base, confidence: 0 };
  const service = k8s_namespace === undefined ? k8s_workload : `${k8s_namespace}/${k8s_workload}`;
  return { ...base, service, confidence: STRENGTH.kubernetes };
};

/**
 * Stage A: the deterministic rules. The first rule that names an owner decides it, likewise the service;
 * a credential's name decides only where nothing stronger names anything, so that weak evidence never lowers strong.
 * The record is as sure as the least sure of the claims it uses. What no rule resolves stays null.
 */
export const resolve = (event: InvocationEvent): Resolution => {
  const used: Claim[] = [];
  const rules: RuleTrace[] = [];
  let owner: string | undefined;
  let service: string | undefined;
  for (const claim of claimsOf(event)) {
    const speaks = claim.owner !== undefined || claim.service !== undefined;
    const decides =
      (claim.service !== undefined && service === undefined) ||
      (claim.owner !== undefined &&
        owner === undefined &&
        (claim.rule !== 'credential' || used.length === 0));
    if (decides) {
      used.push(claim);
      owner ??= claim.owner;
      service ??= claim.service;
    }
    rules.push({
      rule: claim.rule,
      saw: claim.saw,
      outcome: decides ? 'matched' : speaks ? 'supporting' : 'absent',
      ...(claim.owner !== undefined && { owner: claim.owner }),
      ...(claim.service !== undefined && { service: claim.service }),
      confidence: speaks ? claim.confidence : 0,
    });
  }
  return {
    owner: owner ?? null,
    service: service ?? null,
    basis: used[0]?.basis ?? 'none',
    confidence: used.length === 0 ? 0 : Math.min(...used.map((claim) => claim.confidence)),
    rules,
  };
};
