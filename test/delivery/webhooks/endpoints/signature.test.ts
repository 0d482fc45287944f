import { createHmac } from 'node:crypto';
import * as fc from 'fast-check';
import Stripe from 'stripe';
import { describe, expect, it } from 'vitest';
import {
  liveSecrets,
  newSigningSecret,
  ROTATION_OVERLAP,
  rotateSigningSecret,
  SigningSecrets,
  signatureOf,
} from '../../../../functions/delivery/webhooks/endpoints/signature.ts';
import { verifySignature } from '../../../../sdk/typescript/webhooks/verify.ts';

const NOW = Date.parse('2026-11-21T10:00:00.750Z');
const SECONDS = Math.floor(NOW / 1_000);
const [FIRST, SECOND] = ['whsec_first-0123456789abcdef', 'whsec_second-0123456789abcdef'];
const { signature: stripe } = new Stripe('sk_test_none').webhooks;

const bodies: [string, Buffer][] = [
  ['an empty body', Buffer.alloc(0)],
  ['a JSON body', Buffer.from('{"id":"evt_1","data":{}}')],
  ['a body with many scripts', Buffer.from('{"name":"Zoë 株式会社 🌱 \u2028"}')],
  ['a body of 256 KiB', Buffer.from(`{"data":"${'é'.repeat(128 * 1_024)}"}`)],
];

/** Whether Stripe's SDK, which uses the same header format, accepts the signature. */
const stripeAccepts = (body: Buffer, header: string, secret: string): boolean => {
  try {
    return stripe?.verifyHeader(body, header, secret, 300, undefined, NOW) ?? false;
  } catch {
    return false;
  }
};
const weAccept = (body: Buffer, signature: string, secrets: string): Promise<boolean> =>
  verifySignature({ body, signature }, { secrets, now: () => NOW }).then(
    () => true,
    () => false,
  );

describe('signatureOf', () => {
  it('returns the time and an HMAC-SHA256 over time, dot and body', () => {
    const body = Buffer.from('{"a":1}');

    const header = signatureOf(body, [FIRST], NOW);

    const expected = createHmac('sha256', FIRST).update(`${SECONDS}.{"a":1}`).digest('hex');
    expect(header).toBe(`t=${SECONDS},v1=${expected}`);
  });

  it.each(bodies)("is accepted by Stripe's SDK and by our SDK: %s", async (_, body) => {
    const header = signatureOf(body, [FIRST], NOW);

    expect(stripeAccepts(body, header, FIRST)).toBe(true);
    expect(await weAccept(body, header, FIRST)).toBe(true);
    expect(stripeAccepts(body, header, SECOND)).toBe(false);
    expect(await weAccept(body, header, SECOND)).toBe(false);
  });

  it.each(bodies)('verifies with either of two secrets: %s', async (_, body) => {
    const header = signatureOf(body, [SECOND, FIRST], NOW);

    expect(header.match(/v1=/g)).toHaveLength(2);
    for (const secret of [FIRST, SECOND]) {
      expect(stripeAccepts(body, header, secret)).toBe(true);
      expect(await weAccept(body, header, secret)).toBe(true);
    }
  });

  it('is valid only for the signed bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array(), fc.uint8Array(), async (body, other) => {
        const header = signatureOf(body, [FIRST], NOW);
        const same = Buffer.from(body).equals(other);

        expect(await weAccept(Buffer.from(other), header, FIRST)).toBe(same);
      }),
    );
  });
});

describe('signing secrets', () => {
  it('have a prefix and 256 random bits', () => {
    const lengths: number[] = [];

    const secret = newSigningSecret((length) => {
      lengths.push(length);
      return new Uint8Array(length).fill(255);
    });

    expect(secret).toMatch(/^whsec_[0-9A-Za-z]{43}$/);
    expect(lengths).toEqual([32]);
  });

  const unrotated: SigningSecrets = { current: FIRST, previous: null };

  it('consist of one secret before a rotation', () => {
    expect(liveSecrets(unrotated, NOW)).toEqual([FIRST]);
  });

  it('include the previous secret for a day after a rotation', () => {
    const rotated = rotateSigningSecret(unrotated, SECOND, { at: NOW });

    const live = [0, ROTATION_OVERLAP - 1, ROTATION_OVERLAP].map((later) =>
      liveSecrets(rotated, NOW + later),
    );

    expect(ROTATION_OVERLAP).toBe(86_400_000);
    expect(live).toEqual([[SECOND, FIRST], [SECOND, FIRST], [SECOND]]);
    expect(SigningSecrets.parse(rotated)).toEqual(rotated);
  });

  it('exclude the previous secret at once when the overlap is 0', () => {
    const rotated = rotateSigningSecret(unrotated, SECOND, { at: NOW, overlap: 0 });

    expect(liveSecrets(rotated, NOW)).toEqual([SECOND]);
  });

  it('are at most two after any number of rotations', () => {
    const rotations = fc.array(fc.integer({ min: 0, max: 2 * ROTATION_OVERLAP }), { minLength: 1 });

    fc.assert(
      fc.property(rotations, (pauses) => {
        let at = NOW;
        let secrets = unrotated;
        pauses.forEach((pause, index) => {
          at += pause;
          secrets = rotateSigningSecret(secrets, `whsec_${index}`, { at });
        });

        expect(liveSecrets(secrets, at)).toEqual([
          `whsec_${pauses.length - 1}`,
          pauses.length === 1 ? FIRST : `whsec_${pauses.length - 2}`,
        ]);
      }),
    );
  });
});
