import { someEvent } from '../support/client.ts';

export const padToBytes = (text: string, bytes: number): string =>
  text + ' '.repeat(bytes - Buffer.byteLength(text));

const nested = (depth: number): string => `${'{"a":['.repeat(depth / 2)}1${']}'.repeat(depth / 2)}`;
/** The JSON text of an event with a raw member appended. */
export const eventWith = (member: string): string =>
  JSON.stringify(someEvent()).replace(/\}$/, `,${member}}`);
const BAD_UTF8 = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')]);
const months = (count: number): string => {
  const date = new Date();
  date.setUTCMonth(date.getUTCMonth() + count);
  return date.toISOString();
};

/** Bodies that the strict JSON parser rejects. */
export const malformedBodies: readonly [string, string | Uint8Array][] = [
  ['that is empty', ''],
  ['of spaces', '   '],
  ['that is truncated', JSON.stringify(someEvent()).slice(0, -1)],
  ['with trailing data', `${JSON.stringify(someEvent())}{}`],
  ['with a comment', eventWith('/* a */"a":1')],
  ['with single quotes', "{'a':1}"],
  ['with a trailing comma', '{"a":1,}'],
  ['with NaN', eventWith('"latency_ms":NaN')],
  ['that is not UTF-8', BAD_UTF8],
  ['in UTF-16', Buffer.from(JSON.stringify(someEvent()), 'utf16le')],
  ['with NUL bytes', eventWith('"a":"\u0000"')],
  ['of depth 33', eventWith(`"a":${nested(32)}`)],
  ['of depth 100,000', '['.repeat(100_000) + ']'.repeat(100_000)],
  ['of 200,000 open brackets', '['.repeat(200_000)],
  ['with __proto__', eventWith('"__proto__":{"tenant_id":"globex"}')],
  ['with an escaped __proto__', eventWith('"\\u005f_proto_\\u005F":{"a":1}')],
  ['with constructor', eventWith('"a":{"constructor":{"prototype":{"a":1}}}')],
  ['with an escaped prototype', eventWith('"a":[{"\\u0070rototype":1}]')],
  ['with a duplicate member', eventWith('"provider":"other"')],
  ['with a duplicate escaped member', eventWith('"\\u0070rovider":"other"')],
];

/** Members that make an event invalid. The first member of each entry is the reported one. */
export const invalidMembers: readonly [string, Record<string, unknown>][] = [
  ['an id that is not a UUID', { event_id: 'x'.repeat(36) }],
  ['an object for a name', { provider: { name: 'openai' } }],
  ['null for a name', { requested_model: null }],
  ['an empty name', { provider: '' }],
  ['a name of 200,000 characters', { requested_model: 'x'.repeat(200_000) }],
  ['NUL in a name', { provider: 'open\u0000ai' }],
  ['a time that is not a timestamp', { ingestion_timestamp: 'yesterday' }],
  ['the 30th of February', { ingestion_timestamp: '2026-02-30T00:00:00Z' }],
  ['a time as a number', { ingestion_timestamp: 1_773_576_000 }],
  ['a time 14 months back', { ingestion_timestamp: months(-14) }],
];

export const badFilters = [
  'colour=red',
  'occurred_at[like]=2026',
  'occurred_at[gt]=yesterday',
  'occurred_at[gt]=',
  'occurred_at=2026-01-01T00:00:00Z&occurred_at=2026-01-02T00:00:00Z',
  'occurred_at[gt][lt]=2026-01-01T00:00:00Z',
  'sort=price',
  'sort=-',
  'sort=',
  'sort=occurred_at,-occurred_at',
  'constructor[prototype]=1',
  '%00=1',
];

/** Header lines with a valid key in an invalid form. */
export const badCredentials: readonly [string, (key: string) => [string, string][]][] = [
  [
    'two kinds of credentials',
    (key) => [
      ['X-API-Key', key],
      ['Authorization', `Bearer ${key}`],
    ],
  ],
  [
    'a valid key and an empty Authorization header',
    (key) => [
      ['X-API-Key', key],
      ['Authorization', ''],
    ],
  ],
  [
    'the same key twice',
    (key) => [
      ['X-API-Key', key],
      ['x-api-key', key],
    ],
  ],
  [
    'two bearers',
    (key) => [
      ['Authorization', `Bearer ${key}`],
      ['authorization', `Bearer ${key}`],
    ],
  ],
  ['an empty bearer', () => [['Authorization', 'Bearer ']]],
  ['an empty key', () => [['X-API-Key', '']]],
  ['a bearer without its scheme', (key) => [['Authorization', key]]],
  ['the Basic scheme', (key) => [['Authorization', `Basic ${Buffer.from(key).toString('base64')}`]]],
  ['a key of 8,000 characters', () => [['X-API-Key', `ask_test_${'a'.repeat(8_000)}`]]],
  ['a non-ASCII key', (key) => [['X-API-Key', `${key}é`]]],
];
