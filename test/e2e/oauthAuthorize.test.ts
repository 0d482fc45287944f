import { afterAll, describe, expect, it } from 'vitest';
import { Browser } from '../local/engines/browser.ts';
import { type Answer, call } from '../support/client.ts';
import { sharedInstance } from '../support/sharedInstance.ts';
import {
  authorizeUrl,
  completeSignIn,
  newVerifier,
  REDIRECT_URI,
  registerClient,
} from '../support/signIn.ts';

const instance = await sharedInstance();
const client = await registerClient(instance);
afterAll(() => instance.stop());

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
  // `authorizationRequest.test.ts` holds that any other text than a registered one is refused.
  it.each([
    ['missing', undefined],
    ['with an encoded character', 'https://app.example.com/%63allback'],
    ['with the host as a prefix', 'https://app.example.com.evil.example/callback'],
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
    ['https://app.example.com/callback?tenant=1&x=%2F', 'https://app.example.com/callback?tenant=1&x=%2F&'],
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
    ['longer than a table key', 'c'.repeat(5_000)],
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
  // `authorizationRequest.test.ts` has the other errors.
  it.each<[string, string, Parameters]>([
    ['the implicit response type', 'unsupported_response_type', { response_type: 'token' }],
    ['no PKCE at all', 'invalid_request', { code_challenge: undefined, code_challenge_method: undefined }],
    ['a scope the client lacks', 'invalid_scope', { scope: 'read:attribution ingest:write' }],
    ['the prompt none', 'login_required', { prompt: 'none' }],
  ])('redirects with an error for %s', async (_, error, parameters) => {
    expect(redirectParameters(await ask(parameters))).toEqual({
      error,
      error_description: expect.stringMatching(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/),
      state: 'the state',
      iss: instance.baseUrl,
    });
  });

  it.each([
    ['two states', {}, '&state=another'],
    ['a state that is too long', { state: 's'.repeat(1_025) }, ''],
  ])('redirects with an error and without a state for %s', async (_, parameters, more) => {
    const redirected = redirectParameters(await ask(parameters, client, more));

    expect(redirected).toMatchObject({ error: 'invalid_request', iss: instance.baseUrl });
    expect(redirected).not.toHaveProperty('state');
  });

  it.each(['ü “€” 🔑 %00 +&=#;<script>', '\0\r\nLocation: x'])(
    'returns the state %j unchanged',
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
    [{ max_age: '0' }, { max_age: '0' }],
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
