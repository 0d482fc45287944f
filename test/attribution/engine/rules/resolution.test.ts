import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resolve as resolveUnder } from '../../../../functions/attribution/engine/rules/resolution.ts';
import { noMappings } from '../../../../functions/attribution/mappings/mappingRules.ts';
import { RuleTrace } from '../../../../schemas/attribution/explanation.ts';
import type { InvocationEvent } from '../../../../schemas/ingest/invocationEvent.ts';
import { CHARGEBACK_FLOOR, CONFIDENCE_CEILING } from '../../../../schemas/values.ts';
import { anEvent, anyEvent } from '../events.ts';

const resolve = (event: InvocationEvent) =>
  resolveUnder(event, { mappings: noMappings, trace: null, occurredAt: Date.parse('2026-07-15T12:00:00Z') });

const everything = {
  attributed_identity: 'team-search',
  attributed_service: 'checkout',
  spiffe_id: 'spiffe://prod.example.org/ns/search/sa/ranker',
  k8s_namespace: 'search',
  k8s_workload: 'ranker',
  k8s_cluster: 'eu-1',
  api_key_name: 'key of search',
};

const outcomes = (members: Record<string, unknown>) =>
  Object.fromEntries(resolve(anEvent(members)).rules.map(({ rule, outcome }) => [rule, outcome]));

describe('each kind of evidence alone', () => {
  it.each([
    [{ attributed_identity: 'team-search' }, 'identity_resolved', 'team-search', null, 0.95],
    [{ attributed_service: 'checkout' }, 'service_resolved', null, 'checkout', 0.95],
    [{ spiffe_id: everything.spiffe_id }, 'workload_resolved', null, 'search/ranker', 0.9],
    [{ spiffe_id: 'spiffe://example.org/build/agent-7' }, 'workload_resolved', null, 'build/agent-7', 0.9],
    [{ k8s_namespace: 'search', k8s_workload: 'ranker' }, 'workload_resolved', null, 'search/ranker', 0.85],
    [{ k8s_workload: 'ranker' }, 'workload_resolved', null, 'ranker', 0.85],
  ])('%o resolves as %s', (members, basis, owner, service, confidence) => {
    const resolution = resolve(anEvent(members));

    expect(resolution).toMatchObject({ basis, owner, service, confidence });
  });

  it.each([
    [{}],
    [{ k8s_namespace: 'search' }],
    [{ k8s_cluster: 'eu-1', k8s_namespace: 'search' }],
    [{ attribution_confidence: 0.95 }],
    [{ end_user: 'customer-1' }],
    [{ trace_id: 'b'.repeat(32), source_system: 'gateway-7' }],
  ])('%o resolves nothing', (members) => {
    const resolution = resolve(anEvent(members));

    expect(resolution).toMatchObject({ basis: 'none', owner: null, service: null, confidence: 0 });
    expect(resolution.rules.map(({ outcome }) => outcome)).toEqual(['absent', 'absent', 'absent', 'absent']);
  });

  it('takes the name of a provider key as a candidate below the chargeback floor, which decides nothing', () => {
    const { rules, ...resolution } = resolve(anEvent({ api_key_name: 'key', attribution_confidence: 1 }));

    expect(resolution).toEqual({ owner: null, service: null, basis: 'none', confidence: 0 });
    expect(rules.at(-1)).toMatchObject({ rule: 'credential', outcome: 'supporting', owner: 'key' });
    expect(rules.at(-1)?.confidence).toBeLessThan(CHARGEBACK_FLOOR);
  });
});

describe('evidence of several kinds', () => {
  it('takes owner and service from the strongest rule that names each', () => {
    const resolution = resolve(anEvent(everything));

    expect(resolution).toMatchObject({
      owner: 'team-search',
      service: 'checkout',
      basis: 'identity_resolved',
    });
    expect(outcomes(everything)).toEqual({
      identity: 'matched',
      service: 'matched',
      workload: 'conflicting',
      credential: 'supporting',
    });
  });

  it('prefers the SPIFFE id to the Kubernetes workload', () => {
    const { attributed_service: _stated, ...rest } = everything;

    const resolution = resolve(anEvent({ ...rest, k8s_workload: 'other' }));

    expect(resolution.service).toBe('search/ranker');
    expect(resolution.rules[2]?.saw).toEqual({
      spiffe_id: everything.spiffe_id,
      k8s_cluster: 'eu-1',
      k8s_namespace: 'search',
      k8s_workload: 'other',
    });
  });

  it('does not take the owner from a provider key when a stronger rule matches', () => {
    const members = { attributed_service: 'checkout', api_key_name: 'key of search' };

    const resolution = resolve(anEvent(members));

    expect(resolution).toMatchObject({ owner: null, service: 'checkout', confidence: 0.95 });
    expect(outcomes(members)).toMatchObject({ credential: 'supporting' });
  });

  it('has the lowest confidence and the strongest basis of the assertions used', () => {
    const { attributed_service: _stated, ...rest } = everything;

    const resolution = resolve(anEvent(rest));

    expect(resolution).toMatchObject({ basis: 'identity_resolved', confidence: 0.9 });
  });
});

describe("the producer's confidence", () => {
  it.each([
    [0.6, 0.6],
    [0, 0],
    [0.95, 0.95],
    [1, 0.95],
  ])('of %d in its statements gives the confidence %d', (attribution_confidence, confidence) => {
    const members = { attributed_identity: 'team-search', attributed_service: 'checkout' };

    const resolution = resolve(anEvent({ ...members, attribution_confidence }));

    expect(resolution.confidence).toBe(confidence);
  });

  it('does not limit evidence that the producer did not state', () => {
    const resolution = resolve(anEvent({ spiffe_id: everything.spiffe_id, attribution_confidence: 0.1 }));

    expect(resolution.confidence).toBe(0.9);
  });
});

it('takes every name and confidence from a rule that matched', () => {
  fc.assert(
    fc.property(anyEvent, (event) => {
      const { owner, service, basis, confidence, rules } = resolve(event);

      const matched = rules.filter(({ outcome }) => outcome === 'matched');
      expect(rules.map((rule) => RuleTrace.parse(rule))).toEqual(rules);
      expect(rules.map(({ rule }) => rule)).toEqual(['identity', 'service', 'workload', 'credential']);
      if (owner !== null) expect(matched.map((rule) => rule.owner)).toContain(owner);
      if (service !== null) expect(matched.map((rule) => rule.service)).toContain(service);
      expect(basis === 'none').toBe(owner === null && service === null);
      expect(confidence).toBe(
        Math.min(...(matched.length === 0 ? [0] : matched.map((rule) => rule.confidence))),
      );
      expect(confidence).toBeLessThanOrEqual(CONFIDENCE_CEILING);
    }),
  );
});
