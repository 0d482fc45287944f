import { afterAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { scopeNames } from '../../schemas/identity/scopes.ts';
import { OAuthClientRecord } from '../../schemas/routes/identity/oauthClients.ts';
import { ABSENT_ULID } from '../platform/apiDocs/contract/requests.ts';
import { type Answer, call } from '../support/client.ts';
import { expectNoFaults, unequal } from '../support/faults.ts';
import { CLIENTS, CreatedClient, GOOD, KEYS, REFUSED, RIGHTS, startAdminInstance } from './adminInstance.ts';

const api = await startAdminInstance();
afterAll(() => api.stop());

interface Holder {
  readonly client_id: string;
  readonly client_secret: string;
}
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

/** Token endpoint response for a client. It authenticates by HTTP Basic, or in the form. */
const requestToken = (
  { client_id, client_secret }: Holder,
  scope?: string,
  by: 'basic' | 'post' = 'basic',
): Promise<Answer> => {
  const form = new URLSearchParams({ grant_type: 'client_credentials', ...(scope && { scope }) });
  const basic = Buffer.from(`${client_id}:${client_secret}`).toString('base64');
  if (by === 'post') {
    form.set('client_id', client_id);
    form.set('client_secret', client_secret);
  }
  return call(api.baseUrl, '/v1/oauth/token', {
    method: 'POST',
    body: form.toString(),
    idempotencyKey: null,
    headers: { ...FORM, ...(by === 'basic' && { authorization: `Basic ${basic}` }) },
  });
};
const tokenOf = async (holder: Holder, scope?: string): Promise<string> => {
  const { status, text, body } = await requestToken(holder, scope);
  expect(status, text).toBe(200);
  return z.string().parse(body['access_token']);
};
const bearing = (token: string) => ({ authorization: `Bearer ${token}` });
const statuses = async (token: string) => (await api.everywhere(bearing(token))).map(({ status }) => status);

describe('OAuth client creation', () => {
  it('returns the secret only once, and its tokens work in every unit', async () => {
    const answer = await api.send(CLIENTS, { body: RIGHTS });
    const { client_secret, ...record } = CreatedClient.parse(answer.body);
    const holder = { client_id: record.client_id, client_secret: client_secret ?? '' };

    expect(answer.status).toBe(201);
    expect(answer.headers.get('location')).toBe(`${CLIENTS}/${record.client_id}`);
    expect(record).toMatchObject({
      ...RIGHTS,
      residency: null,
      grant_types: ['client_credentials'],
      redirect_uris: [],
      token_endpoint_auth_method: 'client_secret_basic',
      previous_secret_valid_until: null,
      last_used_at: null,
    });
    expect(await api.send(`${CLIENTS}/${record.client_id}`)).toMatchObject({ status: 200, body: record });
    expect(await statuses(await tokenOf(holder))).toEqual(GOOD);
    expect((await requestToken(holder, undefined, 'post')).status).toBe(200);
  });

  it('limits tokens to the scopes of the client', async () => {
    const holder = await api.clients.create({ scopes: ['read:attribution', 'read:reporting'] });

    const [narrow, wide] = [
      await requestToken(holder, 'read:attribution'),
      await requestToken(holder, 'read:attribution admin:config'),
    ];

    expect(narrow).toMatchObject({ status: 200, body: { scope: 'read:attribution' } });
    expect(wide).toMatchObject({ status: 400, body: { error: 'invalid_scope' } });
    expect(await statuses(await tokenOf(holder))).toEqual([403, 200, 403, 200]);
  });

  it('sets last_used_at after the first use of a token', async () => {
    const holder = await api.clients.create();
    const before = await api.clients.read(holder.client_id);
    await statuses(await tokenOf(holder));

    const after = await api.clients.read(holder.client_id);

    expect(before.last_used_at).toBeNull();
    expect(Date.parse(after.last_used_at ?? '')).toBeLessThanOrEqual(Date.now());
  });

  it('creates a public client without a secret, and returns 409 on rotation', async () => {
    const answer = await api.send(CLIENTS, {
      body: {
        ...RIGHTS,
        token_endpoint_auth_method: 'none',
        redirect_uris: ['https://app.example.com/callback', 'com.example.app:/callback'],
      },
    });
    const { client_id, client_secret, grant_types } = CreatedClient.parse(answer.body);

    expect([answer.status, client_secret]).toEqual([201, null]);
    expect(grant_types).toEqual(['authorization_code', 'refresh_token']);
    expect(await api.clients.rotate(client_id)).toMatchObject({
      status: 409,
      body: { error_code: 'CONFLICT' },
    });
  });
});

describe('POST /api/v1/oauth-clients', () => {
  it('returns 403 for a scope that the key or token of the creator lacks, and 422 for that of partner connectors', async () => {
    const creator = await api.clients.create({
      scopes: ['admin:config', 'ingest:write', 'read:attribution'],
    });
    const headers = bearing(await tokenOf(creator, 'admin:config ingest:write'));

    const attempts = scopeNames.map(async (scope) => {
      const body = { name: 'x', scopes: [scope] };
      const answers = [
        await call(api.baseUrl, CLIENTS, { headers, body }),
        await call(api.baseUrl, KEYS, { headers, body }),
      ];
      return [scope, ...answers.map(({ status }) => status)];
    });

    expect(await Promise.all(attempts)).toEqual(
      scopeNames.map((scope) =>
        scope === 'admin:config' || scope === 'ingest:write'
          ? [scope, 201, 201]
          : scope === 'partner:connector'
            ? [scope, 422, 422]
            : [scope, 403, 403],
      ),
    );
  });

  it.each([
    ['an empty list', { name: 'x', scopes: [] }],
    ['a missing list', { name: 'x' }],
  ])('returns 422 NO_SCOPE for %s of scopes', async (_, body) => {
    expect(await api.send(CLIENTS, { body })).toMatchObject({
      status: 422,
      body: { error_code: 'NO_SCOPE' },
    });
  });

  const URI = 'https://app.example.com/callback';

  const invalid: readonly [string, object, string][] = [
    ['an http redirect URI', { redirect_uris: ['http://app.example.com/'] }, '/redirect_uris/0'],
    ['a redirect URI with a fragment', { redirect_uris: [`${URI}#x`] }, '/redirect_uris/0'],
    ['a javascript redirect URI', { redirect_uris: [URI, 'javascript:alert(1)'] }, '/redirect_uris/1'],
    ['eleven redirect URIs', { redirect_uris: Array(11).fill(URI) }, '/redirect_uris'],
    [
      'a redirect URI without the authorization code grant',
      { grant_types: ['client_credentials'], redirect_uris: [URI] },
      '/redirect_uris',
    ],
    [
      'the authorization code grant without a redirect URI',
      { grant_types: ['authorization_code'] },
      '/redirect_uris',
    ],
    [
      'a public client with the client credentials grant',
      { token_endpoint_auth_method: 'none' },
      '/grant_types',
    ],
    ['an unsupported grant', { grant_types: ['password'] }, '/grant_types/0'],
    ['no grant', { grant_types: [] }, '/grant_types'],
    [
      'an unsupported authentication method',
      { token_endpoint_auth_method: 'private_key_jwt' },
      '/token_endpoint_auth_method',
    ],
    ['a client_id member', { client_id: 'cli_mine' }, '/client_id'],
    ['a client_secret member', { client_secret: 'acs_mine' }, '/client_secret'],
    ['the own tenant_id', {}, '/tenant_id'],
    ['a role member', { role: 'admin' }, '/role'],
    ['a created_at member', { created_at: '2026-01-01T00:00:00.000Z' }, '/created_at'],
    ['an expires_at member', { expires_at: '2026-01-01T00:00:00.000Z' }, '/expires_at'],
  ];

  it('returns 422 for every invalid member, and creates no client', async () => {
    const before = (await api.send(`${CLIENTS}?limit=200`)).body['data'];

    await expectNoFaults(
      invalid,
      ([name]) => name,
      async ([, members, pointer]) => {
        const own = pointer === '/tenant_id' && { tenant_id: api.acme.tenant_id };
        const { status, body } = await api.send(CLIENTS, { body: { ...RIGHTS, ...members, ...own } });
        const [error] = Array.isArray(body['errors']) ? body['errors'] : [];
        return unequal(
          'is',
          [status, body['error_code'], Object(error).pointer],
          [422, 'VALIDATION_FAILED', pointer],
        );
      },
    );
    expect((await api.send(`${CLIENTS}?limit=200`)).body['data']).toEqual(before);
  });
});

describe('OAuth client rotation', () => {
  it('invalidates the old secret immediately, and keeps tokens and all other members', async () => {
    const { client_secret: old, ...before } = await api.clients.create();
    const { client_id } = before;
    const token = await tokenOf({ client_id, client_secret: old });

    const { client_secret: next, ...after } = await api.clients.rotated(client_id);

    const answers = [
      await requestToken({ client_id, client_secret: old }),
      await requestToken({ client_id, client_secret: next }),
    ];
    expect(answers.map(({ status, body }) => [status, body['error']])).toEqual([
      [401, 'invalid_client'],
      [200, undefined],
    ]);
    expect(after).toEqual(before);
    expect(await statuses(token)).toEqual(GOOD);
  });

  it('keeps the old secret valid during the requested overlap', async () => {
    const { client_id, client_secret: old } = await api.clients.create();

    const { client_secret: next } = await api.clients.rotated(client_id, {
      overlap_seconds: 600,
    });
    const ask = async () =>
      Promise.all(
        [old, next].map(async (secret) => (await requestToken({ client_id, client_secret: secret })).status),
      );
    const during = await ask();
    await api.engines.age(client_id, 600_000);

    expect([during, await ask()]).toEqual([
      [200, 200],
      [401, 200],
    ]);
  });

  it('returns 422 for every member that a rotation does not change, and keeps the secret valid', async () => {
    const holder = await api.clients.create();
    const members = ['scopes', 'grant_types', 'redirect_uris', 'name', 'tenant_id', 'client_secret'];

    const answer = await api.clients.rotate(
      holder.client_id,
      Object.fromEntries(members.map((name) => [name, api.acme.tenant_id])),
    );

    expect(answer).toMatchObject({
      status: 422,
      body: { error_code: 'VALIDATION_FAILED', errors: members.map((name) => ({ pointer: `/${name}` })) },
    });
    expect((await requestToken(holder)).status).toBe(200);
  });
});

describe('OAuth client deletion', () => {
  it('rejects the client and its tokens from the next request on, in every warm function', async () => {
    const holder = await api.clients.create();
    const token = await tokenOf(holder);
    await Promise.all(Array.from({ length: 8 }, () => statuses(token)));

    const answer = await api.clients.remove(holder.client_id);
    const after = await Promise.all(Array.from({ length: 8 }, () => statuses(token)));

    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(after).toEqual(Array(8).fill(REFUSED));
    expect(await requestToken(holder)).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
  });

  it('returns NOT_FOUND afterwards, and removes the client from the list', async () => {
    const { client_id } = await api.clients.create({ name: 'soon gone' });
    await api.clients.remove(client_id);

    const answers = [
      await api.send(`${CLIENTS}/${client_id}`),
      await api.clients.rotate(client_id),
      await api.clients.remove(client_id),
    ];

    expect(answers.map(({ body }) => body['error_code'])).toEqual(Array(3).fill('NOT_FOUND'));
    expect((await api.send(`${CLIENTS}?limit=200`)).text).not.toContain(client_id);
  });

  it('makes the token endpoint respond as for an unknown client', async () => {
    const holder = await api.clients.create();
    await api.clients.remove(holder.client_id);
    const unknown = { ...holder, client_id: holder.client_id.slice(0, 12) + ABSENT_ULID };

    const [deleted, never] = [await requestToken(holder), await requestToken(unknown)];

    const { trace_id: _one, ...one } = deleted.body;
    const { trace_id: _other, ...other } = never.body;
    expect(one).toEqual(other);
  });
});

describe('GET /api/v1/oauth-clients', () => {
  const Page = z.object({
    data: z.array(OAuthClientRecord),
    page: z.object({ next_cursor: z.string().nullable(), limit: z.int(), has_more: z.boolean() }),
  });

  it('returns each client once, newest first, without deleted clients', async () => {
    const { key } = await api.newTenant('client-lister');
    const created = [];
    for (let index = 0; index < 9; index += 1) {
      created.push(await api.clients.create({}, { key, body: { ...RIGHTS, name: `${index}` } }));
    }
    // Deletes enough clients to fill one page.
    for (const index of [3, 4, 5]) await api.clients.remove(created[index]?.client_id ?? '', { key });

    const names: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const following: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const { data, page } = Page.parse((await api.send(`${CLIENTS}?limit=3${following}`, { key })).body);
      names.push(...data.map(({ name }) => name));
      cursor = page.next_cursor;
    }

    expect(names).toEqual(['8', '7', '6', '2', '1', '0']);
  });
});

describe('OAuth client of another tenant', () => {
  it('returns NOT_FOUND for a client id as key id, and for a key id as client id', async () => {
    const [{ id }, { client_id }] = [await api.keys.create(), await api.clients.create()];

    const answers = [await api.send(`${CLIENTS}/${id}`), await api.send(`${KEYS}/${client_id}`)];

    expect(answers.map(({ body }) => body['error_code'])).toEqual(['NOT_FOUND', 'NOT_FOUND']);
  });
});

it('audits each action on a client, including rejected actions and actions with its tokens', async () => {
  const creator = await api.clients.create();
  const headers = bearing(await tokenOf(creator));
  const answer = await call(api.baseUrl, CLIENTS, { headers, body: RIGHTS });
  const { client_id } = CreatedClient.parse(answer.body);
  const path = `${CLIENTS}/${client_id}`;
  await call(api.baseUrl, `${path}/rotate`, { method: 'POST', headers });
  await call(api.baseUrl, path, { method: 'DELETE', headers });
  await call(api.baseUrl, path, { method: 'DELETE', headers });
  await api.clients.remove(client_id, { key: api.acme.api_keys.ingest });

  const entries = (await api.audit()).filter(({ resource }) => resource === client_id);

  expect(entries.map(({ action, actor, error_code }) => [action, actor.type, error_code])).toEqual([
    ['oauth_client.create', 'oauth_client', null],
    ['oauth_client.rotate', 'oauth_client', null],
    ['oauth_client.delete', 'oauth_client', null],
    ['oauth_client.delete', 'oauth_client', 'NOT_FOUND'],
    ['oauth_client.delete', 'api_key', 'INSUFFICIENT_SCOPE'],
  ]);
  expect(entries.slice(0, 4).map(({ actor }) => actor.id)).toEqual(Array(4).fill(creator.client_id));
  expect((await api.events()).filter(({ data }) => JSON.stringify(data).includes(client_id))).toEqual([]);
});
