import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { authorizationError } from '../../../functions/oauth/signIn/authorizationError.ts';
import { authorizationResponseUri, redirect } from '../../../functions/oauth/signIn/redirect.ts';
import { isRedirectUri } from '../../../schemas/access/oauthClient.ts';

const ISSUER = 'https://api.example.com';

it('an answer is the redirect URI to the character, and what it adds reads back as it was', () => {
  const redirectUri = fc.webUrl({ withQueryParameters: true }).filter(isRedirectUri);
  const state = fc.option(fc.string({ unit: 'grapheme' }));

  fc.assert(
    fc.property(redirectUri, state, fc.string(), (address, given, code) => {
      const uri = authorizationResponseUri({ redirectUri: address, state: given }, ISSUER, { code });
      const added = new URLSearchParams(uri.slice(address.length + 1));

      expect(uri.startsWith(address)).toBe(true);
      expect(uri.charAt(address.length)).toBe(address.includes('?') ? '&' : '?');
      expect([...added.keys()]).toEqual(given === null ? ['code', 'iss'] : ['code', 'state', 'iss']);
      expect([added.get('code'), added.get('state'), added.get('iss')]).toEqual([code, given, ISSUER]);
    }),
  );
});

it('a fault is answered with its name and words, and nothing of what lies behind it', () => {
  const refused = {
    ...authorizationError('access_denied', 'Nobody.'),
    refusal: 'INVALID_CREDENTIALS' as const,
  };

  const uri = authorizationResponseUri({ redirectUri: 'https://a.example/', state: null }, ISSUER, refused);

  expect(Object.fromEntries(new URL(uri).searchParams)).toEqual({
    error: 'access_denied',
    error_description: 'Nobody.',
    iss: ISSUER,
  });
});

it('a redirect tells the address it leaves to nobody', () => {
  expect(redirect('https://a.example/', 'a=b')).toEqual({
    status: 302,
    headers: { location: 'https://a.example/', 'referrer-policy': 'no-referrer' },
    body: undefined,
    cookies: ['a=b'],
  });
});
