import { randomBytes } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  sealChallenge,
  sealSecrets,
  unsealChallenge,
  unsealSecrets,
} from '../../../../functions/delivery/webhooks/endpoints/seal.ts';

const KEY = new Uint8Array(32).fill(1);
const SECRETS = {
  current: 'whsec_new',
  previous: { secret: 'whsec_old', valid_until: '2026-05-21T12:00:00.000Z' },
};
const sealed = (id = 'whe_1', key = KEY) => ({
  id,
  sealed_secrets: sealSecrets(SECRETS, id, key, randomBytes),
  sealed_challenge: sealChallenge('the challenge', id, key, randomBytes),
});

describe('sealed secrets and challenges', () => {
  it('decrypt to the original values', () => {
    const endpoint = sealed();

    expect(unsealSecrets(endpoint, KEY)).toEqual(SECRETS);
    expect(unsealChallenge(endpoint, KEY)).toBe('the challenge');
    expect(unsealChallenge({ ...endpoint, sealed_challenge: null }, KEY)).toBeNull();
  });

  it('differ each time they are sealed', () => {
    expect(sealed().sealed_secrets).not.toBe(sealed().sealed_secrets);
  });

  it('do not decrypt for another endpoint, with another key, or as another field', () => {
    const endpoint = sealed();
    const { sealed_secrets, sealed_challenge } = endpoint;

    expect(() => unsealSecrets({ ...endpoint, id: 'whe_2' }, KEY)).toThrow();
    expect(() => unsealSecrets(endpoint, new Uint8Array(32).fill(2))).toThrow();
    expect(() => unsealSecrets({ ...endpoint, sealed_secrets: sealed_challenge }, KEY)).toThrow();
    expect(() => unsealChallenge({ ...endpoint, sealed_challenge: sealed_secrets }, KEY)).toThrow();
  });

  it('do not decrypt after any bit is altered', () => {
    const endpoint = sealed();
    const bytes = Buffer.from(endpoint.sealed_secrets, 'base64');

    fc.assert(
      fc.property(fc.nat(bytes.length * 8 - 1), (bit) => {
        const altered = Buffer.from(bytes);
        altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        expect(() =>
          unsealSecrets({ ...endpoint, sealed_secrets: altered.toString('base64') }, KEY),
        ).toThrow();
      }),
    );
  });
});
