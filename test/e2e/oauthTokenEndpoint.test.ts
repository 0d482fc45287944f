import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scopeNames } from '../../schemas/identity/scopes.ts';
import { type Answer, call, someEvent } from '../support/client.ts';
import type { Instance } from '../support/instance.ts';
import { demoTenants } from '../support/localService.ts';
import { sharedInstance } from '../support/sharedInstance.ts';
import { tamper } from '../support/tamper.ts';

const LIST = '/v1/attribution';
const TOKEN = '/v1/oauth/token';

let instance: Instance;
let client: { client_id: string; client_secret: string };

beforeAll(async () => {
  instance = await sharedInstance();
  const { acme: tenant } = demoTenants(instance.credentials);
  client = tenant.oauth_client;
});
afterAll(() => instance?.stop());

const bearing = (token: string, path = LIST, body?: unknown): Promise<Answer> =>
  call(instance.baseUrl, path, {
    headers: { authorization: `Bearer ${token}` },
    ...(body !== undefined && { body }),
  });

describe('POST /v1/oauth/token with client credentials', () => {
  const basic = (id: string, secret: string) => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
  const ask = (form: string, headers: Record<string, string> = {}, method = 'POST'): Promise<Answer> =>
    call(instance.baseUrl, TOKEN, {
      method,
      ...(method === 'POST' && { body: form }),
      idempotencyKey: null,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    });
  const formWith = (more: Record<string, string> = {}): string =>
    new URLSearchParams({ grant_type: 'client_credentials', ...client, ...more }).toString();
  const inHeader = () => ({ authorization: basic(client.client_id, client.client_secret) });

  it.each([
    ['form', () => ask(formWith())],
    ['header', () => ask('grant_type=client_credentials', inHeader())],
  ])('returns a working token to a client that authenticates in the %s', async (_, act) => {
    const answer = await act();
    const token = String(answer.body['access_token']);

    expect(answer).toMatchObject({
      status: 200,
      body: { token_type: 'Bearer', expires_in: 900, scope: 'ingest:write read:attribution read:reporting' },
    });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect((await bearing(token)).status).toBe(200);
    expect((await bearing(token, '/api/v1/invocations', someEvent())).status).toBe(202);
  });

  it('returns a token limited to the requested scope', async () => {
    const answer = await ask(formWith({ scope: 'ingest:write ingest:write' }));
    const token = String(answer.body['access_token']);

    expect(answer.body['scope']).toBe('ingest:write');
    expect(await bearing(token)).toMatchObject({ status: 403, body: { error_code: 'INSUFFICIENT_SCOPE' } });
  });

  it.each<[string, number, string, () => Promise<Answer>]>([
    ['a repeated parameter', 400, 'invalid_request', () => ask(`${formWith()}&scope=ingest%3Awrite&scope=`)],
    ['both ways to authenticate', 400, 'invalid_request', () => ask(formWith(), inHeader())],
    ['no grant type', 400, 'invalid_request', () => ask('', inHeader())],
    ['another grant', 400, 'unsupported_grant_type', () => ask(formWith({ grant_type: 'password' }))],
    ['a scope it does not have', 400, 'invalid_scope', () => ask(formWith({ scope: scopeNames.join(' ') }))],
    ['an unknown scope', 400, 'invalid_scope', () => ask(formWith({ scope: 'everything' }))],
    ['no client', 401, 'invalid_client', () => ask('grant_type=client_credentials')],
    ['no body', 401, 'invalid_client', () => ask('')],
    ['a wrong secret', 401, 'invalid_client', () => ask(formWith({ client_secret: 'acs_wrong' }))],
    [
      'a wrong secret in its header',
      401,
      'invalid_client',
      () => ask('grant_type=client_credentials', { authorization: basic(client.client_id, 'b') }),
    ],
    [
      'an unknown client',
      401,
      'invalid_client',
      () => ask(formWith({ client_id: tamper(client.client_id) })),
    ],
    [
      'a client id longer than a table key',
      401,
      'invalid_client',
      () => ask(formWith({ client_id: 'c'.repeat(9_000) })),
    ],
    [
      'a Bearer header',
      401,
      'invalid_client',
      () => ask('grant_type=client_credentials', { authorization: `Bearer ${client.client_secret}` }),
    ],
    [
      'a malformed Basic header',
      401,
      'invalid_client',
      () => ask('grant_type=client_credentials', { authorization: 'Basic !!!' }),
    ],
    ['a JSON body', 415, 'invalid_request', () => ask('{}', { 'content-type': 'application/json' })],
    ['a body too large', 413, 'invalid_request', () => ask('a'.repeat(20_000))],
  ])('rejects %s', async (_, status, error, act) => {
    const answer = await act();

    expect(answer).toMatchObject({ status, body: { status, error } });
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('x-amzn-remapped-www-authenticate') !== null).toBe(status === 401);
  });

  it('returns the same error for an unknown client and a wrong secret', async () => {
    const unknown = await ask(formWith({ client_id: tamper(client.client_id) }));
    const wrong = await ask(formWith({ client_secret: `${client.client_secret}x` }));

    expect({ ...unknown.body, trace_id: '' }).toEqual({ ...wrong.body, trace_id: '' });
  });

  it('returns 405 for GET', async () => {
    const answer = await ask('', {}, 'GET');

    expect(answer).toMatchObject({ status: 405, body: { status: 405, error: 'invalid_request' } });
    expect(answer.headers.get('allow')).toBe('POST');
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it('publishes only public members of its signing key', async () => {
    const { body } = await call(instance.baseUrl, '/.well-known/jwks.json');

    const members = ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'];
    expect(Object(body['keys']).map((key: object) => Object.keys(key).sort())).toEqual([members]);
  });
});
