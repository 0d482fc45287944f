import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OAuthClient } from '../../../../functions/identity/access/principals/client.ts';
import { challengeOf } from '../../../../functions/identity/oauth/pkce.ts';
import {
  readAuthorizationRequest,
  requireRedirectTarget,
  signedInSince,
} from '../../../../functions/identity/oauth/signIn/authorizationRequest.ts';
import { readParameters } from '../../../../functions/identity/oauth/signIn/parameters.ts';
import { errorOf } from '../oauthError.ts';

const NOW = Date.parse('2026-05-01T12:00:00Z');
const REDIRECT_URI = 'https://app.example.com/callback';
const CHALLENGE = challengeOf('a'.repeat(43));

const client: OAuthClient = {
  client_id: 'cli_1',
  tenant_id: 'acme',
  name: 'an application',
  scopes: ['read:attribution', 'admin:config'],
  residency: null,
  grant_types: ['authorization_code'],
  redirect_uris: [REDIRECT_URI],
  token_endpoint_auth_method: 'none',
  secrets: null,
  created_by: 'key_1',
  created_at: '2026-01-01T00:00:00.000Z',
  deleted_at: null,
};

const good = {
  response_type: 'code',
  redirect_uri: REDIRECT_URI,
  code_challenge: CHALLENGE,
  code_challenge_method: 'S256',
};
const parametersOf = (change: Record<string, string> = {}) =>
  readParameters(new URLSearchParams({ ...good, ...change }).toString());

describe('readParameters', () => {
  it('returns each parameter unless it is empty or repeated', () => {
    const { get, repeated } = readParameters('a=1&b=&c=2&c=2&d&e=%20&f=1&%66=2');

    expect(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map(get)).toEqual([
      '1',
      undefined,
      undefined,
      undefined,
      ' ',
      undefined,
      undefined,
    ]);
    expect([...repeated]).toEqual(['c', 'f']);
  });
});

describe('requireRedirectTarget', () => {
  it('returns redirect URI and state unchanged', () => {
    const { redirectUri, state } = requireRedirectTarget(parametersOf({ state: ' s ' }), client);

    expect({ redirectUri, state }).toEqual({ redirectUri: REDIRECT_URI, state: ' s ' });
  });

  it('throws for any redirect URI that is not registered', () => {
    const variation = fc.oneof(
      fc.string(),
      fc.webUrl(),
      fc.string().map((text) => REDIRECT_URI + text),
      fc.string().map((text) => text + REDIRECT_URI),
      fc.mixedCase(fc.constant(REDIRECT_URI)),
    );
    fc.assert(
      fc.property(variation, (redirect_uri) => {
        fc.pre(redirect_uri !== REDIRECT_URI);

        expect(errorOf(() => requireRedirectTarget(parametersOf({ redirect_uri }), client))).toBe(
          'INVALID_REQUEST',
        );
      }),
    );
  });

  it.each<[string, OAuthClient | null]>([
    ['an unknown client', null],
    ['a deleted client', { ...client, deleted_at: '2026-02-01T00:00:00.000Z' }],
    ['a client without authorization_code', { ...client, grant_types: ['client_credentials'] }],
    ['a client without redirect URIs', { ...client, redirect_uris: [] }],
  ])('throws for %s', (_, found) => {
    expect(errorOf(() => requireRedirectTarget(parametersOf(), found))).toBe('INVALID_REQUEST');
  });
});

describe('a misspelt parameter that decides where the answer goes', () => {
  it.each([
    ['client_id', 'clientid', null],
    ['redirect_uri', 'redirect_url', client],
  ])('is named with %s, which was meant', (name, misspelt, found) => {
    expect(() => requireRedirectTarget(readParameters(`${misspelt}=x`), found)).toThrow(
      expect.objectContaining({
        options: expect.objectContaining({
          errors: [expect.objectContaining({ parameter: misspelt, suggestion: name })],
        }),
      }),
    );
  });
});

describe('readAuthorizationRequest', () => {
  it('returns the requested values', () => {
    const parameters = parametersOf({ scope: 'admin:config', max_age: '60', prompt: 'login' });

    expect(readAuthorizationRequest(parameters, client)).toEqual({
      scopes: ['admin:config'],
      codeChallenge: CHALLENGE,
      maxAge: 60,
      requiresLogin: true,
    });
  });

  it('requests every scope of the client and no recent sign-in by default', () => {
    expect(readAuthorizationRequest(parametersOf(), client)).toMatchObject({
      scopes: client.scopes,
      maxAge: null,
      requiresLogin: false,
    });
  });

  it('refuses every request without S256', () => {
    const other = fc.string().filter((text) => text !== 'S256');

    fc.assert(
      fc.property(other, (code_challenge_method) => {
        expect(readAuthorizationRequest(parametersOf({ code_challenge_method }), client)).toMatchObject({
          error: 'invalid_request',
        });
      }),
    );
  });

  it.each([
    ['invalid_request', { state: 'x'.repeat(1_025) }],
    ['request_not_supported', { request: 'a.b.c' }],
    ['request_uri_not_supported', { request_uri: 'urn:x' }],
    ['invalid_request', { response_type: '' }],
    ['unsupported_response_type', { response_type: 'token' }],
    ['unsupported_response_type', { response_type: 'code id_token' }],
    ['invalid_request', { response_mode: 'fragment' }],
    ['invalid_request', { response_mode: 'form_post' }],
    ['invalid_request', { code_challenge: '' }],
    ['invalid_request', { code_challenge: CHALLENGE.slice(1) }],
    ['invalid_request', { code_challenge: 'a'.repeat(129) }],
    ['invalid_request', { code_challenge: `${CHALLENGE}=` }],
    ['invalid_scope', { scope: 'read:attribution webhooks:manage' }],
    ['invalid_scope', { scope: 'openid' }],
    ['login_required', { prompt: 'none' }],
  ])('returns %s for %o', (error, change) => {
    expect(readAuthorizationRequest(parametersOf(change), client)).toMatchObject({ error });
  });

  it.each(['response_type', 'code_challenge', 'code_challenge_method'])('names a misspelt %s', (name) => {
    const query = new URLSearchParams(good);
    query.append(name.replace('_', ''), query.get(name) ?? '');
    query.delete(name);

    expect(readAuthorizationRequest(readParameters(query.toString()), client)).toMatchObject({
      description: expect.stringContaining(`did you mean ${name}?`),
    });
  });

  it.each([...Object.keys(good), 'state', 'scope', 'max_age', 'unheard_of'])(
    'refuses a repeated %s',
    (name) => {
      const query = `${new URLSearchParams({ [name]: 'a', ...good })}&${name}=`;

      expect(readAuthorizationRequest(readParameters(query), client)).toMatchObject({
        error: 'invalid_request',
      });
    },
  );

  it('accepts explicit defaults and a state of up to 1,024 characters', () => {
    const state = 'x'.repeat(1_024);
    const parameters = parametersOf({ response_mode: 'query', prompt: 'select_account', state });

    expect(readAuthorizationRequest(parameters, client)).toMatchObject({ requiresLogin: false });
    expect(requireRedirectTarget(parameters, client).state).toBe(state);
    expect(requireRedirectTarget(parametersOf({ state: `${state}x` }), client).state).toBeNull();
    expect(requireRedirectTarget(parametersOf(), client).state).toBeNull();
  });

  it.each(['soon', '-1', '1e3', '1.5', ' 1', '+1', '0x10', '1000000000'])('refuses max_age %j', (max_age) => {
    expect(readAuthorizationRequest(parametersOf({ max_age }), client)).toMatchObject({
      error: 'invalid_request',
    });
  });
});

describe('signedInSince', () => {
  it.each([
    ['returns null by default', null, false, null],
    ['returns the time max_age ago', 900, false, NOW - 900_000],
    ['returns the current time for max_age 0', 0, false, NOW],
    ['returns the current time if a login is required', null, true, NOW],
    ['returns the current time if a login is required and max_age is given', 900, true, NOW],
  ])('%s', (_, maxAge, requiresLogin, expected) => {
    expect(signedInSince({ maxAge, requiresLogin }, NOW)).toBe(expected);
  });
});
