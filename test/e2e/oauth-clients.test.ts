import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { scopeNames } from '../../schemas/access/scopes.ts';
import { OAuthClientRecord } from '../../schemas/routes/oauthClients.ts';
import { ABSENT_ULID } from '../contract/requests.ts';
import { type Answer, call } from '../support/client.ts';
import {
  type AdminInstance,
  CLIENTS,
  CreatedClient,
  GOOD,
  KEYS,
  REFUSED,
  RIGHTS,
  startAdminInstance,
} from './adminInstance.ts';

let at: AdminInstance;
beforeAll(async () => {
  at = await startAdminInstance();
});
afterAll(() => at?.stop());

interface Holder {
  readonly client_id: string;
  readonly client_secret: string;
}
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

/** What the token endpoint answers to a client that proves itself, by HTTP Basic unless in the form. */
const askToken = (
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
  return call(at.baseUrl, '/v1/oauth/token', {
    method: 'POST',
    body: form.toString(),
    idempotencyKey: null,
    headers: { ...FORM, ...(by === 'basic' && { authorization: `Basic ${basic}` }) },
  });
};
const tokenOf = async (holder: Holder, scope?: string): Promise<string> => {
  const { status, text, body } = await askToken(holder, scope);
  expect(status, text).toBe(200);
  return z.string().parse(body['access_token']);
};
const bearing = (token: string) => ({ authorization: `Bearer ${token}` });
const statuses = async (token: string) => (await at.everywhere(bearing(token))).map(({ status }) => status);

describe('a new client', () => {
  it('is shown with its secret, once, and its tokens work in every unit', async () => {
    const answer = await at.send(CLIENTS, { body: RIGHTS });
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
    expect(await at.send(`${CLIENTS}/${record.client_id}`)).toMatchObject({ status: 200, body: record });
    expect(await statuses(await tokenOf(holder))).toEqual(GOOD);
    expect((await askToken(holder, undefined, 'post')).status).toBe(200);
  });

  it('gets tokens with its own scopes and no others', async () => {
    const holder = await at.clients.create({ scopes: ['read:attribution', 'read:reporting'] });

    const [narrow, wide] = [
      await askToken(holder, 'read:attribution'),
      await askToken(holder, 'read:attribution admin:config'),
    ];

    expect(narrow).toMatchObject({ status: 200, body: { scope: 'read:attribution' } });
    expect(wide).toMatchObject({ status: 400, body: { error: 'invalid_scope' } });
    expect(await statuses(await tokenOf(holder))).toEqual([403, 200, 403, 200]);
  });

  it('says when it was last used, once a token of it was', async () => {
    const holder = await at.clients.create();
    const before = await at.clients.read(holder.client_id);
    await statuses(await tokenOf(holder));

    const after = await at.clients.read(holder.client_id);

    expect(before.last_used_at).toBeNull();
    expect(Date.parse(after.last_used_at ?? '')).toBeLessThanOrEqual(Date.now());
  });

  it('lies in its table as salt and hash alone', async () => {
    const { client_id, client_secret } = await at.clients.create();

    const rows = (await at.engines.rows('access')).map((row) => JSON.stringify(row));

    const [own = ''] = rows.filter((row) => row.includes(client_id));
    expect(own).toMatch(/salt[^}]+hash/);
    expect(rows.filter((row) => row.includes(client_secret.slice(4)))).toEqual([]);
  });

  it('that is public has no secret, and none to rotate', async () => {
    const answer = await at.send(CLIENTS, {
      body: {
        ...RIGHTS,
        token_endpoint_auth_method: 'none',
        redirect_uris: ['https://app.example.com/callback', 'com.example.app:/callback'],
      },
    });
    const { client_id, client_secret, grant_types } = CreatedClient.parse(answer.body);

    expect([answer.status, client_secret]).toEqual([201, null]);
    expect(grant_types).toEqual(['authorization_code', 'refresh_token']);
    expect(await at.clients.rotate(client_id)).toMatchObject({
      status: 409,
      body: { error_code: 'CONFLICT' },
    });
  });
});

describe('a client is given', () => {
  it('no scope that its creator lacks, a token included that has fewer than its client', async () => {
    const creator = await at.clients.create({ scopes: ['admin:config', 'ingest:write', 'read:attribution'] });
    const headers = bearing(await tokenOf(creator, 'admin:config ingest:write'));

    const attempts = scopeNames.map(async (scope) => {
      const body = { name: 'x', scopes: [scope] };
      const answers = [
        await call(at.baseUrl, CLIENTS, { headers, body }),
        await call(at.baseUrl, KEYS, { headers, body }),
      ];
      return [scope, ...answers.map(({ status }) => status)];
    });

    expect(await Promise.all(attempts)).toEqual(
      scopeNames.map((scope) =>
        scope === 'admin:config' || scope === 'ingest:write' ? [scope, 201, 201] : [scope, 403, 403],
      ),
    );
  });

  it.each([
    ['an empty list', { name: 'x', scopes: [] }],
    ['no list at all', { name: 'x' }],
  ])('at least one scope: %s is NO_SCOPE', async (_, body) => {
    expect(await at.send(CLIENTS, { body })).toMatchObject({
      status: 422,
      body: { error_code: 'NO_SCOPE' },
    });
  });

  const URI = 'https://app.example.com/callback';

  it.each<[string, object, string]>([
    ['a way back over plain http', { redirect_uris: ['http://app.example.com/'] }, '/redirect_uris/0'],
    ['a way back with a fragment', { redirect_uris: [`${URI}#x`] }, '/redirect_uris/0'],
    ['a way back among good ones', { redirect_uris: [URI, 'javascript:alert(1)'] }, '/redirect_uris/1'],
    ['eleven ways back', { redirect_uris: Array(11).fill(URI) }, '/redirect_uris'],
    [
      'a way back nobody takes',
      { grant_types: ['client_credentials'], redirect_uris: [URI] },
      '/redirect_uris',
    ],
    ['a sign-in that leads nowhere', { grant_types: ['authorization_code'] }, '/redirect_uris'],
    ['a public client that acts for itself', { token_endpoint_auth_method: 'none' }, '/grant_types'],
    ['a grant that nobody offers', { grant_types: ['password'] }, '/grant_types/0'],
    ['no grant', { grant_types: [] }, '/grant_types'],
    [
      'a way to prove itself that nobody takes',
      { token_endpoint_auth_method: 'private_key_jwt' },
      '/token_endpoint_auth_method',
    ],
    ['an id of its own', { client_id: 'cli_mine' }, '/client_id'],
    ['a secret of its own', { client_secret: 'acs_mine' }, '/client_secret'],
    ['a tenant', { tenant_id: 'acme' }, '/tenant_id'],
    ['a role', { role: 'admin' }, '/role'],
    ['a time of creation', { created_at: '2026-01-01T00:00:00.000Z' }, '/created_at'],
    ['an end', { expires_at: '2026-01-01T00:00:00.000Z' }, '/expires_at'],
  ])('not %s, and nothing is made', async (_, members, pointer) => {
    const before = (await at.send(`${CLIENTS}?limit=200`)).body['data'];

    const answer = await at.send(CLIENTS, { body: { ...RIGHTS, ...members } });

    expect(answer).toMatchObject({
      status: 422,
      body: { error_code: 'VALIDATION_FAILED', errors: [{ pointer }] },
    });
    expect((await at.send(`${CLIENTS}?limit=200`)).body['data']).toEqual(before);
  });
});

describe('a rotation', () => {
  it('ends the old secret at once, and leaves tokens and everything else', async () => {
    const { client_secret: old, ...before } = await at.clients.create();
    const { client_id } = before;
    const token = await tokenOf({ client_id, client_secret: old });

    const { client_secret: next, ...after } = await at.clients.rotated(client_id);

    const answers = [
      await askToken({ client_id, client_secret: old }),
      await askToken({ client_id, client_secret: next }),
    ];
    expect(answers.map(({ status, body }) => [status, body['error']])).toEqual([
      [401, 'invalid_client'],
      [200, undefined],
    ]);
    expect(after).toEqual(before);
    expect(await statuses(token)).toEqual(GOOD);
  });

  it('lets the old secret go on as long as it is asked to', async () => {
    const { client_id, client_secret: old } = await at.clients.create();

    const { client_secret: next, previous_secret_valid_until: until } = await at.clients.rotated(client_id, {
      overlap_seconds: 2,
    });
    const ask = async () =>
      Promise.all(
        [old, next].map(async (secret) => (await askToken({ client_id, client_secret: secret })).status),
      );
    const during = await ask();
    await sleep(Date.parse(until ?? '') - Date.now() + 50);

    expect([during, await ask()]).toEqual([
      [200, 200],
      [401, 200],
    ]);
  });

  it.each(['scopes', 'grant_types', 'redirect_uris', 'name', 'tenant_id', 'client_secret'])(
    'takes no %s, and leaves the secret',
    async (name) => {
      const holder = await at.clients.create();

      const answer = await at.clients.rotate(holder.client_id, { [name]: 'acme' });

      expect(answer).toMatchObject({
        status: 422,
        body: { error_code: 'VALIDATION_FAILED', errors: [{ pointer: `/${name}` }] },
      });
      expect((await askToken(holder)).status).toBe(200);
    },
  );
});

describe('a deletion', () => {
  it('ends the client and its tokens from the next request on, in every function that was warm', async () => {
    const holder = await at.clients.create();
    const token = await tokenOf(holder);
    await Promise.all(Array.from({ length: 8 }, () => statuses(token)));

    const answer = await at.clients.remove(holder.client_id);
    const after = await Promise.all(Array.from({ length: 8 }, () => statuses(token)));

    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(after).toEqual(Array(8).fill(REFUSED));
    expect(await askToken(holder)).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
  });

  it('leaves nothing to be found', async () => {
    const { client_id } = await at.clients.create({ name: 'soon gone' });
    await at.clients.remove(client_id);

    const answers = [
      await at.send(`${CLIENTS}/${client_id}`),
      await at.clients.rotate(client_id),
      await at.clients.remove(client_id),
    ];

    expect(answers.map(({ body }) => body['error_code'])).toEqual(Array(3).fill('NOT_FOUND'));
    expect((await at.send(`${CLIENTS}?limit=200`)).text).not.toContain(client_id);
  });

  it('reads the same at the token endpoint as a client that never was', async () => {
    const holder = await at.clients.create();
    await at.clients.remove(holder.client_id);
    const unknown = { ...holder, client_id: holder.client_id.slice(0, 12) + ABSENT_ULID };

    const [deleted, never] = [await askToken(holder), await askToken(unknown)];

    const { trace_id: _one, ...one } = deleted.body;
    const { trace_id: _other, ...other } = never.body;
    expect(one).toEqual(other);
  });
});

describe('the list of clients', () => {
  const Page = z.object({
    data: z.array(OAuthClientRecord),
    page: z.object({ next_cursor: z.string().nullable(), limit: z.int(), has_more: z.boolean() }),
  });

  it('walks all of them once, the newest first, over those that are gone', async () => {
    const { key } = await at.newTenant('lister');
    const made = [];
    for (let index = 0; index < 9; index += 1) {
      made.push(await at.clients.create({}, { key, body: { ...RIGHTS, name: `${index}` } }));
    }
    // A page of nothing but deleted ones among them.
    for (const index of [3, 4, 5]) await at.clients.remove(made[index]?.client_id ?? '', { key });

    const found: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const following: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const { data, page } = Page.parse((await at.send(`${CLIENTS}?limit=3${following}`, { key })).body);
      found.push(...data.map(({ name }) => name));
      cursor = page.next_cursor;
    }

    expect(found).toEqual(['8', '7', '6', '2', '1', '0']);
  });
});

describe('a client of another tenant', () => {
  it('cannot be read, rotated or deleted, nor does anybody learn that it is there', async () => {
    const holder = await at.clients.create();
    const absent = holder.client_id.slice(0, 12) + ABSENT_ULID;
    const by = { key: at.globex.api_keys.admin };
    const attempts = (id: string) =>
      Promise.all([
        at.send(`${CLIENTS}/${id}`, by),
        at.clients.rotate(id, undefined, by),
        at.clients.remove(id, by),
      ]);

    const [there, notThere] = [await attempts(holder.client_id), await attempts(absent)];

    const without = ({ body: { trace_id: _own, instance: _path, ...rest } }: Answer) => rest;
    expect(there.map(({ status, body }) => [status, body['error_code']])).toEqual(
      Array(3).fill([403, 'TENANT_MISMATCH']),
    );
    expect(there.map(without)).toEqual(notThere.map(without));
    expect((await askToken(holder)).status).toBe(200);
  });

  it('is no key, and a key no client', async () => {
    const [{ id }, { client_id }] = [await at.keys.create(), await at.clients.create()];

    const answers = [await at.send(`${CLIENTS}/${id}`), await at.send(`${KEYS}/${client_id}`)];

    expect(answers.map(({ body }) => body['error_code'])).toEqual(['NOT_FOUND', 'NOT_FOUND']);
  });
});

it('has each action on it in the audit log, those of its own tokens and those that were refused', async () => {
  const creator = await at.clients.create();
  const headers = bearing(await tokenOf(creator));
  const answer = await call(at.baseUrl, CLIENTS, { headers, body: RIGHTS });
  const { client_id } = CreatedClient.parse(answer.body);
  const path = `${CLIENTS}/${client_id}`;
  await call(at.baseUrl, `${path}/rotate`, { method: 'POST', headers });
  await call(at.baseUrl, path, { method: 'DELETE', headers });
  await call(at.baseUrl, path, { method: 'DELETE', headers });
  await at.clients.remove(client_id, { key: at.acme.api_keys.ingest });

  const entries = (await at.audit()).filter(({ resource }) => resource === client_id);

  expect(entries.map(({ action, actor, error_code }) => [action, actor.type, error_code])).toEqual([
    ['oauth_client.create', 'oauth_client', null],
    ['oauth_client.rotate', 'oauth_client', null],
    ['oauth_client.delete', 'oauth_client', null],
    ['oauth_client.delete', 'oauth_client', 'NOT_FOUND'],
    ['oauth_client.delete', 'api_key', 'INSUFFICIENT_SCOPE'],
  ]);
  expect(entries.slice(0, 4).map(({ actor }) => actor.id)).toEqual(Array(4).fill(creator.client_id));
  expect((await at.events()).filter(({ data }) => JSON.stringify(data).includes(client_id))).toEqual([]);
});
