import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileMappings, noMappings } from '../../functions/attribution/mappings/mappingRules.ts';
import { RULES_VERSION, resolve, rulesVersion } from '../../functions/attribution/rules/resolution.ts';
import { RuleTrace } from '../../schemas/attribution/explanation.ts';
import type { IdentityMapping, MappingCondition } from '../../schemas/attribution/identityMapping.ts';
import { CONFIDENCE_CEILING } from '../../schemas/values.ts';
import { aMapping, condition, mappingId } from '../identity/mappings.ts';
import { anEvent, anyEvent } from './events.ts';
import { anyTraceEvidence } from './inferenceStubs.ts';

const occurredAt = Date.parse('2026-07-15T12:00:00Z');

const resolved = (members: Record<string, unknown>, mappings: readonly IdentityMapping[]) =>
  resolve(anEvent(members), { mappings: compileMappings(mappings), trace: null, occurredAt });

/** A mapping that comes in this place and names an owner for one condition. */
const naming = (index: number, owner: string, ...conditions: MappingCondition[]): IdentityMapping =>
  aMapping(index, { position: index, owner, conditions });

describe('a mapping', () => {
  it.each([
    ['identity', { attributed_identity: 'x' }, 'identity_resolved', 0.95],
    ['service', { attributed_service: 'x' }, 'service_resolved', 0.95],
    ['spiffe_id', { spiffe_id: 'spiffe://a.example/x' }, 'workload_resolved', 0.95],
    ['k8s_workload', { k8s_workload: 'x' }, 'workload_resolved', 0.9],
    ['k8s_namespace', { k8s_namespace: 'x' }, 'workload_resolved', 0.9],
    ['k8s_cluster', { k8s_cluster: 'x' }, 'workload_resolved', 0.85],
    ['api_key_name', { api_key_name: 'x' }, 'credential_resolved', 0.85],
    ['source_system', { source_system: 'x' }, 'service_resolved', 0.85],
    ['tag', { tags: ['w', 'x'] }, 'service_resolved', 0.85],
  ] as const)(
    'of %s names whom it says, as surely as that can be told',
    (field, members, basis, confidence) => {
      const value = field === 'spiffe_id' ? 'spiffe://a.example/x' : 'x';
      const mappings = [
        aMapping(1, { owner: 'team-a', service: 'a', conditions: [condition(field, value)] }),
      ];

      const resolution = resolved(members, mappings);

      expect(resolution).toMatchObject({ owner: 'team-a', service: 'a', basis, confidence, isWeak: false });
      expect(resolution.rules[0]).toMatchObject({
        rule: 'mapping',
        mapping: { id: mappingId(1), name: 'Mapping 1' },
        outcome: 'matched',
      });
    },
  );

  it('goes before everything the evidence says by itself, and leaves the rest to it', () => {
    const members = { attributed_identity: 'ann', attributed_service: 'checkout' };

    const resolution = resolved(members, [naming(1, 'team-a', condition('identity', 'ann'))]);

    expect(resolution).toMatchObject({ owner: 'team-a', service: 'checkout', confidence: 0.95 });
    expect(resolution.rules.map(({ rule, outcome }) => [rule, outcome])).toEqual([
      ['mapping', 'matched'],
      ['identity', 'supporting'],
      ['service', 'matched'],
      ['workload', 'absent'],
      ['credential', 'absent'],
    ]);
  });

  it('is as sure as the surest name it was written for', () => {
    const conditions = [condition('tag', 'blue'), condition('k8s_namespace', 'search')];

    const resolution = resolved({ tags: ['blue'], k8s_namespace: 'search' }, [
      naming(1, 'team-a', ...conditions),
    ]);

    expect(resolution).toMatchObject({ confidence: 0.9, basis: 'workload_resolved' });
  });

  it.each([
    ['identity', { attributed_identity: 'ann' }, 0.6],
    ['service', { attributed_service: 'ann' }, 0.6],
    ['k8s_workload', { k8s_workload: 'ann' }, 0.9],
  ] as const)('of %s follows the confidence of who stated it', (field, members, confidence) => {
    const mappings = [naming(1, 'team-a', condition(field, 'ann'))];

    const resolution = resolved({ ...members, attribution_confidence: 0.6 }, mappings);

    expect(resolution).toMatchObject({ owner: 'team-a' });
    expect(resolution.rules[0]?.confidence).toBe(confidence);
  });

  it('turns the name of a key into more than weak evidence', () => {
    const members = { api_key_name: 'key of search' };

    const [bare, translated] = [[], [naming(1, 'team-a', condition('api_key_name', 'key of search'))]].map(
      (mappings) => resolved(members, mappings),
    );

    expect(bare).toMatchObject({ isWeak: true, confidence: 0.7 });
    expect(translated).toMatchObject({ isWeak: false, confidence: 0.85, owner: 'team-a' });
  });
});

describe('mappings that disagree', () => {
  const both = { attributed_identity: 'ann', k8s_workload: 'ranker' };
  const byIdentity = (index: number) => naming(index, 'team-a', condition('identity', 'ann'));
  const byWorkload = (index: number, operator: MappingCondition['operator'] = 'exact', value = 'ranker') =>
    naming(index, 'team-b', condition('k8s_workload', value, operator));

  it('are decided by their order, and make the record less sure by how sure the other was', () => {
    const [one, other] = [
      resolved(both, [byIdentity(1), byWorkload(2)]),
      resolved(both, [byIdentity(2), byWorkload(1)]),
    ];

    // c (1 − d) / (1 − c d) of 0.95 against 0.9, and of 0.9 against 0.95
    expect(one).toMatchObject({ owner: 'team-a', confidence: 0.6552 });
    expect(other).toMatchObject({ owner: 'team-b', confidence: 0.3103 });
  });

  it('are told of in the explanation', () => {
    const { rules } = resolved(both, [byIdentity(1), byWorkload(2)]);

    expect(rules.slice(0, 2)).toMatchObject([
      { rule: 'mapping', owner: 'team-a', outcome: 'matched', confidence: 0.6552 },
      { rule: 'mapping', owner: 'team-b', outcome: 'conflicting', confidence: 0.9 },
    ]);
  });

  it.each([
    ['prefix', 'rank'],
    ['glob', 'r*'],
  ] as const)('do not doubt each other where the later one is a default: %s', (operator, value) => {
    const { owner, rules } = resolved(both, [byIdentity(1), byWorkload(2, operator, value)]);

    expect(owner).toBe('team-a');
    expect(rules.slice(0, 2)).toMatchObject([
      { outcome: 'matched', confidence: 0.95 },
      { outcome: 'supporting', confidence: 0.9 },
    ]);
  });

  it('do not doubt each other where they read one kind of evidence', () => {
    const members = { k8s_workload: 'ranker', k8s_namespace: 'search' };
    const byNamespace = naming(1, 'team-a', condition('k8s_namespace', 'search'));

    const { owner, rules } = resolved(members, [byNamespace, byWorkload(2)]);

    expect(owner).toBe('team-a');
    expect(rules.slice(0, 2)).toMatchObject([{ confidence: 0.9 }, { outcome: 'supporting' }]);
  });

  it('do not doubt each other where one reads what the other reads too', () => {
    const twice = naming(1, 'team-a', condition('identity', 'ann'), condition('k8s_workload', 'ranker'));

    const { owner, rules } = resolved(both, [twice, byWorkload(2)]);

    expect(owner).toBe('team-a');
    expect(rules.slice(0, 2)).toMatchObject([{ confidence: 0.95 }, { outcome: 'supporting' }]);
  });
});

describe('names that no mapping translated', () => {
  it.each([
    ['search/ranker', 0.934, 'conflicting'],
    ['shop/checkout-7f9', 0.95, 'supporting'],
  ])('of a workload %s make a stated service as sure as %d', (place, confidence, outcome) => {
    const [k8s_namespace, k8s_workload] = place.split('/');

    const resolution = resolved({ attributed_service: 'checkout', k8s_namespace, k8s_workload }, []);

    expect(resolution).toMatchObject({ service: 'checkout', confidence });
    expect(resolution.rules.find(({ rule }) => rule === 'workload')?.outcome).toBe(outcome);
  });
});

it('names its rules by the mappings among them', () => {
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

it('never claims more than the ceiling, nor more than each rule it uses is worth by itself', () => {
  fc.assert(
    fc.property(mappable, anyMappings, anyTraceEvidence, (event, made, trace) => {
      const mappings = compileMappings(
        made.map(({ service, ...members }, index) =>
          aMapping(index, { ...members, ...(service !== undefined && { service }) }),
        ),
      );

      const { confidence, rules, owner, service, basis } = resolve(event, { mappings, trace, occurredAt });

      const matched = rules.filter(({ outcome }) => outcome === 'matched');
      const alone = matched.map((rule) => {
        // What it is worth where nothing else was said
        const mapping = made.find((_, index) => mappingId(index) === rule.mapping?.id);
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
