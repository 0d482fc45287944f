import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  fingerprintOf,
  idempotencyRecordKey,
  parseIdempotencyKey,
} from '../../../functions/platform/idempotency/requestIdentity.ts';

const visible = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
  minLength: 1,
  maxLength: 255,
});

describe('parseIdempotencyKey', () => {
  it('returns the same key with and without quotes', () => {
    fc.assert(
      fc.property(
        visible.filter((key) => !/[",\\]/.test(key)),
        (key) => {
          expect(parseIdempotencyKey(key)).toBe(key);
          expect(parseIdempotencyKey(`"${key}"`)).toBe(key);
        },
      ),
    );
  });

  it.each([
    ['missing', undefined],
    ['empty', ''],
    ['empty in its quotes', '""'],
    ['of 256 characters', 'k'.repeat(256)],
    ['of 256 characters in quotes', `"${'k'.repeat(256)}"`],
    ['with a space', 'a b'],
    ['sent twice', 'a, b'],
    ['sent twice and joined without a space', 'a,b'],
    ['sent twice in quotes', '"a","b"'],
    ['with a quote that does not end', '"a'],
    ['with a control character', 'a\u0000b'],
    ['with a line break', 'a\n'],
    ['beyond ASCII', 'schlüssel'],
  ])('returns null for %s', (_, header) => {
    expect(parseIdempotencyKey(header)).toBeNull();
  });

  it('returns null for any two keys that a gateway joined', () => {
    const key = visible.filter((text) => parseIdempotencyKey(text) !== null);
    const sent = fc.oneof(
      key,
      visible.map((text) => `"${text}"`).filter((text) => parseIdempotencyKey(text) !== null),
    );

    fc.assert(
      fc.property(sent, sent, fc.constantFrom(',', ', '), (one, other, separator) => {
        expect(parseIdempotencyKey(one + separator + other)).toBeNull();
      }),
    );
  });

  it('accepts a comma in quotes', () => {
    expect(parseIdempotencyKey('"a,b"')).toBe('a,b');
  });

  it('accepts 255 characters, also in quotes', () => {
    const key = 'k'.repeat(255);

    expect([parseIdempotencyKey(key), parseIdempotencyKey(`"${key}"`)]).toEqual([key, key]);
  });
});

describe('idempotencyRecordKey', () => {
  it('differs for every tenant, route, key and credential, also when their concatenation is equal', () => {
    const parts = fc
      .tuple(fc.string(), fc.string(), fc.string(), fc.array(fc.string(), { maxLength: 1 }))
      .map(([tenant, route, key, credential]) => [tenant, route, key, ...credential] as const);

    fc.assert(
      fc.property(parts, parts, (one, other) => {
        const same = JSON.stringify(one) === JSON.stringify(other);

        expect(idempotencyRecordKey(...one) === idempotencyRecordKey(...other)).toBe(same);
      }),
    );
    expect(idempotencyRecordKey('ab', 'c', 'd')).not.toBe(idempotencyRecordKey('a', 'bc', 'd'));
  });

  it('does not reveal the key', () => {
    expect(idempotencyRecordKey('acme', 'POST /x', 'order-4711')).not.toContain('4711');
  });
});

describe('fingerprintOf', () => {
  const request = {
    path: '/api/v1/invocations',
    query: 'a=1',
    body: Buffer.from('{"a":1}'),
  };

  it('is the same for the same request', () => {
    expect(fingerprintOf({ ...request, body: Buffer.from('{"a":1}') })).toBe(fingerprintOf(request));
  });

  it.each([
    { path: '/api/v1/invocations/batch' },
    { query: '' },
    { body: Buffer.from('{"a": 1}') },
    { body: new Uint8Array() },
    // The same bytes, split differently.
    { path: '/api/v1/invocationsa=1', query: '' },
  ])('differs with %o', (changed) => {
    expect(fingerprintOf({ ...request, ...changed })).not.toBe(fingerprintOf(request));
  });
});
