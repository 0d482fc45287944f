import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditEntry } from '../../schemas/access/audit.ts';
import type { Role } from '../../schemas/access/roles.ts';
import { Browser } from '../local/engines/browser.ts';
import { call } from '../support/client.ts';
import { enginesOf } from '../support/engines.ts';
import { type Instance, startInstance } from '../support/instance.ts';
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
let users: Awaited<ReturnType<typeof usersOf>>;

beforeAll(async () => {
  instance = await startInstance({ environment: { RATE_LIMIT_SCALE: '1000' } });
  const [tenant] = instance.credentials.tenants;
  if (tenant === undefined) throw new Error('no demo tenant');
  person = tenant.user;
  users = await usersOf(instance);
  client = await registerClient(instance);
});
afterAll(() => instance?.stop());

/** A sign-in begun in a browser of its own: its state at the provider, and the cookie that goes with it. */
const begin = async (parameters: Record<string, string> = {}) => {
  const { pathname, search } = authorizeUrl(instance.baseUrl, client, newVerifier(), parameters);
  const answer = await call(instance.baseUrl, pathname + search);
  const [cookie = ''] = answer.headers.getSetCookie();
  const { searchParams } = new URL(answer.headers.get('location') ?? '');
  return { state: searchParams.get('state') ?? '', cookie: cookie.split(';')[0] ?? '' };
};

/** The browser comes back with an answer that names its issuer, as the embedded provider's do. */
const sendCallback = (query: Record<string, string> | string, cookie?: string) => {
  const parameters = new URLSearchParams(query);
  if (!parameters.has('iss')) parameters.set('iss', instance.credentials.outputs['OidcIssuer'] ?? '');
  return call(instance.baseUrl, `/v1/oauth/callback?${parameters}`, {
    headers: cookie === undefined ? {} : { cookie },
  });
};

const redirectParameters = (location: string | null) =>
  Object.fromEntries(new URL(location ?? '').searchParams);

/** Entries of the audit log about users who signed in. */
const signInAuditEntries = async (): Promise<AuditEntry[]> => {
  const engines = enginesOf(instance.credentials);
  const rows = await engines.rows('audit');
  engines.close();
  return rows
    .map((row): AuditEntry => JSON.parse(row['document']?.S ?? ''))
    .filter(({ action }) => action === 'user.sign_in')
    .sort((one, other) => (one.id < other.id ? -1 : 1));
};

describe('an answer of the identity provider', () => {
  it('becomes a code at the redirect URI, and the cookie ends', async () => {
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
    ['with an endless state', ({ cookie }) => sendCallback({ code: 'x', state: 'a'.repeat(5_000) }, cookie)],
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
  ])('%s is refused here and goes nowhere', async (_, act) => {
    const answer = await act(await begin());

    expect(answer).toMatchObject({ status: 400, body: { error_code: 'INVALID_REQUEST' } });
    expect(answer.headers.get('location')).toBeNull();
  });

  it('that another browser tried to take is still good in its own', async () => {
    const { state, cookie } = await begin();
    await sendCallback({ state, error: 'access_denied' });

    const answer = await sendCallback({ state, error: 'access_denied' }, cookie);

    expect(redirectParameters(answer.headers.get('location'))).toMatchObject({ error: 'access_denied' });
  });

  it('is taken once', async () => {
    const { state, cookie } = await begin();
    const first = await sendCallback({ state, error: 'access_denied' }, cookie);
    const second = await sendCallback({ state, error: 'access_denied' }, cookie);

    expect([first.status, second.status]).toEqual([302, 400]);
  });

  it('is taken once of 12 that come at the same time', async () => {
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
    ['an error nobody knows', { error: '"><script>' }, 'server_error'],
    ['a code it never gave', { code: 'forged' }, 'server_error'],
    ['nothing at all', {}, 'server_error'],
    ['of another issuer', { error: 'access_denied', iss: 'https://evil.example' }, 'server_error'],
    ['of no issuer', { error: 'access_denied', iss: '' }, 'server_error'],
  ])('that is %s is told to the client', async (_, query, error) => {
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

  it('to one of two sign-ins in one browser leaves the other under way', async () => {
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

describe('whoever signs in', () => {
  const CLIENT_SCOPES = 'read:attribution read:reporting admin:config';

  it.each<[Role, string | undefined, string]>([
    ['admin', undefined, CLIENT_SCOPES],
    ['admin', 'admin:config', 'admin:config'],
    ['finops', undefined, 'read:attribution read:reporting'],
    ['engineer', 'admin:config read:reporting', 'read:reporting'],
    ['viewer', CLIENT_SCOPES, 'read:attribution read:reporting'],
  ])('as %s and is asked for %s lets the client %s', async (role, scope, granted) => {
    const somebody = await users.stranger();
    await users.employ(somebody, role);

    const code = await newCode(instance, client, somebody, { parameters: { scope } });
    const { body } = await redeem(instance.baseUrl, client, code);

    expect(body['scope']).toBe(granted);
  });

  it('is known by an address in any case', async () => {
    const somebody = await users.stranger();
    await users.employ({ ...somebody, email: somebody.email.toUpperCase() }, 'viewer');

    expect(await newCode(instance, client, somebody)).toHaveProperty('code');
  });

  it.each<[string, (somebody: Person) => Promise<unknown>, string | undefined]>([
    ['is no user', async () => undefined, undefined],
    ['is the user of another tenant', (somebody) => users.employ(somebody, 'admin', 'globex'), undefined],
    [
      'is a user no more',
      async (somebody) => {
        await users.employ(somebody, 'admin');
        await users.remove(somebody);
      },
      undefined,
    ],
    ['may do nothing of what is asked', (somebody) => users.employ(somebody, 'viewer'), 'admin:config'],
  ])('and %s is refused', async (_, prepare, scope) => {
    const somebody = await users.stranger();
    await prepare(somebody);
    const start = authorizeUrl(instance.baseUrl, client, newVerifier(), { scope });

    const { url } = await completeSignIn(new Browser(), start, somebody);

    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      error: 'access_denied',
      state: 'the state',
    });
  });

  it('acts as that user of that tenant', async () => {
    const somebody = await users.stranger();
    const user = await users.employ(somebody, 'viewer');

    const { body } = await redeem(instance.baseUrl, client, await newCode(instance, client, somebody));
    const [, payload = ''] = String(body['access_token']).split('.');

    expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({
      sub: user.user_id,
      tenant_id: 'acme',
      client_id: client.client_id,
      auth_time: expect.any(Number),
    });
    expect((await bearing(instance.baseUrl, body['access_token'])).status).toBe(200);
  });

  it('is in the audit log, refused or not, by id and never by address', async () => {
    const [member, stranger] = [await users.stranger(), await users.stranger()];
    const { user_id } = await users.employ(member, 'viewer');
    const before = await signInAuditEntries();

    await newCode(instance, client, member);
    await completeSignIn(new Browser(), authorizeUrl(instance.baseUrl, client, newVerifier()), stranger);
    const entries = (await signInAuditEntries()).slice(before.length);

    expect(entries).toMatchObject([
      {
        actor: { type: 'user', id: user_id },
        resource: expect.stringMatching(/^grt_/),
        outcome: 'succeeded',
        error_code: null,
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

it('keeps no code, state or secret where the tables can be read', async () => {
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
