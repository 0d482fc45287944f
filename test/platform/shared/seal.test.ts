import { randomBytes } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seal, unseal } from '../../../functions/platform/shared/seal.ts';

const KEY = new Uint8Array(32).fill(1);

describe('seal', () => {
  it('returns a text that unseal opens with the same key and associated data', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, associatedData) => {
        expect(unseal(seal(text, associatedData, KEY, randomBytes), associatedData, KEY)).toBe(text);
      }),
    );
  });

  it('draws a nonce of 12 random bytes for each seal', () => {
    const requested: number[] = [];
    const random = (bytes: number) => {
      requested.push(bytes);
      return randomBytes(bytes);
    };

    const sealed = [seal('text', 'row', KEY, random), seal('text', 'row', KEY, random)];

    expect(requested).toEqual([12, 12]);
    expect(sealed[0]).not.toBe(sealed[1]);
  });

  it('does not open with another key or other associated data', () => {
    const sealed = seal('text', 'row', KEY, randomBytes);

    expect(() => unseal(sealed, 'row', new Uint8Array(32).fill(2))).toThrow();
    expect(() => unseal(sealed, 'other row', KEY)).toThrow();
  });

  it('does not open when it is shortened, even if the tag still matches in part', () => {
    const sealed = Buffer.from(seal('text', 'row', KEY, randomBytes), 'base64');

    for (let length = 0; length < sealed.length; length += 1) {
      expect(() => unseal(sealed.subarray(0, length).toString('base64'), 'row', KEY)).toThrow();
    }
  });
});
