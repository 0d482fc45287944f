import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type SealSecrets,
  sealResponse,
  unsealResponse,
} from '../../../functions/platform/idempotency/sealResponse.ts';

const NONCE_BYTES = 12;
const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const secrets: fc.Arbitrary<SealSecrets> = fc.record({
  stack: bytes(32),
  idempotencyKey: fc.string({ minLength: 1, maxLength: 255 }),
  reader: fc.string(),
});
const text = fc.string({ unit: 'grapheme' });
const row = fc.string();
const nonce = bytes(NONCE_BYTES);

const ROW = 'row';
const SECRETS: SealSecrets = { stack: new Uint8Array(32), idempotencyKey: 'a key', reader: 'key_1' };
const NONCE = new Uint8Array(NONCE_BYTES);

/** Seals with a given nonce. */
const seal = (text: string, row: string, secrets: SealSecrets, nonce: Uint8Array): string =>
  sealResponse(text, row, secrets, () => nonce);

describe('sealResponse', () => {
  it('opens with the row and secrets it was sealed with', () => {
    fc.assert(
      fc.property(text, row, secrets, nonce, (text, row, secrets, nonce) => {
        expect(unsealResponse(seal(text, row, secrets, nonce), row, secrets)).toBe(text);
      }),
    );
  });

  it('reveals neither the text nor the secrets', () => {
    const secretText = fc.stringMatching(/^[a-z0-9_]{12,40}$/);

    fc.assert(
      fc.property(secretText, secretText, secretText, nonce, (text, idempotencyKey, reader, nonce) => {
        const sealed = seal(text, ROW, { ...SECRETS, idempotencyKey, reader }, nonce);

        const shown = sealed + Buffer.from(sealed, 'base64').toString('latin1');
        for (const part of [text, idempotencyKey, reader]) expect(shown).not.toContain(part);
      }),
    );
  });

  it('does not open with another row or secret', () => {
    const change = fc.oneof(
      bytes(32).map((stack) => ({ stack })),
      fc.string().map((idempotencyKey) => ({ idempotencyKey })),
      fc.string().map((reader) => ({ reader })),
      fc.string().map((row) => ({ row })),
    );

    fc.assert(
      fc.property(text, row, secrets, nonce, change, (text, row, secrets, nonce, change) => {
        const other = { row, ...secrets, ...change };
        fc.pre(JSON.stringify(other) !== JSON.stringify({ row, ...secrets }));
        const sealed = seal(text, row, secrets, nonce);

        expect(() => unsealResponse(sealed, other.row, other)).toThrow();
      }),
    );
  });

  it('does not open when only the concatenation of key and reader is equal', () => {
    const sealed = seal('text', ROW, { ...SECRETS, idempotencyKey: 'ab', reader: 'c' }, NONCE);

    expect(() => unsealResponse(sealed, ROW, { ...SECRETS, idempotencyKey: 'a', reader: 'bc' })).toThrow();
    expect(() => unsealResponse(sealed, ROW, { ...SECRETS, idempotencyKey: '', reader: 'abc' })).toThrow();
  });

  it('does not open with any bit flipped', () => {
    const sealed = Buffer.from(seal('{"secret":"one"}', ROW, SECRETS, NONCE), 'base64');

    for (let bit = 0; bit < 8 * sealed.length; bit += 1) {
      const flipped = Buffer.from(sealed);
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(() => unsealResponse(flipped.toString('base64'), ROW, SECRETS), `bit ${bit}`).toThrow();
    }
  });

  it('does not open when it is shortened or extended', () => {
    const sealed = Buffer.from(seal('{"secret":"one"}', ROW, SECRETS, NONCE), 'base64');

    for (let length = 0; length < sealed.length; length += 1) {
      expect(() => unsealResponse(sealed.subarray(0, length).toString('base64'), ROW, SECRETS)).toThrow();
    }
    expect(() => unsealResponse(Buffer.concat([sealed, NONCE]).toString('base64'), ROW, SECRETS)).toThrow();
  });

  it('opens a seal of an earlier deployment: key derivation and format are stable', () => {
    const earlier = 'AAAAAAAAAAAAAAAAE1WwTf8d8jLTvRBDqhJD3bCROMB1NE+Jh77af4OHE33HsukWvQ==';

    expect(unsealResponse(earlier, ROW, SECRETS)).toBe('{"secret":"ключ"}');
    expect(seal('{"secret":"ключ"}', ROW, SECRETS, NONCE)).toBe(earlier);
  });

  it('differs for each nonce', () => {
    fc.assert(
      fc.property(text, nonce, nonce, (text, one, other) => {
        const [first, second] = [one, other].map((nonce) => seal(text, ROW, SECRETS, nonce));

        expect(first === second).toBe(Buffer.from(one).equals(other));
      }),
    );
  });
});
