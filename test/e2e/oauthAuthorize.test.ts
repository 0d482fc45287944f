import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Browser } from '../local/engines/browser.ts';
import { type Answer, call } from '../support/client.ts';
import type { Instance } from '../support/instance.ts';
import { sharedInstance } from '../support/sharedInstance.ts';
import {
  authorizeUrl,
  type Client,
  completeSignIn,
  newVerifier,
  REDIRECT_URI,
  registerClient,
} from '../support/signIn.ts';

let instance: Instance;
let client: Client;

beforeAll(async () => {
  instance = await sharedInstance();
  client = await registerClient(instance);
});
afterAll(() => instance?.stop());

type Parameters = Record<string, string | undefined>;
const ask = (parameters: Parameters = {}, by = client, more = ''): Promise<Answer> => {
  const { pathname, search } = authorizeUrl(instance.baseUrl, by, newVerifier(), parameters);
  return call(instance.baseUrl, `${pathname}${search}${more}`);
};

const expectErrorPage = (answer: Answer): void => {
  expect(answer).toMatchObject({ status: 400, body: { error_code: 'INVALID_REQUEST' } });
  expect(answer.headers.get('location')).toBeNull();
  expect(answer.headers.getSetCookie()).toEqual([]);
};

/** The query parameters of a redirect to the client. */
const redirectParameters = (answer: Answer, redirectUri = REDIRECT_URI): Record<string, string> => {
  const location = answer.headers.get('location') ?? '';
  expect(answer.status, answer.text).toBe(302);
  expect(location.startsWith(redirectUri)).toBe(true);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
  return Object.fromEntries(new URL(location).searchParams);
};

describe('redirect_uri of GET /v1/oauth/authorize', () => {
  it.each([
    ['missing', undefined],
    ['empty', ''],
    ['in another case of its host', 'https://APP.example.com/callback'],
    ['in another case of its path', 'https://app.example.com/Callback'],
    ['in another case of its scheme', 'HTTPS://app.example.com/callback'],
    ['with a trailing slash', `${REDIRECT_URI}/`],
    ['with an extra query', `${REDIRECT_URI}?next=1`],
    ['with an empty query', `${REDIRECT_URI}?`],
    ['with its default port', 'https://app.example.com:443/callback'],
    ['with another port', 'https://app.example.com:8443/callback'],
    ['with user info', 'https://user@app.example.com/callback'],
    ['with another host behind user info', 'https://app.example.com@evil.example/callback'],
    ['with a fragment', `${REDIRECT_URI}#fragment`],
    ['with an empty fragment', `${REDIRECT_URI}#`],
    ['with an encoded character', 'https://app.example.com/%63allback'],
    ['with an encoded slash', 'https://app.example.com%2Fcallback'],
    ['with dots in its path', 'https://app.example.com/x/../callback'],
    ['with a doubled slash', 'https://app.example.com//callback'],
    ['of another scheme', 'http://app.example.com/callback'],
    ['without a scheme', '//app.example.com/callback'],
    ['that is a path', '/callback'],
    ['of a subdomain', 'https://evil.app.example.com/callback'],
    ['with the host as a prefix', 'https://app.example.com.evil.example/callback'],
    ['with a trailing dot', 'https://app.example.com./callback'],
    ['with a backslash', 'https://app.example.com\\callback'],
    ['with a space in front', ` ${REDIRECT_URI}`],
    ['with a line break behind', `${REDIRECT_URI}\r\n`],
    ['with a NUL behind', `${REDIRECT_URI}\0`],
    ['with a suffix', `${REDIRECT_URI}s`],
    ['with the javascript scheme', 'javascript:alert(1)'],
    ['with the data scheme', 'data:text/html,hello'],
    ['two URIs in one value', `${REDIRECT_URI} ${REDIRECT_URI}`],
  ])('is never redirected to when %s', async (_, redirect_uri) => {
    expectErrorPage(await ask({ redirect_uri }));
    // The redirect URI is checked before other parameters.
    expectErrorPage(await ask({ redirect_uri, response_type: 'token' }));
  });

  it('is never redirected to when sent twice', async () => {
    expectErrorPage(await ask({}, client, `&redirect_uri=${encodeURIComponent(REDIRECT_URI)}`));
  });

  it('is never redirected to when registered by another client', async () => {
    const other = await registerClient(instance, { redirect_uris: ['https://other.example.com/callback'] });

    expectErrorPage(await ask({}, other));
  });

  it.each([
    ['https://app.example.com', 'https://app.example.com?'],
    ['https://app.example.com/callback?tenant=1&x=%2F', 'https://app.example.com/callback?tenant=1&x=%2F&'],
    ['http://127.0.0.1:8765/callback', 'http://127.0.0.1:8765/callback?'],
    ['com.example.app:/oauth', 'com.example.app:/oauth?'],
  ])('%s receives the response unchanged', async (redirect_uri, prefix) => {
    const other = await registerClient(instance, { redirect_uris: [REDIRECT_URI, redirect_uri] });

    const answer = await ask({ redirect_uri, response_type: 'token' }, other);

    expect(answer.headers.get('location')?.startsWith(`${prefix}error=`)).toBe(true);
  });
});

describe('client_id of GET /v1/oauth/authorize', () => {
  it.each([
    ['missing', undefined],
    ['unknown', 'cli_k3vcq2mc01ARZ3NDEKTSV4RRFFQ69G5FAV'],
    ['longer than a table key', 'c'.repeat(5_000)],
    ['the id of an API key', 'key_k3vcq2mc01ARZ3NDEKTSV4RRFFQ69G5FAV'],
  ])('returns an error page when %s', async (_, client_id) => {
    expectErrorPage(await ask({ client_id }));
  });

  it('returns an error page when sent twice', async () => {
    expectErrorPage(await ask({}, client, `&client_id=${client.client_id}`));
  });

  it('returns an error page for a deleted client or one without the authorization code grant', async () => {
    const [tenant] = instance.credentials.tenants;
    const gone = await registerClient(instance);
    const key = tenant?.api_keys.admin ?? '';
    await call(instance.baseUrl, `/api/v1/oauth-clients/${gone.client_id}`, { method: 'DELETE', key });

    expectErrorPage(await ask({}, gone));
    expectErrorPage(await ask({}, { client_secret: null, client_id: tenant?.oauth_client.client_id ?? '' }));
  });
});

describe('GET /v1/oauth/authorize', () => {
  const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

  it.each<[string, string, Parameters]>([
    ['no response type', 'invalid_request', { response_type: undefined }],
    ['the implicit response type', 'unsupported_response_type', { response_type: 'token' }],
    ['a hybrid response type', 'unsupported_response_type', { response_type: 'code id_token' }],
    ['no PKCE at all', 'invalid_request', { code_challenge: undefined, code_challenge_method: undefined }],
    ['no challenge', 'invalid_request', { code_challenge: undefined }],
    ['an empty challenge', 'invalid_request', { code_challenge: '' }],
    ['no challenge method (default plain)', 'invalid_request', { code_challenge_method: undefined }],
    ['the method plain', 'invalid_request', { code_challenge_method: 'plain' }],
    ['the method in another case', 'invalid_request', { code_challenge_method: 's256' }],
    ['a short challenge', 'invalid_request', { code_challenge: CHALLENGE.slice(1) }],
    ['a long challenge', 'invalid_request', { code_challenge: 'a'.repeat(129) }],
    ['a challenge of other characters', 'invalid_request', { code_challenge: `${CHALLENGE}=` }],
    ['a scope the client lacks', 'invalid_scope', { scope: 'read:attribution ingest:write' }],
    ['an unknown scope', 'invalid_scope', { scope: 'openid' }],
    ['a fragment as response mode', 'invalid_request', { response_mode: 'fragment' }],
    ['a form as response mode', 'invalid_request', { response_mode: 'form_post' }],
    ['a request object', 'request_not_supported', { request: 'e30.e30.' }],
    ['a request by reference', 'request_uri_not_supported', { request_uri: 'https://evil.example/' }],
    ['a max_age that is no number', 'invalid_request', { max_age: 'soon' }],
    ['a max_age below zero', 'invalid_request', { max_age: '-1' }],
    ['the prompt none', 'login_required', { prompt: 'none' }],
  ])('redirects with an error for %s', async (_, error, parameters) => {
    expect(redirectParameters(await ask(parameters))).toEqual({
      error,
      error_description: expect.stringMatching(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/),
      state: 'the state',
      iss: instance.baseUrl,
    });
  });

  it.each(['scope', 'code_challenge', 'code_challenge_method', 'response_type', 'max_age', 'unheard_of'])(
    'redirects with invalid_request for a repeated %s',
    async (name) => {
      const answer = await ask({ [name]: 'code' }, client, `&${name}=`);

      expect(redirectParameters(answer)).toMatchObject({ error: 'invalid_request', state: 'the state' });
    },
  );

  it.each([
    ['two states', {}, '&state=another'],
    ['no state', { state: undefined }, '&scope=everything'],
    ['a state that is too long', { state: 's'.repeat(1_025) }, ''],
  ])('redirects with an error and without a state for %s', async (_, parameters, more) => {
    const redirected = redirectParameters(await ask(parameters, client, more));

    expect(redirected).toMatchObject({ error: expect.any(String), iss: instance.baseUrl });
    expect(redirected).not.toHaveProperty('state');
  });

  it.each(['s'.repeat(1_024), 'ü “€” 🔑 %00 +&=#;', '<script>alert(1)</script>', '\0\r\nLocation: x'])(
    'returns the state %.20j unchanged',
    async (state) => {
      expect(redirectParameters(await ask({ state, scope: 'everything' }))['state']).toBe(state);
    },
  );

  it('ignores unknown and empty parameters', async () => {
    const answer = await ask({ scope: '', prompt: '', max_age: '', request: '', unheard_of: 'x' });

    expect(answer.status).toBe(302);
    expect(answer.headers.get('location')).toContain('/auth?');
  });
});

describe('valid authorization request', () => {
  it('redirects to the identity provider with its own state, nonce and PKCE challenge', async () => {
    const answer = await ask({ scope: 'read:attribution' });
    const sent = new URL(answer.headers.get('location') ?? '');

    expect(sent.origin).toBe(instance.credentials.outputs['OidcIssuer']);
    expect(Object.fromEntries(sent.searchParams)).toEqual({
      client_id: instance.credentials.outputs['OidcClientId'],
      response_type: 'code',
      redirect_uri: `${instance.baseUrl}/v1/oauth/callback`,
      scope: 'openid email',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
  });

  it.each<[Parameters, Parameters]>([
    [{ max_age: '900' }, { max_age: '900' }],
    [{ max_age: '0' }, { max_age: '0' }],
    [{ prompt: 'login' }, { prompt: 'login' }],
    [{ prompt: 'consent login' }, { prompt: 'login' }],
  ])('with %j sends %j to the provider', async (parameters, sent) => {
    const { searchParams } = new URL((await ask(parameters)).headers.get('location') ?? '');

    expect(Object.fromEntries(searchParams)).toMatchObject(sent);
  });

  it('sets an HttpOnly, SameSite=Lax cookie', async () => {
    const [cookie = ''] = (await ask()).headers.getSetCookie();

    expect(cookie).toMatch(/^sign-in-[\w-]{8}=\w{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/);
  });

  it('has a unique state, nonce, challenge and cookie', async () => {
    const secretsOf = async () => {
      const answer = await ask();
      const { searchParams } = new URL(answer.headers.get('location') ?? '');
      const parameters = ['state', 'nonce', 'code_challenge'].map((name) => searchParams.get(name));
      return [...parameters, answer.headers.getSetCookie()[0]];
    };

    expect(new Set([...(await secretsOf()), ...(await secretsOf())]).size).toBe(8);
  });

  it('skips the sign-in form with a session, and shows it for prompt=login', async () => {
    const person = instance.credentials.tenants[0]?.user ?? { email: '', password: '' };
    const browser = new Browser();
    const noCredentials = { email: '', password: '' };
    const begin = (parameters?: Parameters) =>
      authorizeUrl(instance.baseUrl, client, newVerifier(), parameters);
    await completeSignIn(browser, begin(), person);

    const withSession = await completeSignIn(browser, begin({ max_age: '900' }), noCredentials);
    const { url, html } = await browser.open(new URL((await browser.open(begin({ prompt: 'login' }))).url));

    expect(withSession.url.searchParams.get('code')).not.toBeNull();
    expect(url.origin).toBe(instance.credentials.outputs['OidcIssuer']);
    expect(html).toContain('name="password"');
  });
});
