import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { challengeOf, isPkceText, verifies } from '../../../functions/identity/oauth/pkce.ts';

/** The example of RFC 7636, appendix B. */
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

const UNRESERVED = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~'];
const verifier = fc.string({ unit: fc.constantFrom(...UNRESERVED), minLength: 43, maxLength: 128 });

describe('a PKCE verifier', () => {
  it('has the challenge of the example in RFC 7636', () => {
    expect(challengeOf(VERIFIER)).toBe(CHALLENGE);
    expect(verifies(VERIFIER, CHALLENGE)).toBe(true);
  });

  it('of any allowed form matches its challenge', () => {
    fc.assert(
      fc.property(verifier, (text) => {
        expect(isPkceText(text)).toBe(true);
        expect(isPkceText(challengeOf(text))).toBe(true);
        expect(verifies(text, challengeOf(text))).toBe(true);
      }),
    );
  });

  it('does not match the challenge of another one', () => {
    fc.assert(
      fc.property(verifier, verifier, (one, other) => {
        expect(verifies(one, challengeOf(other))).toBe(one === other);
      }),
    );
  });

  it('does not match itself: the method plain is not supported', () => {
    fc.assert(
      fc.property(verifier, (text) => {
        expect(verifies(text, text)).toBe(false);
      }),
    );
  });

  it.each([
    ['empty', ''],
    ['short', 'a'.repeat(42)],
    ['long', 'a'.repeat(129)],
    ['padded', `${'a'.repeat(43)}=`],
    ['with a plus', `${'a'.repeat(43)}+`],
    ['with a slash', `${'a'.repeat(43)}/`],
    ['with a space', `${'a'.repeat(43)} `],
    ['with a line break', `${'a'.repeat(43)}\n`],
    ['beyond ASCII', `${'a'.repeat(43)}ä`],
  ])('that is %s is rejected, even with its own challenge', (_, text) => {
    expect(isPkceText(text)).toBe(false);
    expect(verifies(text, challengeOf(text))).toBe(false);
  });

  it.each(['', CHALLENGE.slice(1), `${CHALLENGE}a`, `${CHALLENGE}=`, CHALLENGE.toLowerCase()])(
    'does not fit the challenge %j',
    (challenge) => {
      expect(verifies(VERIFIER, challenge)).toBe(false);
    },
  );
});
