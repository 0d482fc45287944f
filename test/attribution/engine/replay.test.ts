import { expect, it } from 'vitest';
import { attribute } from '../../../functions/attribution/engine/attribute.ts';
import { RULES_VERSION } from '../../../functions/attribution/engine/rules/resolution.ts';
import { compileMappings } from '../../../functions/attribution/mappings/mappingRules.ts';
import type { TraceEvidence } from '../../../functions/ledger/records/trace/traceSpan.ts';
import { sha256Of } from '../../../functions/platform/shared/hash.ts';
import { aMapping, condition } from '../mappings/mappings.ts';
import { anEvent, aTenant, noFactors } from './events.ts';
import { inferFixed } from './inferenceStubs.ts';

const instants = {
  occurredAt: Date.parse('2026-07-15T12:00:00Z'),
  receivedAt: Date.parse('2026-07-15T12:00:01Z'),
  residency: 'eu',
};

/** Stated by the producer, so that the result does not depend on price lists or parameter tables. */
const stated = {
  estimated_cost_usd: '0.0045',
  cost_source: 'provider',
  energy_wh: '0.3',
  carbon_gco2e: '0.12',
};
const mappings = compileMappings([
  aMapping(1, { position: 1, owner: 'team-a', conditions: [condition('identity', 'ann')] }),
  aMapping(2, { position: 2, owner: 'team-b', conditions: [condition('k8s_workload', 'ranker')] }),
  aMapping(3, { position: 3, service: 'portal', conditions: [condition('tag', 'port*', 'glob')] }),
]);
const traceEvidence: TraceEvidence = {
  source: { relation: 'ancestor', span_id: 'root', evidence: { attributed_identity: 'ann' } },
  repeatsUsage: false,
};

/** Calls that together cover every rule and stages A and B. */
const calls = [
  [{}, {}],
  [{ attributed_identity: 'ann', attributed_service: 'checkout', attribution_confidence: 0.9 }, {}],
  [{ attributed_service: 'checkout', k8s_namespace: 'search', k8s_workload: 'ranker' }, {}],
  [{ spiffe_id: 'spiffe://prod.example.org/ns/search/sa/ranker', api_key_name: 'key' }, {}],
  [{ api_key_name: 'key' }, { infer: inferFixed({ confidence: 0.6 }) }],
  [{}, { infer: inferFixed() }],
  [{}, { infer: inferFixed({ advisory: true, basis: 'heuristic_baseline' }) }],
  [{ attributed_identity: 'ann', k8s_workload: 'ranker', tags: ['portal'] }, { mappings }],
  [
    { trace_id: 'a trace', span_id: 'leaf', parent_span_id: 'root' },
    { mappings, trace: traceEvidence },
  ],
  [{ operation: 'invoke_agent', trace_id: 'a trace' }, { trace: { source: null, repeatsUsage: true } }],
] as const;

/** Digest of the results under each version of the rules. The digest of a version in use never changes. */
const DIGESTS: Record<string, string> = {
  'deterministic-4': 'e74b059f06d8741e3cd830d29ab14cbd918329a4c4db9e80fdfb7aa016b0224e',
};

it('returns the same bytes as before under the same rules version', () => {
  const attributions = calls.map(([members, context]) => {
    const event = anEvent({ ...stated, ...members });
    return attribute(event, instants, aTenant(), noFactors, context);
  });

  const digest = sha256Of(JSON.stringify(attributions)).toString('hex');

  expect({ [RULES_VERSION]: digest }).toEqual({ [RULES_VERSION]: DIGESTS[RULES_VERSION] });
});
