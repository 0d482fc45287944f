import { timingSafeEqual } from 'node:crypto';
import * as fc from 'fast-check';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  base62,
  hashSecret,
  newSecret,
  rotateSecrets,
  SECRET_LENGTH,
  Secrets,
  secretMatches,
} from '../../../../functions/identity/access/principals/secret.ts';
import { NOW, sequentialRandom } from '../../oauth/issuedCredentials.ts';

// The real comparison, with its calls counted.
vi.mock(import('node:crypto'), async (importOriginal) => {
  const original = await importOriginal();
  return { ...original, timingSafeEqual: vi.fn(original.timingSafeEqual) };
});
const comparisons = vi.mocked(timingSafeEqual);
beforeEach(() => {
  comparisons.mockClear();
});

const random = sequentialRandom();
const unrotated = (secret: string): Secrets => ({ current: hashSecret(secret, random), previous: null });
/** Secrets with `next` as current and `old` valid for another `overlap` milliseconds. */
const rotated = (old: string, next: string, overlap: number): Secrets =>
  rotateSecrets(unrotated(old), hashSecret(next, random), { at: NOW, overlap });

describe('newSecret', () => {
  it('encodes 256 bits in 43 characters without collisions', () => {
    const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 });

    fc.assert(
      fc.property(bytes, bytes, (one, other) => {
        const [first, second] = [one, other].map((bits) => newSecret(() => bits));

        expect(first).toMatch(/^[0-9A-Za-z]{43}$/);
        expect(first === second).toBe(Buffer.from(one).equals(other));
      }),
    );
  });

  it('requests 32 random bytes', () => {
    const requestedLengths: number[] = [];

    newSecret((length) => {
      requestedLengths.push(length);
      return new Uint8Array(length).fill(255);
    });

    expect(requestedLengths).toEqual([32]);
  });

  it('pads small numbers with zeros', () => {
    expect([base62(0n, 3), base62(61n, 3), base62(62n, 3), base62(0n, SECRET_LENGTH).length]).toEqual([
      '000',
      '00z',
      '010',
      SECRET_LENGTH,
    ]);
  });
});

describe('hashSecret and rotateSecrets', () => {
  it('use a new salt each time, so equal secrets have different hashes', () => {
    const [one, other] = [hashSecret('same', random), hashSecret('same', random)];

    expect(one.salt).not.toBe(other.salt);
    expect(one.hash).not.toBe(other.hash);
  });

  it('store the end of the overlap with the previous secret', () => {
    const stored = rotated('old', 'own', 1);
    const { current } = stored;

    expect(Secrets.safeParse({ current, previous: current }).success).toBe(false);
    expect(Secrets.parse(stored)).toEqual(stored);
  });

  it('do not store the secret itself', () => {
    const secret = newSecret(random);

    expect(JSON.stringify(rotated(secret, 'next', 1_000))).not.toContain(secret);
  });
});

describe('secretMatches', () => {
  const secret = fc.string({ minLength: 1 });
  const distinct = fc.uniqueArray(secret, { minLength: 3, maxLength: 3 });

  it('accepts the current secret only', () => {
    fc.assert(
      fc.property(distinct, ([own = '', guess = '']) => {
        const stored = unrotated(own);

        expect(secretMatches(stored, own, NOW)).toBe(true);
        expect(secretMatches(stored, guess, NOW)).toBe(false);
        expect(secretMatches(null, own, NOW)).toBe(false);
      }),
    );
  });

  it('accepts the new secret always, the old one until the overlap ends, and no third one', () => {
    const overlap = fc.integer({ min: 0, max: 86_400_000 });
    const later = fc.integer({ min: 0, max: 2 * 86_400_000 });

    fc.assert(
      fc.property(distinct, overlap, later, ([old = '', next = '', third = ''], overlap, later) => {
        const stored = rotated(old, next, overlap);

        expect(secretMatches(stored, next, NOW + later)).toBe(true);
        expect(secretMatches(stored, old, NOW + later)).toBe(later < overlap);
        expect(secretMatches(stored, third, NOW + later)).toBe(false);
      }),
    );
  });

  it.each([
    [1_000, 999, true],
    [1_000, 1_000, false],
    [0, 0, false],
  ])('with an overlap of %d ms, %d ms later, accepts the old secret: %s', (overlap, later, expected) => {
    expect(secretMatches(rotated('old', 'next', overlap), 'old', NOW + later)).toBe(expected);
  });

  it('accepts at most two secrets: a second rotation ends the oldest one', () => {
    const twice = rotateSecrets(rotated('first', 'second', 60_000), hashSecret('third', random), {
      at: NOW + 1,
      overlap: 60_000,
    });

    const matches = ['first', 'second', 'third'].map((secret) => secretMatches(twice, secret, NOW + 2));

    expect(matches).toEqual([false, true, true]);
  });

  it('rejects a secret that was replaced without an overlap', () => {
    expect(rotated('old', 'next', 0).previous).toBeNull();
  });
});

it.each<[string, Secrets | null, string]>([
  ['the right secret', unrotated('own'), 'own'],
  ['a wrong secret', unrotated('own'), 'guess'],
  ['the old secret during the overlap', rotated('old', 'own', 1_000), 'old'],
  ['the old secret after the overlap', rotated('old', 'own', 0), 'old'],
  ['a secret of another length', unrotated('own'), 'o'.repeat(10_000)],
  ['an absent credential', null, 'own'],
])('secretMatches compares twice, in constant time: %s', (_, stored, secret) => {
  secretMatches(stored, secret, NOW);

  expect(comparisons).toHaveBeenCalledTimes(2);
  expect(comparisons.mock.calls.flat().map((side) => Buffer.from(Object(side)).length)).toEqual([
    32, 32, 32, 32,
  ]);
});
