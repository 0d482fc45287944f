import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { auditChanges } from '../../../functions/identity/audit/auditChanges.ts';
import { AUDIT_CHANGES_MAXIMUM, AUDIT_VALUE_MAXIMUM, AuditChange } from '../../../schemas/identity/audit.ts';

const pointersOf = (before: unknown, after: unknown) =>
  auditChanges({ before, after }).changes.map(({ pointer }) => pointer);

const SECRET = 'c4n4ry-of-a-secret-value';

it.each([
  ['a member', { a: 1, b: 'x' }, { a: 2, b: 'x' }, [['/a', '1', '2']]],
  ['a nested member', { s: { a: '1', b: '2' } }, { s: { a: '1', b: '3' } }, [['/s/b', '2', '3']]],
  ['a member that was added', { a: '1' }, { a: '1', b: false }, [['/b', null, 'false']]],
  ['a member that was removed', { a: '1', b: 0 }, { a: '1' }, [['/b', '0', null]]],
  ['a list of values', { l: ['a'] }, { l: ['a', 'b'] }, [['/l', '["a"]', '["a","b"]']]],
  [
    'an item before others',
    [{ m: 'a', p: '1' }],
    [
      { m: 'new', p: '9' },
      { m: 'a', p: '1' },
    ],
    [
      ['/0/m', null, 'new'],
      ['/0/p', null, '9'],
    ],
  ],
  [
    'the price of an item',
    [
      { m: 'a', p: '2' },
      { m: 'b', p: '1' },
    ],
    [
      { m: 'a', p: '1' },
      { m: 'b', p: '1' },
    ],
    [['/0/p', '2', '1']],
  ],
  ['nothing', { a: [{ b: 1 }], updated_at: 'x' }, { a: [{ b: 1 }], updated_at: 'y' }, []],
  ['a name with a slash', { 'a/b': '1' }, { 'a/b': '2' }, [['/a~1b', '1', '2']]],
])('names %s', (_, before, after, expected) => {
  const { changes } = auditChanges({ before, after });

  expect(changes.map((change) => [change.pointer, change.before, change.after])).toEqual(expected);
});

it.each([
  'secrets',
  'sealed_url',
  'signing_secret',
  'credential',
  'password',
  'salt',
  'hash',
  'access_token',
])('shows that %s changed, and nothing of it', (name) => {
  const { changes } = auditChanges({ before: { [name]: { x: SECRET } }, after: { [name]: `${SECRET}2` } });

  expect(changes).toEqual([{ pointer: `/${name}`, before: '[redacted]', after: '[redacted]' }]);
});

it.each([
  ['the path of a URL', `https://hooks.example.com/services/${SECRET}`],
  ['the user of a URL', `https://${SECRET}@hooks.example.com`],
  ['a known secret', `sk-ant-api03-${'a'.repeat(95)}`],
  ['a prompt', `${SECRET} ${'word '.repeat(200)}`],
  ['a URL in a list', [`https://hooks.example.com/${SECRET}`]],
])('shows nothing of %s', (_, value) => {
  const [change] = auditChanges({ before: null, after: { member: value } }).changes;

  expect(change?.after).not.toContain(SECRET);
  expect(change?.after).toContain('[redacted]');
});

it('tells two URLs of one host apart', () => {
  const [change] = auditChanges({
    before: { url: 'https://hooks.example.com/a' },
    after: { url: 'https://hooks.example.com/b' },
  }).changes;

  expect(change?.before).not.toBe(change?.after);
});

it('is bounded, names no equal member, and counts what it leaves out, for any two documents', () => {
  const document = fc.dictionary(
    fc.string({ maxLength: 5 }),
    fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.string({ minLength: 300, maxLength: 600 })),
    { maxKeys: 60 },
  );
  fc.assert(
    fc.property(document, document, (before, after) => {
      const { changes, more_changes } = auditChanges({ before, after });

      expect(changes.length).toBeLessThanOrEqual(AUDIT_CHANGES_MAXIMUM);
      if (more_changes > 0) expect(changes).toHaveLength(AUDIT_CHANGES_MAXIMUM);
      for (const change of changes) {
        expect(AuditChange.parse(change)).toEqual(change);
        for (const value of [change.before, change.after])
          expect(value?.length ?? 0).toBeLessThanOrEqual(AUDIT_VALUE_MAXIMUM);
      }
      expect(pointersOf(after, after)).toEqual([]);
    }),
  );
});
