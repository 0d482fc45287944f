import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPkceText } from '../../../../functions/identity/oauth/pkce.ts';
import {
  deriveBinding,
  expiredCookie,
  findSignInSecret,
  signInCookie,
} from '../../../../functions/identity/oauth/signIn/browserBinding.ts';

const secretText = fc.stringMatching(/^[0-9A-Za-z]{43}$/);
/** The cookie a browser returns for a Set-Cookie header. */
const sent = (cookie: string): string => cookie.split(';')[0] ?? '';

describe('deriveBinding', () => {
  it('derives distinct values that do not reveal the secret', () => {
    fc.assert(
      fc.property(secretText, (secret) => {
        const ties = deriveBinding(secret);
        const texts = Object.values(ties);

        expect(deriveBinding(secret)).toEqual(ties);
        expect(new Set([...texts, secret]).size).toBe(4);
        expect(isPkceText(ties.codeVerifier)).toBe(true);
      }),
    );
  });
});

describe('the sign-in cookie', () => {
  const secret = 'a'.repeat(43);
  const name = `sign-in-${deriveBinding(secret).state.slice(0, 8)}`;

  it.each([
    [true, `__Host-${name}=${secret}; Path=/; Max-Age=600; HttpOnly; SameSite=Lax; Secure`],
    [false, `${name}=${secret}; Path=/; Max-Age=600; HttpOnly; SameSite=Lax`],
  ])('over https (%s) is limited to this host as far as the scheme allows', (isHttps, cookie) => {
    expect(signInCookie(secret, isHttps)).toBe(cookie);
  });

  it.each([true, false])('is deleted with the same name and attributes (https: %s)', (isHttps) => {
    const ended = signInCookie(secret, isHttps).replace(secret, '').replace('Max-Age=600', 'Max-Age=0');

    expect(expiredCookie(deriveBinding(secret).state, isHttps)).toBe(ended);
  });

  it('returns the secret of its own sign-in among several', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(secretText, { minLength: 1, maxLength: 5 }),
        fc.boolean(),
        (secrets, isHttps) => {
          const cookies = ['theme=dark', ...secrets.map((one) => sent(signInCookie(one, isHttps)))];

          for (const one of secrets)
            expect(findSignInSecret(cookies, deriveBinding(one).state, isHttps)).toBe(one);
          expect(findSignInSecret(cookies, deriveBinding('another').state, isHttps)).toBeNull();
        },
      ),
    );
  });

  it.each([
    ['no cookie', []],
    ['another secret under the name', [`__Host-${name}=another`]],
    ['the state under the name', [`__Host-${name}=${deriveBinding(secret).state}`]],
    ['the secret under a name without its prefix', [`${name}=${secret}`]],
    ['the secret under another name', [`__Host-other=${secret}`]],
  ])('is not found with %s', (_, cookies) => {
    expect(findSignInSecret(cookies, deriveBinding(secret).state, true)).toBeNull();
  });
});
