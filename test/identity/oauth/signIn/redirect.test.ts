import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { authorizationError } from '../../../../functions/identity/oauth/signIn/authorizationError.ts';
import { authorizationResponseUri, redirect } from '../../../../functions/identity/oauth/signIn/redirect.ts';
import { isRedirectUri } from '../../../../schemas/identity/oauthClient.ts';

const ISSUER = 'https://api.example.com';

it('authorizationResponseUri keeps the redirect URI unchanged and appends decodable parameters', () => {
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

it('authorizationResponseUri returns error and description, without the cause', () => {
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

it('redirect sends no Referer', () => {
  expect(redirect('https://a.example/', 'a=b')).toEqual({
    status: 302,
    headers: { location: 'https://a.example/', 'referrer-policy': 'no-referrer' },
    body: undefined,
    cookies: ['a=b'],
  });
});
