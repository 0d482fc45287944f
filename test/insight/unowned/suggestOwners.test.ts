import { describe, expect, it } from 'vitest';
import { attribute } from '../../../functions/attribution/engine/attribute.ts';
import type { Infer } from '../../../functions/attribution/engine/inference.ts';
import { compileMappings } from '../../../functions/attribution/mappings/mappingRules.ts';
import {
  confirmedByValue,
  keyOfValue,
  openCallsIn,
  toOpenCall,
} from '../../../functions/insight/unowned/openCalls.ts';
import { containsOwnerName } from '../../../functions/insight/unowned/ownerName.ts';
import { unownedGroups } from '../../../functions/insight/unowned/unownedGroups.ts';
import type { IdentityMapping } from '../../../schemas/attribution/identityMapping.ts';
import type { InvocationEvent } from '../../../schemas/ingest/invocationEvent.ts';
import { anEvent, aTenant, noFactors } from '../../attribution/engine/events.ts';

const ARRIVED = {
  occurredAt: Date.parse('2026-03-01'),
  receivedAt: Date.parse('2026-03-01'),
  residency: null,
};

const callOf = (members: Partial<InvocationEvent>, infer?: Infer) =>
  toOpenCall(
    attribute(anEvent(members), ARRIVED, aTenant(), noFactors, infer === undefined ? {} : { infer }),
  );

interface Given {
  readonly mappings?: readonly IdentityMapping[];
  readonly owners?: readonly string[];
}

/** The groups of these calls. Those with an identity have a confirmed owner. */
const groupsOf = (
  calls: readonly ReturnType<typeof callOf>[],
  { mappings = [], owners = [] }: Given = {},
) => {
  const confirmed = confirmedByValue(calls);
  return unownedGroups(openCallsIn(calls), {
    mappings: compileMappings(mappings),
    owners,
    confirmedWith: (value) => confirmed.get(keyOfValue(value)) ?? new Map(),
  });
};

const mapping: IdentityMapping = {
  id: 'map_1',
  name: 'Search namespace',
  position: 10,
  conditions: [{ field: 'k8s_namespace', operator: 'exact', value: 'search' }],
  owner: 'team-search',
  effective_from: '2027-01-01T00:00:00.000Z',
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
  created_by: 'key_1',
};

describe('the condition of a group', () => {
  it.each<[string, Partial<InvocationEvent>, string[]]>([
    ['the service', { attributed_service: 'bot', k8s_workload: 'w' }, ['service=bot']],
    [
      'the SPIFFE id',
      { spiffe_id: 'spiffe://a/ns/b/sa/c', k8s_workload: 'w' },
      ['spiffe_id=spiffe://a/ns/b/sa/c'],
    ],
    [
      'the workload in its namespace',
      { k8s_workload: 'w', k8s_namespace: 'n' },
      ['k8s_workload=w', 'k8s_namespace=n'],
    ],
    [
      'a tag of an owner, before the key',
      { tags: ['app:x', 'team:search'], api_key_name: 'k' },
      ['tag=team:search'],
    ],
    ['the key, before any other tag', { tags: ['app:x'], api_key_name: 'k' }, ['api_key_name=k']],
    ['a tag that names a part of the product', { tags: ['env:prod', 'app:x'] }, ['tag=app:x']],
    ['nothing, of calls that say nothing', { tags: ['env:prod'] }, []],
  ])('is %s', (_, members, expected) => {
    const [group] = groupsOf([callOf(members)]);

    expect(group?.conditions.map(({ field, value }) => `${field}=${value}`)).toEqual(expected);
  });
});

describe('a suggestion', () => {
  it('comes from a mapping that begins later', () => {
    const [group] = groupsOf([callOf({ k8s_namespace: 'search' })], { mappings: [mapping] });

    expect(group?.suggestions).toMatchObject([
      { owner: 'team-search', basis: 'mapping', calls: 1, of: 1, mapping: { id: 'map_1' }, confidence: null },
    ]);
  });

  it.each<[string, Partial<InvocationEvent>, string]>([
    ['workload', { k8s_workload: 'ranker' }, 'workload'],
    ['key', { api_key_name: 'prod-1' }, 'key_name'],
    ['tag', { tags: ['app:ranker'] }, 'tag'],
    ['service', { attributed_service: 'ranker' }, 'service'],
  ])('comes from confirmed calls with the same %s, if most of them have one owner', (_, shared, basis) => {
    const owned = (owner: string) => callOf({ ...shared, attributed_identity: owner });
    const [of, mixed] = [
      groupsOf([callOf(shared), owned('ads'), owned('ads'), owned('search')]),
      groupsOf([callOf(shared), owned('ads'), owned('search')]),
    ].map((groups) => groups[0]?.suggestions.filter((one) => one.basis === basis));

    expect(of).toMatchObject([{ owner: 'ads', calls: 2, of: 3, confidence: null }]);
    expect(mixed).toEqual([]);
  });

  it('comes from the key that named an owner with too little confidence', () => {
    const [group] = groupsOf([callOf({ api_key_name: 'notebooks' })]);

    expect(group?.suggestions).toMatchObject([{ owner: 'notebooks', basis: 'rules' }]);
  });

  it('comes from the name of a known owner, and from a tag that names one', () => {
    const [known] = groupsOf([callOf({ attributed_service: 'search-api' })], { owners: ['team-search'] });
    const [unknown] = groupsOf([callOf({ tags: ['team:maps'] })], { owners: ['team-search'] });

    expect(known?.suggestions).toMatchObject([
      { owner: 'team-search', basis: 'name', field: 'service', value: 'search-api' },
    ]);
    expect(unknown?.suggestions).toMatchObject([{ owner: 'maps', basis: 'name', field: 'tag' }]);
  });

  it.each([
    [false, 0.9],
    [true, null],
  ])('of a model has a confidence only where it is calibrated (advisory: %s)', (advisory, confidence) => {
    const prediction = {
      owner: 'ads',
      service: 'other',
      confidence: 0.9,
      advisory,
      basis: 'model_inferred' as const,
      model_version: 'mdl_1',
      novel: false,
      alternatives: [],
    };
    const infer: Infer = () => ({ degradation: 'none', prediction });
    const [group] = groupsOf([callOf({ attributed_service: 'bot' }, infer)]);

    expect(group?.suggestions).toMatchObject([{ owner: 'ads', basis: 'model', confidence }]);
  });

  it('is never the person who uses a feature', () => {
    const calls = [callOf({ attributed_service: 'bot', end_user: 'ann@example.org' })];

    expect(groupsOf(calls, { owners: ['team-search'] })[0]?.suggestions).toEqual([]);
  });
});

it('leaves out confirmed calls and repeats of a call', () => {
  const counted = callOf({ attributed_service: 'bot' });
  const { interpretation } = counted.record;
  const same_call = { state: 'repeat' as const, basis: 'call_id' as const, confidence: 1, records: [] };
  const repeat = {
    ...counted,
    record: { ...counted.record, interpretation: { ...interpretation, same_call } },
  };

  expect(openCallsIn([counted, repeat, callOf({ attributed_identity: 'ads' })])).toEqual([counted]);
});

it.each([
  ['search-prod-key', 'team-search', true],
  ['SEARCH_API', 'search', true],
  ['research', 'team-search', false],
  ['team-1', 'team', false],
  ['eu-prod', 'team-eu', false],
  ['data-platform-key', 'data-platform', true],
  ['data-key', 'data-platform', false],
])('%s contains the name of %s: %s', (value, owner, expected) => {
  expect(containsOwnerName(value, owner)).toBe(expected);
});
