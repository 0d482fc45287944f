import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { roles } from '../../schemas/identity/roles.ts';
import { ConsoleSession } from '../../schemas/routes/identity/session.ts';
import { consoleRoutes } from '../../schemas/routes/index.ts';
import { routeKey } from '../../schemas/routes/route.ts';
import { Browser } from '../local/engines/browser.ts';
import { type Answer, call, type Request } from '../support/client.ts';
import { enginesOf } from '../support/engines.ts';
import type { Instance } from '../support/instance.ts';
import { sharedInstance } from '../support/sharedInstance.ts';
import { bearing, completeSignIn, type Person } from '../support/signIn.ts';
import { usersOf } from '../support/users.ts';

const SESSION = '/console/session';
const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' };

let instance: Instance;
let users: Awaited<ReturnType<typeof usersOf>>;
let acme: string;
let globex: string;

beforeAll(async () => {
  instance = await sharedInstance();
  users = await usersOf(instance);
  [acme = '', globex = ''] = instance.credentials.tenants.map(({ tenant_id }) => tenant_id);
});
afterAll(() => instance?.stop());

/** A person who is a user of these tenants. */
const someone = async (
  role: keyof typeof roles = 'viewer',
  tenants: readonly string[] = [acme],
): Promise<Person> => {
  const person = await users.stranger();
  for (const tenant of tenants) await users.employ(person, role, tenant);
  return person;
};

/** Signs a person in to the console. Returns the browser and where it arrived. */
const signIn = async (person: Person, browser = new Browser(), query = '') => {
  const start = new URL(`${SESSION}/sign-in${query}`, instance.baseUrl);
  const { url } = await completeSignIn(browser, start, person);
  return { browser, path: url.pathname + url.search };
};

const send = (browser: Browser, request: Request = {}): Promise<Answer> =>
  call(instance.baseUrl, SESSION, {
    idempotencyKey: null,
    ...request,
    headers: { cookie: browser.cookies, ...SAME_ORIGIN, ...request.headers },
  });
const sessionOf = async (browser: Browser): Promise<ConsoleSession> =>
  ConsoleSession.parse((await send(browser)).body);
/** Reads what every role may read. */
const read = (token: unknown): Promise<Answer> => bearing(instance.baseUrl, token, '/api/v1/budgets');
const choose = (browser: Browser, tenantId: string) =>
  send(browser, { method: 'PUT', body: { tenant_id: tenantId } });

describe('a sign-in to the console', () => {
  it.each(['admin', 'finops', 'engineer', 'viewer'] as const)(
    'opens a session of the tenant of the user, with the scopes of the role %s',
    async (role) => {
      const person = await someone(role);

      const { browser, path } = await signIn(person, new Browser(), '?return_to=/console/budgets?id=1');
      const session = await sessionOf(browser);

      expect(path).toBe('/console/budgets?id=1');
      expect(session).toMatchObject({
        user: { email: person.email, role },
        tenant: { id: acme },
        tenants: [{ id: acme }],
        scopes: roles[role],
      });
      expect((await read(session.access_token)).status).toBe(200);
    },
  );

  it('lets a user of two tenants choose one, and change to the other', async () => {
    const { browser } = await signIn(await someone('viewer', [acme, globex]));
    const open = await sessionOf(browser);
    const first = ConsoleSession.parse((await choose(browser, globex)).body);
    const second = ConsoleSession.parse((await choose(browser, acme)).body);

    expect(open).toMatchObject({ access_token: null, tenant: null, user: { id: null, role: null } });
    expect(open.tenants.map(({ id }) => id)).toEqual([acme, globex]);
    expect([first.tenant?.id, second.tenant?.id]).toEqual([globex, acme]);
    expect((await read(first.access_token)).status).toBe(401);
    expect((await read(second.access_token)).status).toBe(200);
  });

  it('opens in the tenant of the browser, after another tenant has added the person', async () => {
    const person = await someone();
    const { browser } = await signIn(person);
    await users.employ(person, 'viewer', globex);
    await send(browser, { method: 'DELETE' });

    await signIn(person, browser);
    const again = await sessionOf(browser);
    const { browser: elsewhere } = await signIn(person);

    expect(again).toMatchObject({ tenant: { id: acme }, tenants: [{ id: acme }, { id: globex }] });
    expect((await sessionOf(elsewhere)).tenant).toBeNull();
  });

  it('refuses a tenant that the person does not belong to', async () => {
    const { browser } = await signIn(await someone());

    expect((await choose(browser, globex)).body).toMatchObject({ error_code: 'TENANT_MISMATCH' });
    expect((await sessionOf(browser)).tenant?.id).toBe(acme);
  });

  it('returns to the page that was asked for, with an error, for a person without a tenant', async () => {
    const { browser, path } = await signIn(
      await users.stranger(),
      new Browser(),
      '?return_to=/console/budgets?id=1',
    );

    expect(path).toBe('/console/budgets?id=1&sign_in_error=access_denied');
    expect((await send(browser)).status).toBe(204);
  });

  it('replaces the session of the browser and keeps its tenant, for a step-up', async () => {
    const person = await someone('admin', [acme, globex]);
    const { browser } = await signIn(person);
    const before = ConsoleSession.parse((await choose(browser, globex)).body);
    const stolen = browser.cookies;
    await signIn(person, browser, '?max_age=900');
    const after = await sessionOf(browser);

    expect(after).toMatchObject({ user: before.user, tenant: { id: globex } });
    expect((await read(before.access_token)).status).toBe(401);
    expect((await send(browser, { headers: { cookie: stolen } })).status).toBe(401);
  });
});

describe('a session', () => {
  it('serves several pages at once', async () => {
    const { browser } = await signIn(await someone());

    const sessions = await Promise.all(Array.from({ length: 8 }, () => sessionOf(browser)));
    const answers = await Promise.all(sessions.map(({ access_token }) => read(access_token)));

    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
  });

  it('gives a changed role with the next token, and nothing after the user was removed', async () => {
    const person = await someone('viewer');
    const { browser } = await signIn(person);
    await users.employ(person, 'finops');
    const promoted = await sessionOf(browser);
    await users.remove(person);
    const removed = await sessionOf(browser);

    expect(promoted.scopes).toEqual(roles.finops);
    expect(removed).toMatchObject({ access_token: null, tenant: null, tenants: [], scopes: [] });
    expect((await read(promoted.access_token)).status).toBe(401);
  });

  it('ends with its access tokens, and at the identity provider', async () => {
    const { browser } = await signIn(await someone());
    const { access_token } = await sessionOf(browser);
    const cookie = browser.cookies;

    const ended = await send(browser, { method: 'DELETE' });

    const { searchParams } = new URL(String(ended.body['sign_out_url']));
    expect(searchParams.get('post_logout_redirect_uri')).toBe(`${instance.baseUrl}/console/signed-out`);
    expect(ended.headers.getSetCookie()).toEqual([expect.stringContaining('Max-Age=0')]);
    expect((await send(browser, { headers: { cookie } })).status).toBe(401);
    expect((await read(access_token)).status).toBe(401);
    expect((await send(browser, { method: 'DELETE' })).status).toBe(200);
  });
});

describe('the security of a session', () => {
  let browser: Browser;
  beforeAll(async () => {
    ({ browser } = await signIn(await someone()));
  });

  it.each(
    consoleRoutes.filter(({ access }) => access === 'session').map((route) => [routeKey(route), route]),
  )('%s refuses requests of other sites and of unknown origin', async (_, { method, path, body }) => {
    const request = {
      method,
      idempotencyKey: null,
      ...(body !== undefined && { body: { tenant_id: acme } }),
    };
    for (const site of [
      {},
      ...['cross-site', 'same-site', 'none'].map((one) => ({ 'sec-fetch-site': one })),
    ]) {
      const answer = await call(instance.baseUrl, path, {
        ...request,
        headers: { cookie: browser.cookies, ...site },
      });

      expect(answer).toMatchObject({ status: 403, body: { error_code: 'CROSS_SITE_REQUEST' } });
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
    expect((await sessionOf(browser)).tenant?.id).toBe(acme);
  });

  it('keeps the cookie from scripts and other sites, and every token from URLs and caches', async () => {
    const { path } = await signIn(await someone(), browser);
    const answer = await send(browser);
    const secret = /console-session-\d+=([^;]*)/.exec(browser.cookies)?.[1] ?? '';

    expect(secret).toMatch(/^[0-9A-Za-z]{43}$/);
    expect(path).toBe('/console');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    expect(answer.text).not.toContain(secret);
  });

  it('stores only the hash of the cookie', async () => {
    const { access_token } = await sessionOf(browser);
    const secret = /console-session-\d+=([^;]*)/.exec(browser.cookies)?.[1] ?? 'missing';
    const engines = enginesOf(instance.credentials);
    const rows = JSON.stringify(await engines.rows('grants'));
    engines.close();

    expect(rows).toContain('session#');
    expect(rows).not.toContain(secret);
    expect(rows).not.toContain(String(access_token));
  });

  it.each(['', 'console-session-1=abc'])('has nothing for a browser with the cookie "%s"', async (cookie) => {
    const answer = await send(new Browser(), { headers: { cookie } });

    expect([answer.status, answer.text]).toEqual([204, '']);
  });

  it('refuses a cookie that no session has', async () => {
    const { port } = new URL(instance.baseUrl);

    const answer = await send(new Browser(), {
      headers: { cookie: `console-session-${port}=${'a'.repeat(43)}` },
    });

    expect(answer).toMatchObject({ status: 401, body: { error_code: 'INVALID_CREDENTIALS' } });
  });
});
