import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compileMappings,
  type MatchedMapping,
  matchMappings,
  noMappings,
} from '../../../functions/attribution/mappings/mappingRules.ts';
import type { IdentityMapping, MappingCondition } from '../../../schemas/attribution/identityMapping.ts';
import { MappableField } from '../../../schemas/attribution/identityMapping.ts';
import type { InvocationEvent } from '../../../schemas/ingest/invocationEvent.ts';
import { anEvent } from '../engine/events.ts';
import { aMapping, condition, mappingId } from './mappings.ts';

const NOON = Date.parse('2026-07-15T12:00:00Z');

/** An event with a value in every field that a condition can read. */
const completeEvent = anEvent({
  attributed_identity: 'ann',
  attributed_service: 'ranking',
  spiffe_id: 'spiffe://prod.example.org/ns/search/sa/ranker',
  k8s_namespace: 'search',
  k8s_workload: 'ranker',
  k8s_cluster: 'prod-eu',
  api_key_name: 'openai-prod',
  source_system: 'litellm',
  tags: ['team:search', 'tier:gold'],
});

const idsOf = (matched: readonly MatchedMapping[]): string[] => matched.map(({ id }) => id);
const match = (mappings: readonly IdentityMapping[], event: InvocationEvent = completeEvent, at = NOON) =>
  matchMappings(compileMappings(mappings), event, at);

describe('a condition', () => {
  it.each([
    ['identity', 'attributed_identity', 'ann'],
    ['service', 'attributed_service', 'ranking'],
    ['spiffe_id', 'spiffe_id', 'spiffe://prod.example.org/ns/search/sa/ranker'],
    ['k8s_namespace', 'k8s_namespace', 'search'],
    ['k8s_workload', 'k8s_workload', 'ranker'],
    ['k8s_cluster', 'k8s_cluster', 'prod-eu'],
    ['api_key_name', 'api_key_name', 'openai-prod'],
    ['source_system', 'source_system', 'litellm'],
    ['tag', 'tags', 'tier:gold'],
  ] as const)('on %s reads %s and nothing else', (field, member, value) => {
    const mapping = aMapping(1, { conditions: [condition(field, value)] });
    const { [member]: _own, ...silent } = completeEvent;

    expect(match([mapping])).toMatchObject([{ id: mapping.id, fields: [field], saw: { [member]: value } }]);
    expect(match([mapping], anEvent(silent))).toEqual([]);
  });

  it.each([
    ['exact', 'ann', true],
    ['exact', 'an', false],
    ['exact', 'Ann', false],
    ['exact', 'a*', false],
    ['prefix', 'an', true],
    ['prefix', 'ann', true],
    ['prefix', 'nn', false],
    ['prefix', 'anna', false],
    ['prefix', 'a*', false],
    ['glob', 'a*', true],
    ['glob', '?n?', true],
    ['glob', 'a', false],
  ] as const)('%s %s', (operator, value, expected) => {
    const mapping = aMapping(1, { conditions: [condition('identity', value, operator)] });

    expect(match([mapping])).toHaveLength(expected ? 1 : 0);
  });

  it('on a tag matches any tag, and returns the tags that matched', () => {
    const mapping = aMapping(1, {
      conditions: [condition('tag', 'team:', 'prefix'), condition('tag', 'tier:gold')],
    });

    expect(match([mapping])).toMatchObject([{ fields: ['tag'], saw: { tags: 'team:search, tier:gold' } }]);
    expect(match([mapping], anEvent({ tags: ['team:search'] }))).toEqual([]);
  });
});

describe('a mapping', () => {
  it('matches when all of its conditions match, and returns the values', () => {
    const conditions = [
      condition('k8s_cluster', 'prod-', 'prefix'),
      condition('k8s_namespace', 'search'),
      condition('spiffe_id', '*/sa/ranker', 'glob'),
    ];

    expect(match([aMapping(1, { conditions })])).toEqual([
      {
        id: mappingId(1),
        name: 'Mapping 1',
        owner: 'owner-1',
        exact: false,
        fields: ['k8s_cluster', 'k8s_namespace', 'spiffe_id'],
        saw: { k8s_cluster: 'prod-eu', k8s_namespace: 'search', spiffe_id: completeEvent.spiffe_id },
      },
    ]);
    for (const index of conditions.keys()) {
      const others = conditions.with(index, condition('k8s_workload', 'other'));
      expect(match([aMapping(1, { conditions: others })])).toEqual([]);
    }
  });

  it('names an owner, a service or both, and is exact when no condition is a pattern', () => {
    const conditions = [condition('k8s_namespace', 'search'), condition('k8s_workload', 'ranker')];

    const [both, service] = match([
      aMapping(1, { owner: 'team-search', service: 'ranking', conditions }),
      aMapping(2, { service: 'ranking', conditions: [condition('identity', 'a*', 'glob')] }),
    ]);

    expect(both).toMatchObject({ owner: 'team-search', service: 'ranking', exact: true });
    expect(service).toMatchObject({ service: 'ranking', exact: false });
    expect(service).not.toHaveProperty('owner');
  });

  it('applies to calls from its instant on', () => {
    const mapping = aMapping(1, { effective_from: new Date(NOON).toISOString() });

    expect([NOON - 1, NOON, NOON + 1].map((at) => match([mapping], completeEvent, at).length)).toEqual([
      0, 1, 1,
    ]);
  });

  it('never matches an event that tells nothing', () => {
    const conditions = [condition('identity', '*', 'glob')];

    expect(match([aMapping(1, { conditions })], anEvent())).toEqual([]);
    expect(matchMappings(noMappings, completeEvent, NOON)).toEqual([]);
  });
});

it('gives mappings by position, those at one position in the order they were made', () => {
  const byGlob = { conditions: [condition('identity', '*', 'glob')] };
  const byWorkload = { conditions: [condition('k8s_workload', 'ranker')] };
  const mappings = [
    aMapping(4, { position: 9, ...byGlob }),
    aMapping(2, { position: 10 }),
    aMapping(1, { position: 10, ...byGlob }),
    aMapping(3, { position: 100, ...byWorkload }),
    aMapping(5, { position: 0, ...byWorkload }),
  ];

  expect(idsOf(match(mappings))).toEqual([5, 4, 1, 2, 3].map(mappingId));
});

describe('the version', () => {
  const [one, other] = [aMapping(1), aMapping(2, { conditions: [condition('k8s_namespace', 'search')] })];
  const versionOf = (...mappings: IdentityMapping[]) => compileMappings(mappings).version;

  it('does not depend on names, absolute positions and update times', () => {
    const renamed = { ...one, name: 'Other', position: 3, updated_at: '2026-02-01T00:00:00.000Z' };

    expect(versionOf(one, other)).toMatch(/^mappings-[0-9a-f]{12}$/);
    expect(versionOf(other, renamed)).toBe(versionOf(one, other));
    expect(noMappings.version).toBeNull();
  });

  it.each([
    ['the order', [{ ...one, position: 99 }, other]],
    ['an owner', [{ ...one, owner: 'somebody' }, other]],
    ['a service', [{ ...one, service: 'something' }, other]],
    ['an operator', [aMapping(1, { conditions: [condition('identity', 'ann', 'prefix')] }), other]],
    ['an instant', [{ ...one, effective_from: '2026-01-01T00:00:00.001Z' }, other]],
    ['a deletion', [one]],
  ])('changes with %s', (_, changed) => {
    expect(versionOf(...changed)).not.toBe(versionOf(one, other));
  });
});

describe('matchMappings, for any mappings and event', () => {
  const values = fc.constantFrom('a', 'b', 'ab', 'ba', 'aba');
  const conditions = fc.record<MappingCondition>({
    field: fc.constantFrom(...MappableField.options),
    operator: fc.constantFrom('exact', 'exact', 'prefix', 'glob'),
    value: fc.oneof(values, fc.constantFrom('a*', '*b', '?', '*')),
  });
  const mappings = fc
    .array(
      fc.record({
        position: fc.nat({ max: 5 }),
        conditions: fc.array(conditions, { minLength: 1, maxLength: 3 }),
        effective_from: fc.constantFrom(NOON - 1, NOON, NOON + 1).map((at) => new Date(at).toISOString()),
      }),
      { maxLength: 20 },
    )
    .map((all) => all.map((members, index) => aMapping(index, members)));
  const events = fc
    .record(
      {
        attributed_identity: values,
        attributed_service: values,
        k8s_namespace: values,
        k8s_workload: values,
        k8s_cluster: values,
        api_key_name: values,
        source_system: values,
        tags: fc.array(values, { maxLength: 4 }),
      },
      { requiredKeys: [] },
    )
    .map(anEvent);

  const read = (event: InvocationEvent, field: MappableField): readonly string[] => {
    const { attributed_identity: identity, attributed_service: service, tags: tag = [], ...rest } = event;
    const value = { ...rest, identity, service, tag }[field];
    return value === undefined ? [] : [value].flat();
  };
  const accepts = ({ operator, value }: MappingCondition, text: string): boolean => {
    if (operator === 'exact') return text === value;
    if (operator === 'prefix') return text.startsWith(value);
    return new RegExp(`^${value.replaceAll('*', '.*').replaceAll('?', '.')}$`).test(text);
  };

  it('returns exactly the mappings that match individually, in order, each once', () => {
    fc.assert(
      fc.property(mappings, events, (all, event) => {
        const expected = all
          .filter(({ effective_from }) => NOON >= Date.parse(effective_from))
          .filter((mapping) =>
            mapping.conditions.every((one) => read(event, one.field).some((text) => accepts(one, text))),
          )
          .map(({ id, position }) => ({ id, position }))
          .sort((one, next) => one.position - next.position || (one.id < next.id ? -1 : 1));

        expect(idsOf(match(all, event))).toEqual(expected.map(({ id }) => id));
      }),
      { numRuns: 1_000 },
    );
  });
});
