import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AuditEntry } from '../../schemas/identity/audit.ts';
import type { Role } from '../../schemas/identity/roles.ts';
import { Browser } from '../local/engines/browser.ts';
import { call } from '../support/client.ts';
import { enginesOf } from '../support/engines.ts';
import type { Instance } from '../support/instance.ts';
import { demoTenants, documentsIn } from '../support/localService.ts';
import { sharedInstance } from '../support/sharedInstance.ts';
import {
  authorizeUrl,
  bearing,
  type Client,
  completeSignIn,
  newCode,
  newVerifier,
  type Person,
  REDIRECT_URI,
  redeem,
  registerClient,
} from '../support/signIn.ts';
import { usersOf } from '../support/users.ts';

let instance: Instance;
let client: Client;
let person: Person;
let ownTenant: string;
let otherTenant: string;
let users: Awaited<ReturnType<typeof usersOf>>;

beforeAll(async () => {
  instance = await sharedInstance();
  const { acme: own, globex: another } = demoTenants(instance.credentials);
  [ownTenant, otherTenant, person] = [own.tenant_id, another.tenant_id, own.user];
  users = await usersOf(instance);
  client = await registerClient(instance);
});
afterAll(() => instance?.stop());

/** Starts a sign-in. Returns its state and the cookie of the browser. */
const begin = async (parameters: Record<string, string> = {}) => {
  const { pathname, search } = authorizeUrl(instance.baseUrl, client, newVerifier(), parameters);
  const answer = await call(instance.baseUrl, pathname + search);
  const [cookie = ''] = answer.headers.getSetCookie();
  const { searchParams } = new URL(answer.headers.get('location') ?? '');
  return { state: searchParams.get('state') ?? '', cookie: cookie.split(';')[0] ?? '' };
};

/** Sends the callback request. Adds the issuer of the embedded provider unless the query has one. */
const sendCallback = (query: Record<string, string> | string, cookie?: string) => {
  const parameters = new URLSearchParams(query);
  if (!parameters.has('iss')) parameters.set('iss', instance.credentials.outputs['OidcIssuer'] ?? '');
  return call(instance.baseUrl, `/v1/oauth/callback?${parameters}`, {
    headers: cookie === undefined ? {} : { cookie },
  });
};

const redirectParameters = (location: string | null) =>
  Object.fromEntries(new URL(location ?? '').searchParams);

/** Audit entries of user sign-ins, oldest first. */
const signInAuditEntries = async (): Promise<AuditEntry[]> => {
  const entries = await documentsIn(instance.credentials, 'audit', AuditEntry);
  return entries
    .filter(({ action }) => action === 'user.sign_in')
    .sort((one, other) => (one.id < other.id ? -1 : 1));
};

describe('GET /v1/oauth/callback', () => {
  it('redirects with a code and deletes the cookie', async () => {
    const browser = new Browser();
    const { url, headers } = await completeSignIn(
      browser,
      authorizeUrl(instance.baseUrl, client, newVerifier()),
      person,
    );

    expect(url.href.startsWith(`${REDIRECT_URI}?`)).toBe(true);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      code: expect.stringMatching(/^\w{43}$/),
      state: 'the state',
      iss: instance.baseUrl,
    });
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(/^sign-in-[\w-]{8}=; Path=\/; Max-Age=0; HttpOnly; SameSite=Lax$/),
    ]);
  });

  it.each<[string, (begun: Awaited<ReturnType<typeof begin>>) => ReturnType<typeof sendCallback>]>([
    ['without a state', ({ cookie }) => sendCallback({ code: 'x' }, cookie)],
    ['with an empty state', ({ cookie }) => sendCallback({ code: 'x', state: '' }, cookie)],
    ['with two states', ({ state, cookie }) => sendCallback(`state=${state}&state=${state}&code=x`, cookie)],
    ['with an unknown state', ({ cookie }) => sendCallback({ code: 'x', state: 'a'.repeat(43) }, cookie)],
    [
      'with a state that is too long',
      ({ cookie }) => sendCallback({ code: 'x', state: 'a'.repeat(5_000) }, cookie),
    ],
    ['in a browser without the cookie', ({ state }) => sendCallback({ code: 'x', state })],
    [
      'in a browser with the cookie of another sign-in',
      async ({ state }) => sendCallback({ code: 'x', state }, (await begin()).cookie),
    ],
    [
      'in a browser with another secret in the cookie',
      ({ state, cookie }) => sendCallback({ code: 'x', state }, cookie.replace(/=.*/, `=${'a'.repeat(43)}`)),
    ],
    [
      'in a browser with the state in the cookie',
      ({ state, cookie }) => sendCallback({ code: 'x', state }, cookie.replace(/=.*/, `=${state}`)),
    ],
  ])('returns 400 without a redirect %s', async (_, act) => {
    const answer = await act(await begin());

    expect(answer).toMatchObject({ status: 400, body: { error_code: 'INVALID_REQUEST' } });
    expect(answer.headers.get('location')).toBeNull();
  });

  it('succeeds in the right browser after a callback in another browser failed', async () => {
    const { state, cookie } = await begin();
    await sendCallback({ state, error: 'access_denied' });

    const answer = await sendCallback({ state, error: 'access_denied' }, cookie);

    expect(redirectParameters(answer.headers.get('location'))).toMatchObject({ error: 'access_denied' });
  });

  it('returns 400 for a second callback with the same state', async () => {
    const { state, cookie } = await begin();
    const first = await sendCallback({ state, error: 'access_denied' }, cookie);
    const second = await sendCallback({ state, error: 'access_denied' }, cookie);

    expect([first.status, second.status]).toEqual([302, 400]);
  });

  it('accepts one of 12 concurrent callbacks with the same state', async () => {
    const { state, cookie } = await begin();

    const answers = await Promise.all(
      Array.from({ length: 12 }, () => sendCallback({ state, error: 'access_denied' }, cookie)),
    );

    expect(answers.filter(({ status }) => status === 302)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(11);
  });

  it.each([
    ['a refusal', { error: 'access_denied' }, 'access_denied'],
    ['a failure', { error: 'server_error', error_description: 'stack trace' }, 'server_error'],
    ['an unknown error', { error: '"><script>' }, 'server_error'],
    ['a forged code', { code: 'forged' }, 'server_error'],
    ['a missing code', {}, 'server_error'],
    ['another issuer', { error: 'access_denied', iss: 'https://evil.example' }, 'server_error'],
    ['an empty issuer', { error: 'access_denied', iss: '' }, 'server_error'],
  ])('redirects to the client with an error for %s', async (_, query, error) => {
    const { state, cookie } = await begin();

    const answer = await sendCallback({ state, ...query }, cookie);

    expect(redirectParameters(answer.headers.get('location'))).toEqual({
      error,
      error_description: expect.not.stringContaining('stack trace'),
      state: 'the state',
      iss: instance.baseUrl,
    });
    expect(answer.headers.getSetCookie()).toEqual([expect.stringContaining('=; Path=/; Max-Age=0;')]);
  });

  it('completes two concurrent sign-ins in one browser', async () => {
    const browser = new Browser();
    const [first, second] = [newVerifier(), newVerifier()];
    const shownFirst = await browser.open(authorizeUrl(instance.baseUrl, client, first));
    const { url } = await completeSignIn(browser, authorizeUrl(instance.baseUrl, client, second), person);
    const later = await completeSignIn(browser, shownFirst.url, person);

    const tokens = await Promise.all([
      redeem(instance.baseUrl, client, { code: later.url.searchParams.get('code') ?? '', verifier: first }),
      redeem(instance.baseUrl, client, { code: url.searchParams.get('code') ?? '', verifier: second }),
    ]);

    expect(tokens.map(({ status }) => status)).toEqual([200, 200]);
  });
});

describe('user sign-in', () => {
  const CLIENT_SCOPES = 'read:attribution read:reporting admin:config';

  it.each<[Role, string | undefined, string]>([
    ['admin', undefined, CLIENT_SCOPES],
    ['admin', 'admin:config', 'admin:config'],
    ['finops', undefined, 'read:attribution read:reporting'],
    ['engineer', 'admin:config read:reporting', 'read:reporting'],
    ['viewer', CLIENT_SCOPES, 'read:reporting'],
  ])('as %s with requested scope %s grants %s', async (role, scope, granted) => {
    const user = await users.stranger();
    await users.employ(user, role);

    const code = await newCode(instance, client, user, { parameters: { scope } });
    const { body } = await redeem(instance.baseUrl, client, code);

    expect(body['scope']).toBe(granted);
  });

  it('matches the e-mail address case-insensitively', async () => {
    const user = await users.stranger();
    await users.employ({ ...user, email: user.email.toUpperCase() }, 'viewer');

    expect(await newCode(instance, client, user)).toHaveProperty('code');
  });

  it.each<[string, (user: Person) => Promise<unknown>, string | undefined]>([
    ['is not a user', async () => undefined, undefined],
    ['is the user of another tenant', (user) => users.employ(user, 'admin', otherTenant), undefined],
    [
      'was removed as a user',
      async (user) => {
        await users.employ(user, 'admin');
        await users.remove(user);
      },
      undefined,
    ],
    ['has none of the requested scopes', (user) => users.employ(user, 'viewer'), 'admin:config'],
  ])('returns access_denied for a person who %s', async (_, prepare, scope) => {
    const user = await users.stranger();
    await prepare(user);
    const start = authorizeUrl(instance.baseUrl, client, newVerifier(), { scope });

    const { url } = await completeSignIn(new Browser(), start, user);

    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      error: 'access_denied',
      state: 'the state',
    });
  });

  it('issues a token for the user and tenant', async () => {
    const user = await users.stranger();
    const employed = await users.employ(user, 'engineer');

    const { body } = await redeem(instance.baseUrl, client, await newCode(instance, client, user));
    const [, payload = ''] = String(body['access_token']).split('.');

    expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({
      sub: employed.user_id,
      tenant_id: ownTenant,
      client_id: client.client_id,
      auth_time: expect.any(Number),
    });
    expect((await bearing(instance.baseUrl, body['access_token'])).status).toBe(200);
  });

  it('is audited by user id, without the e-mail address', async () => {
    const [member, stranger] = [await users.stranger(), await users.stranger()];
    const { user_id } = await users.employ(member, 'viewer');
    const before = await signInAuditEntries();

    await newCode(instance, client, member);
    await completeSignIn(new Browser(), authorizeUrl(instance.baseUrl, client, newVerifier()), stranger);
    const known = new Set(before.map(({ id }) => id));
    const entries = (await signInAuditEntries()).filter(({ id }) => !known.has(id));

    expect(entries).toMatchObject([
      {
        actor: { type: 'user', id: user_id },
        resource: expect.stringMatching(/^grt_/),
        outcome: 'succeeded',
        error_code: null,
        refused_host: null,
        source_ip: '127.0.0.1',
        trace_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      },
      {
        actor: { type: 'oauth_client', id: client.client_id },
        resource: null,
        outcome: 'refused',
        error_code: 'INVALID_CREDENTIALS',
      },
    ]);
    expect(JSON.stringify(entries)).not.toMatch(/@/);
  });
});

it('stores no code, state or secret in plain text in the tables', async () => {
  const code = await newCode(instance, client, person);
  const { state, cookie } = await begin();
  const { body } = await redeem(instance.baseUrl, client, code);
  const engines = enginesOf(instance.credentials);
  const rows = await Promise.all(['grants', 'audit'].map((table) => engines.rows(table)));
  engines.close();
  const refreshSecret = String(body['refresh_token']).split('_').at(-1) ?? '';

  const text = JSON.stringify(rows);
  expect(text).toContain('refresh');
  for (const secret of [code.code, code.verifier, state, cookie.split('=')[1] ?? '', refreshSecret]) {
    expect(secret.length).toBeGreaterThan(40);
    expect(text).not.toContain(secret);
  }
});
