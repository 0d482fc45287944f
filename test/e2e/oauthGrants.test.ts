import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AuditEntry } from '../../schemas/identity/audit.ts';
import { Browser } from '../local/engines/browser.ts';
import { type Answer, call } from '../support/client.ts';
import { expectNoFaults, unequal } from '../support/faults.ts';
import type { Instance } from '../support/instance.ts';
import { demoTenants, documentsIn } from '../support/localService.ts';
import { sharedInstance } from '../support/sharedInstance.ts';
import {
  bearing,
  type Client,
  type CodeWithVerifier,
  newCode,
  newVerifier,
  type Person,
  post,
  REDIRECT_URI,
  redeem,
  refresh,
  registerClient,
} from '../support/signIn.ts';
import { usersOf } from '../support/users.ts';

let instance: Instance;
let baseUrl: string;
let client: Client;
let publicClient: Client;
let person: Person;
let users: Awaited<ReturnType<typeof usersOf>>;
/** Has a session at the identity provider, so that new codes need no sign-in form. */
const browser = new Browser();

beforeAll(async () => {
  instance = await sharedInstance();
  baseUrl = instance.baseUrl;
  const { acme: tenant } = demoTenants(instance.credentials);
  person = tenant.user;
  users = await usersOf(instance);
  client = await registerClient(instance);
  publicClient = await registerClient(instance, { token_endpoint_auth_method: 'none' });
});
afterAll(() => instance?.stop());

const freshCode = (by = client): Promise<CodeWithVerifier> => newCode(instance, by, person, { browser });
/** The tokens of a new grant. */
const issueTokens = async (by = client): Promise<Record<string, unknown>> => {
  const { status, body, text } = await redeem(baseUrl, by, await freshCode(by));
  if (status !== 200) throw new Error(text);
  return body;
};

/** What a refusal says, and that it has no token and is not stored. */
const refusalOf = ({ status, body, headers }: Answer) => ({
  status: [status, body['status']],
  error: body['error'],
  description: typeof body['error_description'],
  hasToken: 'access_token' in body,
  cacheControl: headers.get('cache-control'),
});
const refused = (status: number, error: string): ReturnType<typeof refusalOf> => ({
  status: [status, status],
  error,
  description: 'string',
  hasToken: false,
  cacheControl: 'no-store',
});
const expectRefused = (answer: Answer, error: string, status = 400): void => {
  expect(refusalOf(answer), answer.text).toEqual(refused(status, error));
};

const auditOf = async (action: string): Promise<AuditEntry[]> => {
  const entries = await documentsIn(instance.credentials, 'audit', AuditEntry);
  return entries.filter((entry) => entry.action === action);
};
const grantIdOf = ({ access_token }: Record<string, unknown>): string =>
  JSON.parse(Buffer.from(String(access_token).split('.')[1] ?? '', 'base64url').toString()).grant_id;
const auditEntriesOf = async (action: string, tokens: Record<string, unknown>) =>
  (await auditOf(action)).filter(({ resource }) => resource === grantIdOf(tokens));

/** Status of a request with the access token. */
const statusOf = async (tokens: Record<string, unknown>) =>
  (await bearing(baseUrl, tokens['access_token'])).status;

describe('authorization code', () => {
  it('returns an access token for the user and a refresh token', async () => {
    const answer = await redeem(baseUrl, client, await freshCode());

    expect(answer).toMatchObject({
      status: 200,
      body: {
        access_token: expect.stringMatching(/^ey/),
        token_type: 'Bearer',
        expires_in: 900,
        scope: 'read:attribution read:reporting admin:config',
        refresh_token: expect.stringMatching(/^art_[a-z2-7]{8}[0-9A-Z]{26}_\w{43}$/),
      },
    });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await statusOf(answer.body)).toBe(200);
  });

  it('returns no refresh token to a client without the refresh_token grant', async () => {
    const once = await registerClient(instance, { grant_types: ['authorization_code'] });

    const { body } = await redeem(baseUrl, once, await freshCode(once));

    expect(Object.keys(body).sort()).toEqual(['access_token', 'expires_in', 'scope', 'token_type']);
  });

  /** What is wrong with a redemption, its error, and how it differs from the right one. */
  const wrong: readonly [string, string, (good: CodeWithVerifier) => Record<string, string | undefined>][] = [
    ['no verifier', 'invalid_request', () => ({ code_verifier: undefined })],
    ['an empty verifier', 'invalid_request', () => ({ code_verifier: '' })],
    ['another verifier', 'invalid_grant', () => ({ code_verifier: newVerifier() })],
    ['a truncated verifier', 'invalid_grant', ({ verifier }) => ({ code_verifier: verifier.slice(0, -1) })],
    ['a padded verifier', 'invalid_grant', ({ verifier }) => ({ code_verifier: `${verifier}=` })],
    ['a short verifier', 'invalid_grant', () => ({ code_verifier: 'short' })],
    ['a long verifier', 'invalid_grant', () => ({ code_verifier: 'a'.repeat(129) })],
    ['the method plain', 'invalid_grant', () => ({ code_verifier: 'x', code_challenge_method: 'plain' })],
    ['no redirect URI', 'invalid_request', () => ({ redirect_uri: undefined })],
    ['another redirect URI', 'invalid_grant', () => ({ redirect_uri: `${REDIRECT_URI}/` })],
    [
      'a redirect URI in another case',
      'invalid_grant',
      () => ({ redirect_uri: 'https://APP.example.com/callback' }),
    ],
    ['a redirect URI with an extra query', 'invalid_grant', () => ({ redirect_uri: `${REDIRECT_URI}?x=1` })],
    [
      'a redirect URI with its default port',
      'invalid_grant',
      () => ({ redirect_uri: 'https://app.example.com:443/callback' }),
    ],
    [
      'a redirect URI with user info',
      'invalid_grant',
      () => ({ redirect_uri: 'https://a@app.example.com/callback' }),
    ],
    ['no code', 'invalid_request', () => ({ code: undefined })],
    ['a code in another case', 'invalid_grant', ({ code }) => ({ code: code.toLowerCase() })],
    ['an unknown code', 'invalid_grant', () => ({ code: 'a'.repeat(43) })],
    ['a code that is too long', 'invalid_grant', () => ({ code: 'a'.repeat(9_000) })],
  ];

  it('is rejected with anything wrong, and stays valid for its client', async () => {
    const code = await freshCode();

    await expectNoFaults(
      wrong,
      ([name]) => name,
      async ([, error, change]) =>
        unequal('is', refusalOf(await redeem(baseUrl, client, code, change(code))), refused(400, error)),
    );
    expect((await redeem(baseUrl, client, code)).status).toBe(200);
  });

  it('is rejected for another client, and stays valid for its own', async () => {
    const code = await freshCode();

    for (const other of [publicClient, await registerClient(instance, {}, 1)]) {
      expectRefused(await redeem(baseUrl, other, code), 'invalid_grant');
    }
    expect((await redeem(baseUrl, client, code)).status).toBe(200);
  });

  it('revokes its tokens on reuse, with one audit entry', async () => {
    const code = await freshCode();
    const first = await redeem(baseUrl, client, code);
    const before = await statusOf(first.body);

    const again = [await redeem(baseUrl, client, code), await redeem(baseUrl, client, code)];

    for (const answer of again) expectRefused(answer, 'invalid_grant');
    expect([before, await statusOf(first.body)]).toEqual([200, 401]);
    expectRefused(await refresh(baseUrl, client, first.body['refresh_token']), 'invalid_grant');
    expect(await auditEntriesOf('token.reuse', first.body)).toMatchObject([
      { actor: { type: 'oauth_client', id: client.client_id }, outcome: 'succeeded', source_ip: '127.0.0.1' },
    ]);
  });

  it.each([
    ['another client', async () => publicClient, {}],
    ['its client without the verifier', async () => client, { code_verifier: 'a'.repeat(43) }],
  ])('revokes nothing on reuse by %s', async (_, by, change) => {
    const code = await freshCode();
    const { body } = await redeem(baseUrl, client, code);

    expectRefused(await redeem(baseUrl, await by(), code, change), 'invalid_grant');
    expect(await statusOf(body)).toBe(200);
  });

  it.each([
    ['confidential', () => client],
    ['public', () => publicClient],
  ])(
    'redeemed 20 times concurrently by a %s client returns one token, which is then revoked',
    async (_, by) => {
      const code = await freshCode(by());

      const answers = await Promise.all(Array.from({ length: 20 }, () => redeem(baseUrl, by(), code)));

      const [winner, ...others] = answers.toSorted((one, other) => one.status - other.status);
      expect(winner?.status).toBe(200);
      for (const answer of others) expectRefused(answer, 'invalid_grant');
      expect(await statusOf(winner?.body ?? {})).toBe(401);
      expectRefused(await refresh(baseUrl, by(), winner?.body['refresh_token']), 'invalid_grant');
      expect(await auditEntriesOf('token.reuse', winner?.body ?? {})).toHaveLength(1);
    },
  );
});

describe('refresh token', () => {
  it('returns a new access token and a new refresh token', async () => {
    const first = await issueTokens();

    const second = await refresh(baseUrl, client, first['refresh_token']);
    const third = await refresh(baseUrl, client, second.body['refresh_token']);

    expect([second.status, third.status]).toEqual([200, 200]);
    expect(new Set([first, second.body, third.body].map((body) => body['refresh_token'])).size).toBe(3);
    expect(await Promise.all([first, second.body, third.body].map(statusOf))).toEqual([200, 200, 200]);
  });

  it('narrows the scope of one access token, and never widens it', async () => {
    const first = await newCode(instance, client, person, {
      browser,
      parameters: { scope: 'read:attribution read:reporting' },
    }).then((code) => redeem(baseUrl, client, code));

    const narrowed = await refresh(baseUrl, client, first.body['refresh_token'], { scope: 'read:reporting' });
    const wide = await refresh(baseUrl, client, narrowed.body['refresh_token'], { scope: 'admin:config' });
    const whole = await refresh(baseUrl, client, narrowed.body['refresh_token']);

    expect(narrowed.body['scope']).toBe('read:reporting');
    expect(await statusOf(narrowed.body)).toBe(403);
    expectRefused(wide, 'invalid_scope');
    // The rejected request did not consume the refresh token, and the grant keeps its original scope.
    expect(whole.body['scope']).toBe('read:attribution read:reporting');
  });

  it('revokes the grant and all its tokens on reuse, with one audit entry', async () => {
    const first = await issueTokens();
    const second = await refresh(baseUrl, client, first['refresh_token']);

    const again = await refresh(baseUrl, client, first['refresh_token']);

    expectRefused(again, 'invalid_grant');
    expect(await Promise.all([first, second.body].map(statusOf))).toEqual([401, 401]);
    expectRefused(await refresh(baseUrl, client, second.body['refresh_token']), 'invalid_grant');
    expect(await auditEntriesOf('token.reuse', first)).toHaveLength(1);
  });

  it('used 20 times concurrently returns at most one token, which is then revoked', async () => {
    const first = await issueTokens();

    const answers = await Promise.all(
      Array.from({ length: 20 }, () => refresh(baseUrl, client, first['refresh_token'])),
    );

    const issued = answers.filter(({ status }) => status === 200);
    expect(issued.length).toBeLessThanOrEqual(1);
    for (const answer of answers.filter(({ status }) => status !== 200))
      expectRefused(answer, 'invalid_grant');
    expect(await Promise.all([first, ...issued.map(({ body }) => body)].map(statusOf))).toEqual(
      Array(1 + issued.length).fill(401),
    );
    expect(await auditEntriesOf('token.reuse', first)).toHaveLength(1);
  });

  it('is rejected for another client, and stays valid', async () => {
    const { refresh_token } = await issueTokens();

    expectRefused(await refresh(baseUrl, publicClient, refresh_token), 'invalid_grant');
    expectRefused(
      await refresh(baseUrl, publicClient, `${refresh_token}`.replace(/.$/, '')),
      'invalid_grant',
    );
    expect((await refresh(baseUrl, client, refresh_token)).status).toBe(200);
  });

  it.each([
    '',
    'art_',
    'nothing',
    `art_k3vcq2mc01ARZ3NDEKTSV4RRFFQ69G5FAV_${'a'.repeat(43)}`,
    'a'.repeat(9_000),
  ])('is rejected when it is %.20j', async (text) => {
    expectRefused(await refresh(baseUrl, client, text), text === '' ? 'invalid_request' : 'invalid_grant');
  });

  it('is rejected as an access token, and an access token as a refresh token', async () => {
    const { access_token, refresh_token } = await issueTokens();

    expect((await bearing(baseUrl, refresh_token)).status).toBe(401);
    expectRefused(await refresh(baseUrl, client, access_token), 'invalid_grant');
  });
});

describe('change of the user or client of a grant', () => {
  const member = async () => {
    const user = await users.stranger();
    await users.employ(user, 'admin');
    const { body } = await redeem(baseUrl, client, await newCode(instance, client, user));
    return { user, body };
  };

  it('rejects every token from the next request on when the user is removed', async () => {
    const { user, body } = await member();
    const before = await statusOf(body);
    await users.remove(user);

    expect([before, await statusOf(body)]).toEqual([200, 401]);
    expectRefused(await refresh(baseUrl, client, body['refresh_token']), 'invalid_grant');
  });

  it('rejects the code when the user is removed before redemption', async () => {
    const user = await users.stranger();
    await users.employ(user, 'admin');
    const code = await newCode(instance, client, user);
    await users.remove(user);

    expectRefused(await redeem(baseUrl, client, code), 'invalid_grant');
  });

  it('reduces the scopes of existing and refreshed tokens when the role is lowered', async () => {
    const { user, body } = await member();
    const keys = () => bearing(baseUrl, body['access_token'], '/api/v1/api-keys');
    const before = await keys();
    await users.employ(user, 'viewer');

    const after = await keys();
    const renewed = await refresh(baseUrl, client, body['refresh_token']);

    expect([before.status, after.status]).toEqual([200, 403]);
    expect(renewed.body['scope']).toBe('read:reporting');
  });

  it('keeps the granted scopes when the role is raised', async () => {
    const user = await users.stranger();
    await users.employ(user, 'viewer');
    const { body } = await redeem(baseUrl, client, await newCode(instance, client, user));
    await users.employ(user, 'admin');

    const renewed = await refresh(baseUrl, client, body['refresh_token']);

    expect(renewed.body['scope']).toBe('read:reporting');
  });

  it('rejects every token when the client is deleted', async () => {
    const gone = await registerClient(instance);
    const tokens = await issueTokens(gone);
    const key = instance.credentials.tenants[0]?.api_keys.admin ?? '';
    await call(baseUrl, `/api/v1/oauth-clients/${gone.client_id}`, { method: 'DELETE', key });

    expect(await statusOf(tokens)).toBe(401);
    expectRefused(await refresh(baseUrl, gone, tokens['refresh_token']), 'invalid_client', 401);
  });
});

describe('client of POST /v1/oauth/token', () => {
  const SELF = { grant_type: 'client_credentials' };

  it('returns unauthorized_client for a grant type that is not registered', async () => {
    const machine = instance.credentials.tenants[0]?.oauth_client ?? { client_id: '', client_secret: '' };
    const codeOnly = await registerClient(instance, { grant_types: ['authorization_code'] });

    expectRefused(await post(baseUrl, 'token', client, SELF), 'unauthorized_client');
    expectRefused(await post(baseUrl, 'token', publicClient, SELF), 'unauthorized_client');
    expectRefused(await redeem(baseUrl, machine, { code: 'c', verifier: 'v' }), 'unauthorized_client');
    expectRefused(await refresh(baseUrl, codeOnly, 'art_x'), 'unauthorized_client');
  });

  const impostors: readonly [string, () => Client][] = [
    ['that is public but brings a secret', () => ({ ...publicClient, client_secret: 'acs_guess' })],
    ['that is public but brings an empty secret', () => ({ ...publicClient, client_secret: '' })],
    ['that is confidential but brings no secret', () => ({ ...client, client_secret: null })],
    ['that is confidential but brings an empty secret', () => ({ ...client, client_secret: '' })],
    [
      'with the secret of another',
      () => ({ ...client, client_secret: instance.credentials.tenants[0]?.oauth_client.client_secret ?? '' }),
    ],
  ];

  it('returns invalid_client for a client with another secret than its own, or with one too many or too few', async () => {
    const code = await freshCode();

    await expectNoFaults(
      impostors,
      ([name]) => name,
      async ([, by]) =>
        unequal('is', refusalOf(await redeem(baseUrl, by(), code)), refused(401, 'invalid_client')),
    );
  });

  it('returns invalid_client for a public client with HTTP Basic', async () => {
    const { code, verifier } = await freshCode(publicClient);
    const form = {
      grant_type: 'authorization_code',
      code,
      code_verifier: verifier,
      redirect_uri: REDIRECT_URI,
    };
    const answer = await call(baseUrl, '/v1/oauth/token', {
      body: new URLSearchParams(form).toString(),
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        authorization: `Basic ${Buffer.from(`${publicClient.client_id}:`).toString('base64')}`,
      },
    });

    expectRefused(answer, 'invalid_client', 401);
  });
});
