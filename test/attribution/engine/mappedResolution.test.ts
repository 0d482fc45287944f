import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  RULES_VERSION,
  resolve,
  rulesVersion,
} from '../../../functions/attribution/engine/rules/resolution.ts';
import { compileMappings, noMappings } from '../../../functions/attribution/mappings/mappingRules.ts';
import { RuleTrace } from '../../../schemas/attribution/explanation.ts';
import type { IdentityMapping, MappingCondition } from '../../../schemas/attribution/identityMapping.ts';
import { CONFIDENCE_CEILING } from '../../../schemas/values.ts';
import { aMapping, condition, mappingId } from '../mappings/mappings.ts';
import { anEvent, anyEvent } from './events.ts';
import { anyTraceEvidence } from './inferenceStubs.ts';

const occurredAt = Date.parse('2026-07-15T12:00:00Z');

const resolveWithMappings = (members: Record<string, unknown>, mappings: readonly IdentityMapping[]) =>
  resolve(anEvent(members), { mappings: compileMappings(mappings), trace: null, occurredAt });

/** A mapping at this position that sets an owner for the given conditions. */
const naming = (index: number, owner: string, ...conditions: MappingCondition[]): IdentityMapping =>
  aMapping(index, { position: index, owner, conditions });

describe('resolve, with a mapping', () => {
  it.each([
    ['identity', { attributed_identity: 'x' }, 'identity_resolved', 0.95],
    ['end_user', { end_user: 'x' }, 'identity_resolved', 0.95],
    ['service', { attributed_service: 'x' }, 'service_resolved', 0.95],
    ['spiffe_id', { spiffe_id: 'spiffe://a.example/x' }, 'workload_resolved', 0.95],
    ['k8s_workload', { k8s_workload: 'x' }, 'workload_resolved', 0.9],
    ['k8s_namespace', { k8s_namespace: 'x' }, 'workload_resolved', 0.9],
    ['k8s_cluster', { k8s_cluster: 'x' }, 'workload_resolved', 0.85],
    ['api_key_name', { api_key_name: 'x' }, 'credential_resolved', 0.85],
    ['source_system', { source_system: 'x' }, 'service_resolved', 0.85],
    ['tag', { tags: ['w', 'x'] }, 'service_resolved', 0.85],
  ] as const)(
    'of %s takes its owner and service, with the confidence of the field',
    (field, members, basis, confidence) => {
      const value = field === 'spiffe_id' ? 'spiffe://a.example/x' : 'x';
      const mappings = [
        aMapping(1, { owner: 'team-a', service: 'a', conditions: [condition(field, value)] }),
      ];

      const resolution = resolveWithMappings(members, mappings);

      expect(resolution).toMatchObject({ owner: 'team-a', service: 'a', basis, confidence });
      expect(resolution.rules[0]).toMatchObject({
        rule: 'mapping',
        mapping: { id: mappingId(1), name: 'Mapping 1' },
        outcome: 'matched',
      });
    },
  );

  it('prefers the mapping, and takes the rest from the evidence', () => {
    const members = { attributed_identity: 'ann', attributed_service: 'checkout' };

    const resolution = resolveWithMappings(members, [naming(1, 'team-a', condition('identity', 'ann'))]);

    expect(resolution).toMatchObject({ owner: 'team-a', service: 'checkout', confidence: 0.95 });
    expect(resolution.rules.map(({ rule, outcome }) => [rule, outcome])).toEqual([
      ['mapping', 'matched'],
      ['identity', 'supporting'],
      ['service', 'matched'],
      ['workload', 'absent'],
      ['credential', 'absent'],
    ]);
  });

  it('takes the confidence of the strongest field', () => {
    const conditions = [condition('tag', 'blue'), condition('k8s_namespace', 'search')];

    const resolution = resolveWithMappings({ tags: ['blue'], k8s_namespace: 'search' }, [
      naming(1, 'team-a', ...conditions),
    ]);

    expect(resolution).toMatchObject({ confidence: 0.9, basis: 'workload_resolved' });
  });

  it.each([
    ['identity', { attributed_identity: 'ann' }, 0.6],
    ['service', { attributed_service: 'ann' }, 0.6],
    ['k8s_workload', { k8s_workload: 'ann' }, 0.9],
  ] as const)(
    'of %s limits only stated fields to the confidence of the producer',
    (field, members, confidence) => {
      const mappings = [naming(1, 'team-a', condition(field, 'ann'))];

      const resolution = resolveWithMappings({ ...members, attribution_confidence: 0.6 }, mappings);

      expect(resolution).toMatchObject({ owner: 'team-a' });
      expect(resolution.rules[0]?.confidence).toBe(confidence);
    },
  );

  it('makes the name of a provider key more than a candidate', () => {
    const members = { api_key_name: 'key of search' };

    const [unmapped, mapped] = [[], [naming(1, 'team-a', condition('api_key_name', 'key of search'))]].map(
      (mappings) => resolveWithMappings(members, mappings),
    );

    expect(unmapped).toMatchObject({ basis: 'none', owner: null });
    expect(mapped).toMatchObject({ confidence: 0.85, owner: 'team-a' });
  });
});

describe('resolve, with contradicting mappings', () => {
  const both = { attributed_identity: 'ann', k8s_workload: 'ranker' };
  const byIdentity = (index: number) => naming(index, 'team-a', condition('identity', 'ann'));
  const byWorkload = (index: number, operator: MappingCondition['operator'] = 'exact', value = 'ranker') =>
    naming(index, 'team-b', condition('k8s_workload', value, operator));

  it('decides by order, and lowers the confidence by that of the other mapping', () => {
    const [one, other] = [
      resolveWithMappings(both, [byIdentity(1), byWorkload(2)]),
      resolveWithMappings(both, [byIdentity(2), byWorkload(1)]),
    ];

    // c (1 − d) / (1 − c d) of 0.95 against 0.9, and of 0.9 against 0.95
    expect(one).toMatchObject({ owner: 'team-a', confidence: 0.6552 });
    expect(other).toMatchObject({ owner: 'team-b', confidence: 0.3103 });
  });

  it('lists the contradiction in the explanation', () => {
    const { rules } = resolveWithMappings(both, [byIdentity(1), byWorkload(2)]);

    expect(rules.slice(0, 2)).toMatchObject([
      { rule: 'mapping', owner: 'team-a', outcome: 'matched', confidence: 0.6552 },
      { rule: 'mapping', owner: 'team-b', outcome: 'conflicting', confidence: 0.9 },
    ]);
  });

  it.each([
    ['prefix', 'rank'],
    ['glob', 'r*'],
  ] as const)('finds no contradiction when the later mapping is a pattern: %s', (operator, value) => {
    const { owner, rules } = resolveWithMappings(both, [byIdentity(1), byWorkload(2, operator, value)]);

    expect(owner).toBe('team-a');
    expect(rules.slice(0, 2)).toMatchObject([
      { outcome: 'matched', confidence: 0.95 },
      { outcome: 'supporting', confidence: 0.9 },
    ]);
  });

  it('finds no contradiction when both read the same kind of evidence', () => {
    const members = { k8s_workload: 'ranker', k8s_namespace: 'search' };
    const byNamespace = naming(1, 'team-a', condition('k8s_namespace', 'search'));

    const { owner, rules } = resolveWithMappings(members, [byNamespace, byWorkload(2)]);

    expect(owner).toBe('team-a');
    expect(rules.slice(0, 2)).toMatchObject([{ confidence: 0.9 }, { outcome: 'supporting' }]);
  });

  it('finds no contradiction when both share one kind of evidence', () => {
    const twice = naming(1, 'team-a', condition('identity', 'ann'), condition('k8s_workload', 'ranker'));

    const { owner, rules } = resolveWithMappings(both, [twice, byWorkload(2)]);

    expect(owner).toBe('team-a');
    expect(rules.slice(0, 2)).toMatchObject([{ confidence: 0.95 }, { outcome: 'supporting' }]);
  });
});

describe('resolve, without a mapping', () => {
  it.each([
    ['search/ranker', 0.934, 'conflicting'],
    ['shop/checkout-7f9', 0.95, 'supporting'],
  ])('with the workload %s gives a stated service the confidence %d', (workload, confidence, outcome) => {
    const [k8s_namespace, k8s_workload] = workload.split('/');

    const resolution = resolveWithMappings(
      { attributed_service: 'checkout', k8s_namespace, k8s_workload },
      [],
    );

    expect(resolution).toMatchObject({ service: 'checkout', confidence });
    expect(resolution.rules.find(({ rule }) => rule === 'workload')?.outcome).toBe(outcome);
  });
});

it('includes the mappings in the rules version', () => {
  const compiled = compileMappings([aMapping(1)]);

  expect(rulesVersion(noMappings)).toBe(RULES_VERSION);
  expect(rulesVersion(compiled)).toBe(`${RULES_VERSION}+${compiled.version}`);
});

const values = {
  identity: 'ann',
  service: 'checkout',
  k8s_workload: 'ranker',
  api_key_name: 'key',
  tag: 't',
};
const anyCondition = fc
  .tuple(
    fc.constantFrom('identity', 'service', 'k8s_workload', 'api_key_name', 'tag'),
    fc.constantFrom('exact', 'prefix', 'glob'),
  )
  .map(([field, operator]) => condition(field, operator === 'glob' ? '*' : values[field], operator));
const anyMappings = fc.array(
  fc.record({
    owner: fc.constantFrom('team-a', 'team-b'),
    service: fc.option(fc.constantFrom('search', 'checkout'), { nil: undefined }),
    conditions: fc.array(anyCondition, { minLength: 1, maxLength: 2 }),
  }),
  { maxLength: 4 },
);
const mappable = fc.tuple(anyEvent, fc.boolean()).map(([event, isNamed]) => ({
  ...event,
  ...(isNamed && { attributed_identity: 'ann', k8s_workload: 'ranker', api_key_name: 'key', tags: ['t'] }),
}));

it('never exceeds the ceiling, nor the confidence of any single rule it uses', () => {
  fc.assert(
    fc.property(mappable, anyMappings, anyTraceEvidence, (event, generated, trace) => {
      const mappings = compileMappings(
        generated.map(({ service, ...members }, index) =>
          aMapping(index, { ...members, ...(service !== undefined && { service }) }),
        ),
      );

      const { confidence, rules, owner, service, basis } = resolve(event, { mappings, trace, occurredAt });

      const matched = rules.filter(({ outcome }) => outcome === 'matched');
      const alone = matched.map((rule) => {
        // The confidence of the rule without other evidence
        const mapping = generated.find((_, index) => mappingId(index) === rule.mapping?.id);
        if (mapping === undefined) return CONFIDENCE_CEILING;
        const only = compileMappings([aMapping(1, { owner: 'x', conditions: mapping.conditions })]);
        return resolve(event, { mappings: only, trace: null, occurredAt }).rules[0]?.confidence ?? 0;
      });
      expect(rules.map((rule) => RuleTrace.parse(rule))).toEqual(rules);
      expect(confidence).toBeLessThanOrEqual(CONFIDENCE_CEILING);
      for (const each of alone) expect(confidence).toBeLessThanOrEqual(each);
      expect(basis === 'none').toBe(owner === null && service === null);
      if (owner !== null) expect(matched.map((rule) => rule.owner)).toContain(owner);
      if (service !== null) expect(matched.map((rule) => rule.service)).toContain(service);
    }),
  );
});
