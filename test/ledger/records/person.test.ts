import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attribute } from '../../../functions/attribution/engine/attribute.ts';
import { compileMappings } from '../../../functions/attribution/mappings/mappingRules.ts';
import { hashOfPerson, isAddress, personKey, personOf } from '../../../functions/ledger/records/person.ts';
import type { IdentityMapping } from '../../../schemas/attribution/identityMapping.ts';
import { anEvent, noFactors } from '../../attribution/engine/events.ts';
import { aMapping, condition } from '../../attribution/mappings/mappings.ts';

describe('personKey', () => {
  it.each([
    ['ann', ['ANN', ' Ann ', 'a\u200Bnn', 'ａｎｎ', 'a\u00ADnn', '\u2066ann\u2069', '@ann', 'user:ann']],
    [
      'ann',
      ['ann@acme.example', 'Ann+llm@Acme.Example', 'mailto:ann@acme.example', 'Ann Lee <ann@acme.example>'],
    ],
    ['ann', ['user/ann', 'ACME\\ann', 'arn:aws:iam::123456789012:user/ann', 'https://idp.example/users/ann']],
    ['ann', ['arn:aws:sts::123456789012:assumed-role/engineer/ann@acme.example']],
    [
      'ann',
      ['auth0|ann', 'google-oauth2|ann@acme.example', 'okta:ann', 'urn:user:ann', 'serviceAccount:ann@x'],
    ],
    [
      'ann',
      ['CN=Ann,OU=eng,DC=acme', 'uid=ann,ou=people', 'ann%40acme.example', '"ann"', '(ann)', 'ann;', 'ann/'],
    ],
    [
      'ann',
      [
        'ann_acme.example#EXT#@corp.example',
        'ann#EXT#@corp.example',
        'ann\u2800',
        'ann\uFFF9',
        'ann\u{13430}',
      ],
    ],
    [
      'ann',
      [
        'user:ann@acme.example:session-1',
        'user:ann@acme.example:session-2',
        'ann@acme.example|device-7',
        'xmpp:ann@acme.example/phone',
        'ann (ann@acme.example)',
        'ann@acme.example, Ann Lee',
      ],
    ],
    [
      'ann',
      ['Ann (contractor)', 'ann [bot]', '“ann”', '«Ann»', '‘ann’', 'https://idp.example/users/ann?v=2'],
    ],
    ['ann', ['CN = Ann, OU=eng', 'OU=eng,CN=Ann', 'ou=people,uid=ann', 'ann%2Bllm%40acme.example']],
    ['ann-lee', ['ann\u2011lee', 'ann\u2013lee', 'Ann\uFF0DLee@acme.example']],
    ["o'neil", ['O\u2019Neil', 'o\u02BCneil', 'O\uFF07Neil@acme.example']],
    ['josé', ['jos%C3%A9', 'jos%c3%a9%40acme.example']],
    ['josé', ['jose\u0301', 'JOSÉ', 'José\u200B', 'Ｊosé', 'jose\u0301@acme.example']],
    ['maria.lopez', ['Maria.Lopez@acme.example', 'maria.lopez ', 'MARIA.LOPEZ']],
    ['strasse', ['Straße', 'STRASSE', 'straße']],
    ['ann lee', ['Ann\u00A0Lee', 'ann  lee', 'Ann\u3000Lee']],
    ['@acme/platform', ['@Acme/platform', '@acme/Platform']],
  ])('counts %s as one person for %j', (key, spellings) => {
    for (const spelling of spellings) expect(personKey(spelling), spelling).toBe(key);
  });

  it('tells names apart that read differently', () => {
    const names = ['ann', 'anna', 'jose', 'josé', 'ann.lee', '@acme/search', '@acme/ads', 'user-1', 'user-2'];

    expect(new Set(names.map(personKey)).size).toBe(names.length);
  });

  it('has a key for any name, which is the key of itself in another case or form', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }), (name) => {
        expect(personKey(name.normalize('NFD'))).toBe(personKey(name));
        expect(personKey(` ${name.toUpperCase()}`)).toBe(personKey(name));
      }),
    );
  });
});

it.each([
  ['ann@acme.example', true],
  ['@ann', true],
  ['@acme/ml-platform', false],
  ['@acme/ann@acme.example', true],
  ['team-search', false],
])('takes %s for an address: %s', (label, expected) => {
  expect(isAddress(label)).toBe(expected);
});

describe('personOf', () => {
  const AT = Date.parse('2026-07-15T12:00:00Z');
  const personIn = (event: Record<string, unknown>, mappings: readonly IdentityMapping[] = []) =>
    personOf(
      attribute(
        anEvent(event),
        { occurredAt: AT, receivedAt: AT, residency: null },
        { tenant_id: 'acme', tag: 'abcdefgh' },
        noFactors,
        { mappings: compileMappings(mappings) },
      ),
    );
  const key = { api_key_name: 'erin-laptop' };
  const mapping = (members: Partial<IdentityMapping>) =>
    aMapping(1, {
      conditions: [condition('api_key_name', 'erin-laptop')],

      ...members,
    });

  it('is the person whom the call names, whatever else it holds', () => {
    expect(personIn({ ...key, attributed_identity: 'Ann@acme.example' })).toBe(hashOfPerson('acme', 'ann'));
  });

  it('is the end user of a call that a team pays for, and the person who pays for end users of a call', () => {
    const forCustomer = { ...key, attributed_identity: 'team-support', end_user: 'customer-1' };

    expect(personIn(forCustomer)).toBe(hashOfPerson('acme', 'customer-1'));
    expect(personIn({ ...forCustomer, attributed_identity: undefined })).toBe(personIn(forCustomer));
    expect(personIn({ ...forCustomer, attributed_identity: 'ann@acme.example' })).toBe(
      hashOfPerson('acme', 'ann'),
    );
  });

  it('is an unknown person for an owner that is also the service', () => {
    const team = { attributed_identity: 'search', attributed_service: 'search' };

    expect(personIn({ ...key, ...team })).toBe(personIn(key));
    expect(personIn(team)).not.toBeNull();
    expect(personIn(team)).not.toBe(hashOfPerson('acme', 'search'));
  });

  it('is one unknown person for each key, and for each workload without a key', () => {
    const callers = [
      key,
      { api_key_name: 'frank' },
      { k8s_namespace: 'grace-dev', k8s_workload: 'notebook' },
      { k8s_namespace: 'heidi-dev', k8s_workload: 'notebook' },
      { spiffe_id: 'spiffe://prod.example.org/ns/grace/sa/notebook' },
    ];

    const persons = callers.map((caller) => personIn(caller));

    expect(new Set(persons).size).toBe(callers.length);
    expect(persons).not.toContain(null);
    expect(persons).not.toContain(hashOfPerson('acme', 'frank'));
    expect(personIn({ ...key, k8s_workload: 'notebook', attributed_service: 'research' })).toBe(persons[0]);
    expect(personIn({ api_key_name: 'Erin-Laptop ' })).toBe(persons[0]);
  });

  it('is an unknown person behind a key that a mapping translates into an owner', () => {
    expect(personIn(key, [mapping({ owner: 'erin' })])).toBe(personIn(key));
    expect(personIn(key, [mapping({ owner: 'erin', service: 'research' })])).toBe(personIn(key));
  });

  it('is nobody for a key or a workload that a mapping declares a service', () => {
    const workload = { k8s_namespace: 'batch', k8s_workload: 'nightly' };
    const declared = aMapping(2, {
      conditions: [condition('k8s_workload', 'nightly')],

      service: 'nightly',
    });

    expect(personIn(key, [mapping({ service: 'nightly' })])).toBeNull();
    expect(personIn(workload, [declared])).toBeNull();
    expect(personIn({ ...workload, ...key }, [declared])).toBe(personIn(key));
    expect(personIn({ ...key, attributed_identity: 'erin' }, [mapping({ service: 'nightly' })])).toBe(
      hashOfPerson('acme', 'erin'),
    );
  });

  it('is nobody for a call that names neither a person nor a key nor a workload', () => {
    expect(personIn({ attributed_service: 'nightly', source_system: 'scheduler' })).toBeNull();
  });

  it('is the person, key or workload of the trace for a call that has none of its own', () => {
    const plain = attribute(
      anEvent(),
      { occurredAt: AT, receivedAt: AT, residency: null },
      { tenant_id: 'acme', tag: 'abcdefgh' },
      noFactors,
    );
    const within = (evidence: object, members: { end_user?: string } = {}) =>
      personOf({
        ...plain,
        storedEvent: {
          ...plain.storedEvent,
          trace: {
            source: { relation: 'ancestor', span_id: null, evidence },
            repeatsUsage: false,
            ...members,
          },
        },
      });

    expect(within({ attributed_identity: 'ann' })).toBe(hashOfPerson('acme', 'ann'));
    expect(within({ attributed_identity: 'team-support' }, { end_user: 'ann' })).toBe(
      hashOfPerson('acme', 'ann'),
    );
    expect(within(key)).toBe(personIn(key));
  });
});
