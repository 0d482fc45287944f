import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import * as client from 'openid-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DataDirectory, lockDataDirectory } from '../../../../local/engines/dataDirectory.ts';
import { type IdentityProviderEngine, startIdentityProvider } from '../../../../local/engines/oidc/oidc.ts';
import { registerDemoUser, registerUser } from '../../../../local/engines/oidc/oidcUsers.ts';
import { Browser, type BrowserPage } from '../browser.ts';

const CALLBACK = 'http://127.0.0.1:3000/v1/oauth/callback';
const SIGNED_OUT = 'http://127.0.0.1:3000/console/signed-out';
const CLIENT = {
  id: 'the-service',
  redirectUris: [CALLBACK],
  signOutUris: [SIGNED_OUT],
  scopes: ['openid', 'email'],
};
const ADA = { email: 'ada@example.org', password: 'correct horse battery staple' };
const BOB = { email: 'bob@example.org', password: 'another long password' };

let data: DataDirectory;
let engine: IdentityProviderEngine;

const start = async (): Promise<void> => {
  engine = await startIdentityProvider(data, () => {});
  engine.serve([CLIENT]);
};

beforeAll(async () => {
  data = lockDataDirectory(mkdtempSync(join(tmpdir(), 'identity-provider-')));
  await Promise.all([registerUser(data.path, ADA), registerUser(data.path, BOB)]);
  await start();
});

afterAll(async () => {
  await engine.stop();
  data.release();
  rmSync(data.path, { recursive: true });
});

/** Starts an authorization request as the service does, with a function that redeems its code. */
const startRequest = async (extra: Record<string, string> = {}) => {
  const config = await client.discovery(new URL(engine.url), CLIENT.id, undefined, client.None(), {
    execute: [client.allowInsecureRequests],
  });
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const expectedNonce = client.randomNonce();
  const expectedState = client.randomState();
  const maxAge = extra['max_age'];
  return {
    url: client.buildAuthorizationUrl(config, {
      redirect_uri: CALLBACK,
      scope: 'openid email',
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      nonce: expectedNonce,
      state: expectedState,
      ...extra,
    }),
    redeem: (callback: URL) =>
      client.authorizationCodeGrant(config, callback, {
        pkceCodeVerifier,
        expectedNonce,
        expectedState,
        idTokenExpected: true,
        ...(maxAge !== undefined && { maxAge: Number(maxAge) }),
      }),
  };
};

/** Signs a user in. Submits the form when the provider shows one. */
const signIn = async (browser: Browser, user: typeof ADA, extra: Record<string, string> = {}) => {
  const { url, redeem } = await startRequest(extra);
  const firstPage = await browser.open(url);
  const lastPage = isForm(firstPage) ? await browser.open(firstPage.url, user) : firstPage;
  const tokens = await redeem(lastPage.url);
  return { formShown: isForm(firstPage), claims: tokens.claims(), idToken: tokens.id_token ?? '' };
};

const isForm = ({ html }: BrowserPage): boolean => html.includes('name="password"');

describe('a sign-in', () => {
  test('returns an ID token that identifies the user', async () => {
    const before = Math.floor(Date.now() / 1_000);
    const { claims } = await signIn(new Browser(), ADA);

    expect(claims).toMatchObject({
      iss: engine.url,
      aud: CLIENT.id,
      email: ADA.email,
      email_verified: true,
      sub: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(claims?.auth_time).toBeGreaterThanOrEqual(before);
  });

  test('accepts an e-mail address in any case', async () => {
    const { claims } = await signIn(new Browser(), { ...ADA, email: ' Ada@Example.ORG ' });

    expect(claims).toMatchObject({ email: ADA.email });
  });

  test.each([
    ['a wrong password', { email: ADA.email, password: BOB.password }],
    ['an unknown address', { email: 'eve@example.org', password: ADA.password }],
    ['an empty form', {}],
  ])('shows the form again after %s, and accepts the right credentials afterwards', async (_case, wrong) => {
    const browser = new Browser();
    const { url, redeem } = await startRequest();
    const form = await browser.open(url);

    const again = await browser.open(form.url, wrong);

    expect(again.status).toBe(401);
    expect(isForm(again)).toBe(true);
    expect(again.html).toContain('role="alert"');
    const tokens = await redeem((await browser.open(form.url, ADA)).url);
    expect(tokens.claims()).toMatchObject({ email: ADA.email });
  });

  test('shows no form while the session lasts', async () => {
    const browser = new Browser();
    const first = await signIn(browser, ADA);
    const second = await signIn(browser, ADA);

    expect([first.formShown, second.formShown]).toEqual([true, false]);
    expect(second.claims?.auth_time).toBe(first.claims?.auth_time);
  });

  test.each([{ prompt: 'login' }, { max_age: '0' }])(
    'shows the form again when the request has %j',
    async (extra) => {
      const browser = new Browser();
      const first = await signIn(browser, ADA);
      const second = await signIn(browser, ADA, extra);

      expect(second.formShown).toBe(true);
      expect(second.claims?.sub).toBe(first.claims?.sub);
    },
  );

  test('shows no form within max_age, and returns auth_time', async () => {
    const browser = new Browser();
    await signIn(browser, ADA);
    const { formShown, claims } = await signIn(browser, ADA, { max_age: '900' });

    expect(formShown).toBe(false);
    expect(claims?.auth_time).toBeTypeOf('number');
  });

  test('escapes HTML in a submitted e-mail address', async () => {
    const browser = new Browser();
    const { url } = await startRequest();
    const form = await browser.open(url);

    const { html } = await browser.open(form.url, { email: '"><script>alert(1)</script>', password: 'x' });

    expect(html).toContain('&#34;&#62;&#60;script&#62;');
    expect(html).not.toContain('<script');
  });

  test('returns 400 when another browser submits the form', async () => {
    const { url } = await startRequest();
    const form = await new Browser().open(url);

    const otherBrowserPage = await new Browser().open(form.url, ADA);

    expect(otherBrowserPage.status).toBe(400);
    expect(otherBrowserPage.html).toContain('expired');
  });
});

describe('an authorization request', () => {
  test.each([
    ['without a PKCE challenge', ['code_challenge', 'code_challenge_method'], {}],
    ['with a plain challenge', [], { code_challenge_method: 'plain' }],
    ['for a token in the address', [], { response_type: 'token' }],
  ])('redirects to the callback with an error %s', async (_case, omitted, extra) => {
    const { url } = await startRequest(extra);
    for (const name of omitted) url.searchParams.delete(name);

    const page = await new Browser().open(url);

    expect(page.url.href).toContain(CALLBACK);
    expect(page.url.href).toContain('error=');
    expect(page.url.href).not.toContain('code=');
  });

  test.each([
    ['another redirect URI', { redirect_uri: 'http://127.0.0.1:3000/elsewhere' }],
    ['an unknown client', { client_id: 'somebody' }],
  ])('returns 400 without a redirect for %s', async (_case, extra) => {
    const { url } = await startRequest(extra);

    const page = await new Browser().open(url);

    expect(page.status).toBe(400);
    expect(page.url.origin).toBe(engine.url);
    expect(isForm(page)).toBe(false);
  });

  test('issues a code that requires its PKCE verifier', async () => {
    const browser = new Browser();
    const { url } = await startRequest();
    const form = await browser.open(url);
    const { url: callback } = await browser.open(form.url, ADA);
    const answer = await fetch(`${engine.url}/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: CLIENT.id,
        redirect_uri: CALLBACK,
        code: callback.searchParams.get('code') ?? '',
        code_verifier: client.randomPKCECodeVerifier(),
      }),
    });

    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: 'invalid_grant' });
  });
});

describe('the sign-in form', () => {
  test('allows only its own style, and no scripts or frames', async () => {
    const { url } = await startRequest();
    const { html, headers } = await new Browser().open(url);
    const [, style = ''] = /<style>(.*?)<\/style>/s.exec(html) ?? [];
    const hash = createHash('sha256').update(style).digest('base64');

    expect(headers.get('content-security-policy')).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; frame-ancestors 'none'`,
    );
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test('labels its fields for people and password managers', async () => {
    const { url } = await startRequest({ login_hint: ADA.email });
    const { html } = await new Browser().open(url);

    expect(html).toMatch(/<html lang="en">/);
    expect(html).toMatch(/<label for="email">.*<input id="email" name="email" .*autocomplete="username"/s);
    expect(html).toMatch(/<label for="password">.*<input id="password" .*autocomplete="current-password"/s);
    expect(html).toContain(`value="${ADA.email}"`);
  });
});

describe('the provider', () => {
  test('keeps its issuer, keys and users across a restart', async () => {
    const { url: issuer } = engine;
    const before = await signIn(new Browser(), ADA);
    await engine.stop();
    await start();

    const after = await signIn(new Browser(), ADA);
    const keys = createRemoteJWKSet(new URL(`${engine.url}/jwks`));
    const { payload } = await jwtVerify(before.idToken, keys, { issuer });

    expect(engine.url).toBe(issuer);
    expect([payload.sub, after.claims?.sub]).toEqual([before.claims?.sub, before.claims?.sub]);
  });

  test('uses another port when its own port is in use', async () => {
    const { port } = new URL(engine.url);
    await engine.stop();
    const otherServer = createServer().listen(Number(port), '127.0.0.1');
    await new Promise((resolve) => otherServer.once('listening', resolve));
    await start();
    const { claims } = await signIn(new Browser(), ADA);
    otherServer.close();

    expect(new URL(engine.url).port).not.toBe(port);
    expect(claims?.iss).toBe(engine.url);
  });

  test('stores its files for the owner only, and stores no passwords', async () => {
    await signIn(new Browser(), ADA);
    const folder = join(data.path, 'identity-provider');
    const files = readdirSync(folder).map((name) => join(folder, name));

    expect(files.map((file) => statSync(file).mode & 0o777)).toEqual([0o600, 0o600, 0o600]);
    for (const file of files) expect(readFileSync(file, 'utf8')).not.toContain(ADA.password);
  });

  test('returns 421 for another host name', async () => {
    const status = await new Promise<number | undefined>((resolve) =>
      request(`${engine.url}/.well-known/openid-configuration`, { headers: { host: 'example.org' } })
        .once('response', (response) => resolve(response.resume().statusCode))
        .end(),
    );

    expect(status).toBe(421);
  });
});

describe('a user', () => {
  test('keeps the subject when the password changes, and rejects the old password', async () => {
    const old = { email: 'carol@example.org', password: 'an old password' };
    await registerUser(data.path, old);
    const before = await signIn(new Browser(), old);
    const changed = { ...old, password: 'a new password' };
    await registerUser(data.path, changed);

    const after = await signIn(new Browser(), changed);
    const browser = new Browser();
    const { url } = await startRequest();
    const refused = await browser.open((await browser.open(url)).url, old);

    expect(after.claims?.sub).toBe(before.claims?.sub);
    expect(refused.status).toBe(401);
  });

  test('can sign in to a browser with the session of another user', async () => {
    const browser = new Browser();
    const ada = await signIn(browser, ADA);
    const bob = await signIn(browser, BOB, { prompt: 'login' });

    expect(bob.claims).toMatchObject({ email: BOB.email });
    expect(bob.claims?.sub).not.toBe(ada.claims?.sub);
  });
});

describe('a demo user', () => {
  const demo = { email: 'viewer@acme.example', name: 'Viewer of Acme' };
  beforeAll(() => registerDemoUser(data.path, demo));

  test('signs in from the list of the sign-in page, without a password', async () => {
    const browser = new Browser();
    const { url, redeem } = await startRequest();
    const form = await browser.open(url);

    const tokens = await redeem((await browser.open(form.url, { demo: demo.email })).url);

    expect(form.html).toContain(`value="${demo.email}">${demo.name}`);
    expect(tokens.claims()).toMatchObject({ email: demo.email, email_verified: true });
  });

  test('is the only user whose address is enough', async () => {
    const browser = new Browser();
    const form = await browser.open((await startRequest()).url);

    for (const fields of [{ demo: ADA.email }, { demo: '' }, { email: demo.email, password: '' }])
      expect((await browser.open(form.url, fields)).status).toBe(401);
    expect(form.html).not.toContain(ADA.email);
  });
});

describe('a sign-out', () => {
  const signOutUrl = (returnTo: string): URL => {
    const url = new URL('/session/end', engine.url);
    url.search = String(new URLSearchParams({ client_id: CLIENT.id, post_logout_redirect_uri: returnTo }));
    return url;
  };
  const fieldsOf = ({ html }: BrowserPage) => ({
    xsrf: /name="xsrf" value="([^"]+)"/.exec(html)?.[1] ?? '',
    logout: 'yes',
  });

  test('asks, ends the session and returns to the registered address', async () => {
    const browser = new Browser();
    await signIn(browser, ADA);
    const page = await browser.open(signOutUrl(SIGNED_OUT));

    const { url } = await browser.open(new URL('/session/end/confirm', engine.url), fieldsOf(page));

    expect(page.html).toContain('<h1>Sign out</h1>');
    expect(url.href).toBe(SIGNED_OUT);
    expect((await signIn(browser, ADA)).formShown).toBe(true);
  });

  test('returns 400 for another address', async () => {
    expect((await new Browser().open(signOutUrl('https://evil.example/'))).status).toBe(400);
  });
});
