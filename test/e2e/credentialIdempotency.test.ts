import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, call, type Request, someEvent } from '../support/client.ts';
import { replayed } from '../support/localService.ts';
import { temporaryDirectory } from '../support/temporaryDirectory.ts';
import {
  type AdminInstance,
  CLIENTS,
  CreatedKey,
  GOOD,
  KEYS,
  RIGHTS,
  startAdminInstance,
} from './adminInstance.ts';

const dataDir = temporaryDirectory();
let api: AdminInstance;
beforeAll(async () => {
  api = await startAdminInstance({ dataDir });
});
afterAll(async () => {
  await api?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});
const restart = async (environment: Record<string, string> = {}): Promise<void> => {
  await api.stop();
  api = await startAdminInstance({ dataDir, environment });
};

const errorOf = ({ body }: Answer) => body['error_code'];
const create = (idempotencyKey: string, request: Request = {}): Promise<Answer> =>
  api.send(KEYS, { body: RIGHTS, idempotencyKey, ...request });
const secretOf = ({ body }: Answer): string => CreatedKey.parse(body).secret;
const namesOf = async (path: string): Promise<unknown[]> => {
  const { data } = (await api.send(`${path}?limit=200`)).body;
  return Array.isArray(data) ? data.map(({ name }) => name) : [];
};
/** A unique name that identifies what one test created. */
const newName = (): string => `made by ${randomUUID()}`;

describe('repeated credential request with the same idempotency key', () => {
  it('creates one key for 24 concurrent requests from two keys and a token, and reveals its secret to one of them', async () => {
    const [name, idempotencyKey] = [newName(), randomUUID()];
    const others = [await api.keys.create(), await api.keys.create()];
    const { client_id, client_secret } = await api.clients.create();
    const form = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret });
    const granted = await call(api.baseUrl, '/v1/oauth/token', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: form.toString(),
    });
    const credentials = [
      ...others.map(({ secret }) => ({ 'x-api-key': secret })),
      { authorization: `Bearer ${granted.body['access_token']}` },
    ];
    const send = (index: number) => {
      const headers = credentials[index % credentials.length] ?? {};
      return call(api.baseUrl, KEYS, { headers, body: { ...RIGHTS, name }, idempotencyKey });
    };

    const answers = await Promise.all(Array.from({ length: 24 }, (_, index) => send(index)));

    expect((await namesOf(KEYS)).filter((one) => one === name)).toHaveLength(1);
    const statuses = new Set(answers.map(({ status }) => status));
    expect([...statuses].filter((status) => status !== 201 && status !== 409)).toEqual([]);
    const created = answers.flatMap(({ status }, index) => (status === 201 ? [index] : []));
    const secrets = answers.map(({ body }) => body['secret']).filter((one) => typeof one === 'string');
    expect(new Set(secrets).size).toBe(1);
    const owners = created.filter((index) => typeof answers[index]?.body['secret'] === 'string');
    expect(new Set(owners.map((index) => index % 3)).size).toBe(1);
  });

  it('replays a rejection with a new trace id, and audits it once', async () => {
    const { id } = await api.keys.create();
    await api.keys.revoke(id);
    const idempotencyKey = randomUUID();
    const rotate = () => api.keys.rotate(id, undefined, { idempotencyKey });

    const [first, again] = [await rotate(), await rotate()];

    const { trace_id: one, ...refusal } = first.body;
    const { trace_id: other, ...repeated } = again.body;
    expect([first.status, refusal['error_code']]).toEqual([409, 'CONFLICT']);
    expect(repeated).toEqual(refusal);
    expect([other === one, other]).toEqual([false, again.headers.get('x-trace-id')]);
    expect([replayed(first), replayed(again)]).toEqual([null, 'true']);
    const refused = (await api.audit()).filter(
      (entry) => entry.resource === id && entry.outcome === 'refused',
    );
    expect(refused).toHaveLength(1);
  });
});

describe('concurrent credential requests', () => {
  it('rotate once and raise one event for 24 requests with one key', async () => {
    const { id } = await api.keys.create();
    const idempotencyKey = randomUUID();
    const rotate = () => api.keys.rotate(id, undefined, { idempotencyKey });

    const answers = await Promise.all(Array.from({ length: 24 }, rotate));
    const last = await rotate();

    const secrets = answers.filter(({ status }) => status === 200).map(secretOf);
    expect(new Set(secrets)).toEqual(new Set([secretOf(last)]));
    expect(await api.statuses(secretOf(last))).toEqual(GOOD);
    expect((await api.events()).filter(({ data }) => data['api_key_id'] === id)).toHaveLength(1);
  });

  it('leave exactly one valid secret for rotations with different keys', async () => {
    const { id } = await api.keys.create();

    const answers = await Promise.all(Array.from({ length: 8 }, () => api.keys.rotate(id)));

    const secrets = answers.filter(({ status }) => status === 200).map(secretOf);
    const working = [];
    for (const secret of secrets) {
      if ((await api.send(`${KEYS}/${id}`, { key: secret })).status === 200) working.push(secret);
    }
    expect(answers.every(({ status }) => status === 200 || status === 503)).toBe(true);
    expect(working).toHaveLength(1);
    const events = (await api.events()).filter(({ data }) => data['api_key_id'] === id);
    expect(events).toHaveLength(secrets.length);
  });
});

describe('different credential request with a used idempotency key', () => {
  it('returns IDEMPOTENCY_CONFLICT without effect, and keeps the first response', async () => {
    const [key, other] = [randomUUID(), newName()];
    const first = await create(key);

    const conflicts = [
      await create(key, { body: { ...RIGHTS, name: other } }),
      await create(key, { body: JSON.stringify(RIGHTS).replace(',', ', ') }),
    ];
    const again = await create(key);

    expect(conflicts.map((answer) => [answer.status, errorOf(answer), replayed(answer)])).toEqual(
      Array(2).fill([422, 'IDEMPOTENCY_CONFLICT', null]),
    );
    expect([again.text, replayed(again)]).toEqual([first.text, 'true']);
    expect(await namesOf(KEYS)).not.toContain(other);
  });

  it('returns IDEMPOTENCY_CONFLICT for another resource, which is unchanged', async () => {
    const [one, other] = [await api.keys.create(), await api.keys.create()];
    const idempotencyKey = randomUUID();
    await api.keys.rotate(one.id, undefined, { idempotencyKey });

    const conflict = await api.keys.rotate(other.id, undefined, { idempotencyKey });

    expect([conflict.status, errorOf(conflict)]).toEqual([422, 'IDEMPOTENCY_CONFLICT']);
    expect(await api.statuses(other.secret)).toEqual(GOOD);
  });

  it('returns 422 while the first request is in progress', async () => {
    const key = randomUUID();
    const names = Array.from({ length: 8 }, newName);

    const answers = await Promise.all(names.map((name) => create(key, { body: { ...RIGHTS, name } })));

    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(7).fill(422)]);
    const listed = await namesOf(KEYS);
    expect(names.filter((name) => listed.includes(name))).toHaveLength(1);
  });

  it('is independent per tenant, route and method', async () => {
    const key = randomUUID();
    const { id } = await api.keys.create();

    const answers = [
      await create(key),
      await create(key, { key: api.globex.api_keys.admin }),
      await api.send(CLIENTS, { body: RIGHTS, idempotencyKey: key }),
      await api.keys.rotate(id, undefined, { idempotencyKey: key }),
      await api.keys.revoke(id, { idempotencyKey: key }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 200, 204]);
    expect(answers.map(replayed)).toEqual(Array(5).fill(null));
  });
});

describe('replay authorization', () => {
  it('replays for the new secret after the caller rotates its key', async () => {
    const [creator, key] = [await api.keys.create(), randomUUID()];
    const first = await create(key, { key: creator.secret });
    const { secret } = await api.keys.rotated(creator.id);

    const again = await create(key, { key: secret });

    expect([again.text, replayed(again)]).toEqual([first.text, 'true']);
  });

  it('rejects the replay when the caller is revoked or has lost the scope', async () => {
    const [creator, key] = [await api.keys.create(), randomUUID()];
    await create(key, { key: creator.secret });
    // No route removes a scope from a key, so the test changes the table row.
    const { credentialWriter } = await import(
      '../../functions/identity/access/principals/credential.store.ts'
    );
    const { commit } = await import('../../functions/platform/shared/aws/document.store.ts');
    const writer = credentialWriter(api.instance.credentials.tables['access'] ?? '');
    const found = await writer.apiKey(creator.id);
    if (found === null) throw new Error('the key is gone');
    const { document, revision } = found;
    const by = { claim: 'test', attempt: 1 };
    await commit(
      writer.putApiKey({ ...document, scopes: ['ingest:write'] }, { expectedRevision: revision, by }),
    );

    const withoutScope = await create(key, { key: creator.secret });
    await api.keys.revoke(creator.id);
    const revoked = await create(key, { key: creator.secret });

    expect(
      [withoutScope, revoked].map((answer) => [answer.status, errorOf(answer), replayed(answer)]),
    ).toEqual([
      [403, 'INSUFFICIENT_SCOPE', null],
      [401, 'INVALID_CREDENTIALS', null],
    ]);
  });
});

it('does not consume a key for a request that is rejected before execution', async () => {
  const key = randomUUID();

  const answers = [
    await create(key, { body: '{"name":' }),
    await create(key, { body: { ...RIGHTS, role: 'admin' } }),
    await create(key, { body: { ...RIGHTS, tenant_id: 'globex' } }),
    await create(key, { key: api.acme.api_keys.read }),
    await create(key, { key: 'ask_test_nothing' }),
    await create(key, { body: { ...RIGHTS, scopes: ['admin:config'] }, key: api.acme.api_keys.ingest }),
    await create(key),
  ];

  expect(answers.map(({ status }) => status)).toEqual([400, 422, 403, 403, 401, 403, 201]);
  expect(answers.map(replayed)).toEqual(Array(7).fill(null));
});

describe('credential idempotency key', () => {
  it('survives a restart, as that of an ingested event does', async () => {
    const [key, event] = [randomUUID(), someEvent()];
    const sendEvent = () => api.send('/api/v1/invocations', { body: event, idempotencyKey: key });
    const first = [await create(key), await sendEvent()];

    await restart();
    const again = [await create(key), await sendEvent()];

    expect(again.map((answer) => [answer.text, replayed(answer)])).toEqual(
      first.map(({ text }) => [text, 'true']),
    );
    expect(again.map(({ status }) => status)).toEqual([201, 202]);
    for (const { secret } of [CreatedKey.parse(again[0]?.body)])
      expect(await api.statuses(secret)).toEqual(GOOD);
  });

  it('expires after 24 hours, also for a rotation', async () => {
    // Must be the last test: the rate limit buckets of this instance are one day ahead afterwards.
    const [created, rotated] = [randomUUID(), randomUUID()];
    const { id } = await api.keys.create();
    const first = await create(created);
    await api.keys.rotate(id, { overlap_seconds: 0 }, { idempotencyKey: rotated });
    const before = await api.keys.read(id);

    await restart({ CLOCK_OFFSET_SECONDS: String(24 * 60 * 60 + 1) });
    const again = await create(created);
    const rotation = await api.keys.rotate(id, { overlap_seconds: 0 }, { idempotencyKey: rotated });

    expect([again.status, replayed(again)]).toEqual([201, null]);
    expect(CreatedKey.parse(again.body).id).not.toBe(CreatedKey.parse(first.body).id);
    expect([rotation.status, replayed(rotation)]).toEqual([200, null]);
    const { rotated_at, expires_at } = CreatedKey.parse(rotation.body);
    expect(Date.parse(rotated_at ?? '')).toBeGreaterThan(Date.parse(before.rotated_at ?? ''));
    expect(expires_at).toBe(before.expires_at);
    expect((await api.events()).filter(({ data }) => data['api_key_id'] === id)).toHaveLength(2);
  });
});
