import { afterAll, describe, expect, it } from 'vitest';
import { AuditEntry } from '../../schemas/identity/audit.ts';
import { Browser } from '../local/engines/browser.ts';
import { type Answer, call } from '../support/client.ts';
import { demoTenants, documentsIn } from '../support/localService.ts';
import { sharedInstance } from '../support/sharedInstance.ts';
import { bearing, newCode, post, redeem, refresh, registerClient } from '../support/signIn.ts';

const EVERY_GRANT = ['client_credentials', 'authorization_code', 'refresh_token'];

const browser = new Browser();

const instance = await sharedInstance();
const baseUrl = instance.baseUrl;
const client = await registerClient(instance, { grant_types: EVERY_GRANT });
const other = await registerClient(instance, { token_endpoint_auth_method: 'none' });
const foreign = await registerClient(instance, { grant_types: EVERY_GRANT }, 1);
afterAll(() => instance.stop());

type Tokens = Record<string, unknown>;
const ownToken = async (): Promise<Tokens> =>
  (await post(baseUrl, 'token', client, { grant_type: 'client_credentials' })).body;
const usersTokens = async (by = client): Promise<Tokens> => {
  const { acme: tenant } = demoTenants(instance.credentials);
  return (await redeem(baseUrl, by, await newCode(instance, by, tenant.user, { browser }))).body;
};

const revoke = (token: unknown, by = client, more: Record<string, string> = {}): Promise<Answer> =>
  post(baseUrl, 'revoke', by, { token: String(token), ...more });
const statusOf = async ({ access_token }: Tokens) => (await bearing(baseUrl, access_token)).status;

const claimsOf = ({ access_token }: Tokens): Record<string, string> =>
  JSON.parse(Buffer.from(String(access_token).split('.')[1] ?? '', 'base64url').toString());
/** The audited actions on a resource, in order. */
const auditActionsOf = async (resource: string | undefined): Promise<string[]> => {
  const entries = await documentsIn(instance.credentials, 'audit', AuditEntry);
  return entries.filter((entry) => entry.resource === resource).map(({ action }) => action);
};

const expectRevoked = (answer: Answer): void => {
  expect(answer).toMatchObject({ status: 200, body: {} });
  expect(answer.text).toBe('{}');
  expect(answer.headers.get('cache-control')).toBe('no-store');
};

describe('POST /v1/oauth/revoke', () => {
  it('revokes only the given client credentials token, from the next request on', async () => {
    const [token, sibling] = [await ownToken(), await ownToken()];
    const before = await statusOf(token);

    expectRevoked(await revoke(token['access_token']));

    expect([before, await statusOf(token), await statusOf(sibling)]).toEqual([200, 401, 200]);
    expect(await auditActionsOf(claimsOf(token)['jti'])).toEqual(['token.revoke']);
  });

  it.each(['access_token', 'refresh_token'])('revokes the whole grant for the %s of a user', async (kind) => {
    const first = await usersTokens();
    const second = (await refresh(baseUrl, client, first['refresh_token'])).body;
    const sibling = await usersTokens();

    expectRevoked(await revoke(second[kind]));

    expect(await Promise.all([first, second, sibling].map(statusOf))).toEqual([401, 401, 200]);
    const renewal = await refresh(baseUrl, client, second['refresh_token']);
    expect(renewal).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(await auditActionsOf(claimsOf(first)['grant_id'])).toEqual(['user.sign_in', 'token.revoke']);
  });

  it('revokes the grant for a used refresh token, and audits it as reuse', async () => {
    const first = await usersTokens();
    const second = (await refresh(baseUrl, client, first['refresh_token'])).body;

    expectRevoked(await revoke(first['refresh_token']));

    expect(await statusOf(second)).toBe(401);
    expect(await auditActionsOf(claimsOf(first)['grant_id'])).toEqual(['user.sign_in', 'token.reuse']);
  });

  it('authenticates a public client by its id only', async () => {
    const tokens = await usersTokens(other);

    expectRevoked(await revoke(tokens['refresh_token'], other));

    expect(await statusOf(tokens)).toBe(401);
  });

  it('is idempotent for repeated and concurrent requests', async () => {
    const [token, users] = [await ownToken(), await usersTokens()];
    const again = (text: unknown) => Promise.all(Array.from({ length: 12 }, () => revoke(text)));

    for (const answer of [
      ...(await again(token['access_token'])),
      ...(await again(users['refresh_token'])),
      await revoke(token['access_token']),
      await revoke(users['access_token']),
    ]) {
      expectRevoked(answer);
    }
    expect(await auditActionsOf(claimsOf(token)['jti'])).toEqual(['token.revoke']);
    expect(await auditActionsOf(claimsOf(users)['grant_id'])).toEqual(['user.sign_in', 'token.revoke']);
  });

  it.each(['access_token', 'refresh_token', 'saml2_assertion', ''])(
    'finds the token with any token_type_hint: %j',
    async (token_type_hint) => {
      const [token, users] = [await ownToken(), await usersTokens()];

      expectRevoked(await revoke(token['access_token'], client, { token_type_hint }));
      expectRevoked(await revoke(users['refresh_token'], client, { token_type_hint }));

      expect(await Promise.all([token, users].map(statusOf))).toEqual([401, 401]);
    },
  );

  it.each([
    ['of the same tenant', () => other],
    ['of another tenant', () => foreign],
  ])(
    'returns 200 and revokes nothing for a token of another client, requested by a client %s',
    async (_, by) => {
      const [token, users] = [await ownToken(), await usersTokens()];

      for (const text of [token['access_token'], users['access_token'], users['refresh_token']]) {
        expectRevoked(await revoke(text, by()));
      }

      expect(await Promise.all([token, users].map(statusOf))).toEqual([200, 200]);
      expect((await refresh(baseUrl, client, users['refresh_token'])).status).toBe(200);
    },
  );

  it.each([
    'nothing',
    'e30.e30.e30',
    'a'.repeat(9_000),
    `art_k3vcq2mc01ARZ3NDEKTSV4RRFFQ69G5FAV_${'a'.repeat(43)}`,
    'ask_test_key',
  ])('returns 200 for an invalid token: %.24j', async (text) => {
    expectRevoked(await revoke(text));
  });
});

describe('authentication of POST /v1/oauth/revoke', () => {
  const send = (body: string, headers: Record<string, string> = {}) =>
    call(baseUrl, '/v1/oauth/revoke', {
      body,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      idempotencyKey: null,
    });
  const form = (members: Record<string, string>) =>
    new URLSearchParams({ client_id: client.client_id, ...members }).toString();
  const secret = () => ({ client_secret: client.client_secret ?? '' });
  const basic = () => ({
    authorization: `Basic ${Buffer.from(`${client.client_id}:${client.client_secret}`).toString('base64')}`,
  });

  it('accepts HTTP Basic', async () => {
    const token = await ownToken();

    expectRevoked(await send(`token=${token['access_token']}`, basic()));
    expect(await statusOf(token)).toBe(401);
  });

  it.each<[string, number, string, () => Promise<Answer>]>([
    ['without a client', 401, 'invalid_client', () => send('token=x')],
    ['without the secret', 401, 'invalid_client', () => send(form({ token: 'x' }))],
    [
      'with a wrong secret',
      401,
      'invalid_client',
      () => send(form({ token: 'x', client_secret: 'acs_wrong' })),
    ],
    [
      'with both authentication methods',
      400,
      'invalid_request',
      () => send(form({ token: 'x', ...secret() }), basic()),
    ],
    ['without a token', 400, 'invalid_request', () => send(form(secret()))],
    ['with an empty token', 400, 'invalid_request', () => send(form({ token: '', ...secret() }))],
    ['with two tokens', 400, 'invalid_request', () => send(`${form({ token: 'x', ...secret() })}&token=y`)],
    ['in JSON', 415, 'invalid_request', () => send('{}', { 'content-type': 'application/json' })],
  ])('rejects a request %s', async (_, status, error, act) => {
    expect(await act()).toMatchObject({ status, body: { status, error } });
  });

  it('revokes nothing when the request is rejected', async () => {
    const token = await ownToken();
    await send(`token=${token['access_token']}`);
    await send(form({ token: String(token['access_token']), client_secret: 'acs_wrong' }));

    expect(await statusOf(token)).toBe(200);
  });
});
