import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer, Request } from '../support/client.ts';
import { temporaryDirectory } from '../support/instance.ts';
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
let at: AdminInstance;
beforeAll(async () => {
  at = await startAdminInstance({ dataDir });
});
afterAll(async () => {
  await at?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});
const restart = async (environment: Record<string, string> = {}): Promise<void> => {
  await at.stop();
  at = await startAdminInstance({ dataDir, environment });
};

const replayed = ({ headers }: Answer): string | null => headers.get('idempotency-replayed');
const errorOf = ({ body }: Answer) => body['error_code'];
const create = (idempotencyKey: string, request: Request = {}): Promise<Answer> =>
  at.send(KEYS, { body: RIGHTS, idempotencyKey, ...request });
const secretOf = ({ body }: Answer): string => CreatedKey.parse(body).secret;
const namesOf = async (path: string): Promise<unknown[]> => {
  const { data } = (await at.send(`${path}?limit=200`)).body;
  return Array.isArray(data) ? data.map(({ name }) => name) : [];
};
/** A name that tells what one test made from the rest. */
const newName = (): string => `made by ${randomUUID()}`;

describe('the same request under the same key', () => {
  it.each([
    ['key', KEYS],
    ['client', CLIENTS],
  ])('makes one %s, and gives its secret again', async (_, path) => {
    const [name, idempotencyKey] = [newName(), randomUUID()];
    const send = () => at.send(path, { body: { ...RIGHTS, name }, idempotencyKey });

    const [first, again] = [await send(), await send()];

    expect([again.status, again.text, again.headers.get('location')]).toEqual([
      201,
      first.text,
      first.headers.get('location'),
    ]);
    expect([replayed(first), replayed(again)]).toEqual([null, 'true']);
    expect(again.headers.get('x-trace-id')).not.toBe(first.headers.get('x-trace-id'));
    for (const header of ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset']) {
      expect(again.headers.get(header)).toMatch(/^\d+$/);
    }
    expect((await namesOf(path)).filter((one) => one === name)).toHaveLength(1);
  });

  it('rotates once, and gives the same new secret again', async () => {
    const { id, secret: old } = await at.keys.create();
    const idempotencyKey = randomUUID();
    const rotate = () => at.keys.rotate(id, { overlap_seconds: 60 }, { idempotencyKey });

    const [first, again] = [await rotate(), await rotate()];

    expect([again.text, replayed(again)]).toEqual([first.text, 'true']);
    expect([await at.statuses(old), await at.statuses(secretOf(first))]).toEqual([GOOD, GOOD]);
    expect((await at.events()).filter(({ data }) => data['api_key_id'] === id)).toHaveLength(1);
    expect((await at.audit()).filter(({ resource }) => resource === id)).toHaveLength(2);
  });

  it.each([
    ['revoked', KEYS],
    ['deleted', CLIENTS],
  ])('is answered 204 again once it has %s', async (_, path) => {
    const id = path === KEYS ? (await at.keys.create()).id : (await at.clients.create()).client_id;
    const idempotencyKey = randomUUID();
    const remove = () => at.send(`${path}/${id}`, { method: 'DELETE', idempotencyKey });

    const [first, again] = [await remove(), await remove()];

    expect([first, again].map(({ status, text }) => [status, text])).toEqual([
      [204, ''],
      [204, ''],
    ]);
    expect([replayed(first), replayed(again)]).toEqual([null, 'true']);
    expect((await at.audit()).filter(({ resource }) => resource === id)).toHaveLength(2);
  });

  it('is one key, quoted or not and under any spelling of the header', async () => {
    const key = randomUUID();
    const unnamed = (headers: Record<string, string>) =>
      at.send(KEYS, { body: RIGHTS, idempotencyKey: null, headers });

    const first = await create(key);
    const others = [
      await unnamed({ 'Idempotency-Key': `"${key}"` }),
      await unnamed({ 'IDEMPOTENCY-KEY': key }),
    ];

    expect(others.map(({ text }) => text)).toEqual([first.text, first.text]);
  });

  it('is answered alike when it is refused, each time in a trace of its own, and told once', async () => {
    const { id } = await at.keys.create();
    await at.keys.revoke(id);
    const idempotencyKey = randomUUID();
    const rotate = () => at.keys.rotate(id, undefined, { idempotencyKey });

    const [first, again] = [await rotate(), await rotate()];

    const { trace_id: one, ...refusal } = first.body;
    const { trace_id: other, ...repeated } = again.body;
    expect([first.status, refusal['error_code']]).toEqual([409, 'CONFLICT']);
    expect(repeated).toEqual(refusal);
    expect([other === one, other]).toEqual([false, again.headers.get('x-trace-id')]);
    expect([replayed(first), replayed(again)]).toEqual([null, 'true']);
    const refused = (await at.audit()).filter(
      (entry) => entry.resource === id && entry.outcome === 'refused',
    );
    expect(refused).toHaveLength(1);
  });
});

describe('twenty-four that come at once', () => {
  it.each([
    ['key', KEYS],
    ['client', CLIENTS],
  ])('make one %s with one secret', async (_, path) => {
    const [name, idempotencyKey] = [newName(), randomUUID()];
    const send = () => at.send(path, { body: { ...RIGHTS, name }, idempotencyKey });

    const answers = await Promise.all(Array.from({ length: 24 }, send));
    const last = await send();

    const made = answers.filter(({ status }) => status === 201);
    const others = answers.filter(({ status }) => status !== 201);
    expect(new Set(made.map(({ text }) => text))).toEqual(new Set([last.text]));
    expect(made.filter((answer) => replayed(answer) === null)).toHaveLength(1);
    expect(
      others.map((answer) => [answer.status, errorOf(answer), answer.headers.get('retry-after')]),
    ).toEqual(others.map(() => [409, 'IDEMPOTENCY_IN_PROGRESS', '1']));
    expect((await namesOf(path)).filter((one) => one === name)).toHaveLength(1);
  });

  it('rotate once, and raise one event', async () => {
    const { id } = await at.keys.create();
    const idempotencyKey = randomUUID();
    const rotate = () => at.keys.rotate(id, undefined, { idempotencyKey });

    const answers = await Promise.all(Array.from({ length: 24 }, rotate));
    const last = await rotate();

    const secrets = answers.filter(({ status }) => status === 200).map(secretOf);
    expect(new Set(secrets)).toEqual(new Set([secretOf(last)]));
    expect(await at.statuses(secretOf(last))).toEqual(GOOD);
    expect((await at.events()).filter(({ data }) => data['api_key_id'] === id)).toHaveLength(1);
  });

  it('rotations of their own leave one secret that works', async () => {
    const { id } = await at.keys.create();

    const answers = await Promise.all(Array.from({ length: 8 }, () => at.keys.rotate(id)));

    const given = answers.filter(({ status }) => status === 200).map(secretOf);
    const working = [];
    for (const secret of given) {
      if ((await at.send(`${KEYS}/${id}`, { key: secret })).status === 200) working.push(secret);
    }
    expect(answers.every(({ status }) => status === 200 || status === 503)).toBe(true);
    expect(working).toHaveLength(1);
    const events = (await at.events()).filter(({ data }) => data['api_key_id'] === id);
    expect(events).toHaveLength(given.length);
  });
});

describe('another request under a used key', () => {
  it('is refused without effect, and the first one’s answer stays', async () => {
    const [key, other] = [randomUUID(), newName()];
    const first = await create(key);
    const strangers = await at.keys.create();

    const conflicts = [
      await create(key, { body: { ...RIGHTS, name: other } }),
      await create(key, { body: JSON.stringify(RIGHTS).replace(',', ', ') }),
      await create(key, { key: strangers.secret }),
    ];
    const again = await create(key);

    expect(conflicts.map((answer) => [answer.status, errorOf(answer), replayed(answer)])).toEqual(
      Array(3).fill([422, 'IDEMPOTENCY_CONFLICT', null]),
    );
    expect([again.text, replayed(again)]).toEqual([first.text, 'true']);
    expect(await namesOf(KEYS)).not.toContain(other);
  });

  it('is refused for another resource, which stays as it was', async () => {
    const [one, other] = [await at.keys.create(), await at.keys.create()];
    const idempotencyKey = randomUUID();
    await at.keys.rotate(one.id, undefined, { idempotencyKey });

    const conflict = await at.keys.rotate(other.id, undefined, { idempotencyKey });

    expect([conflict.status, errorOf(conflict)]).toEqual([422, 'IDEMPOTENCY_CONFLICT']);
    expect(await at.statuses(other.secret)).toEqual(GOOD);
  });

  it('is refused while the first is under way, not taken for it', async () => {
    const key = randomUUID();
    const names = Array.from({ length: 8 }, newName);

    const answers = await Promise.all(names.map((name) => create(key, { body: { ...RIGHTS, name } })));

    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(7).fill(422)]);
    const listed = await namesOf(KEYS);
    expect(names.filter((name) => listed.includes(name))).toHaveLength(1);
  });

  it('is a request of its own in another tenant, on another route and by another method', async () => {
    const key = randomUUID();
    const { id } = await at.keys.create();

    const answers = [
      await create(key),
      await create(key, { key: at.globex.api_keys.admin }),
      await at.send(CLIENTS, { body: RIGHTS, idempotencyKey: key }),
      await at.keys.rotate(id, undefined, { idempotencyKey: key }),
      await at.keys.revoke(id, { idempotencyKey: key }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 200, 204]);
    expect(answers.map(replayed)).toEqual(Array(5).fill(null));
  });
});

describe('who asks again', () => {
  it('is answered after a rotation of the own key, by the new secret', async () => {
    const [creator, key] = [await at.keys.create(), randomUUID()];
    const first = await create(key, { key: creator.secret });
    const { secret } = await at.keys.rotated(creator.id);

    const again = await create(key, { key: secret });

    expect([again.text, replayed(again)]).toEqual([first.text, 'true']);
  });

  it('is refused once the key is revoked, or has lost the scope', async () => {
    const [creator, key] = [await at.keys.create(), randomUUID()];
    await create(key, { key: creator.secret });
    // No route takes a scope from a key; an operator with access to the table could.
    const { credentialWriter } = await import('../../functions/access/credential.store.ts');
    const { commit } = await import('../../functions/shared/aws/document.store.ts');
    const writer = credentialWriter(at.instance.credentials.tables['access'] ?? '');
    const found = await writer.apiKey(creator.id);
    if (found === null) throw new Error('the key is gone');
    const { document, revision } = found;
    const by = { claim: 'test', attempt: 1 };
    await commit([
      writer.putApiKey({ ...document, scopes: ['ingest:write'] }, { expectedRevision: revision, by }),
    ]);

    const poorer = await create(key, { key: creator.secret });
    await at.keys.revoke(creator.id);
    const revoked = await create(key, { key: creator.secret });

    expect([poorer, revoked].map((answer) => [answer.status, errorOf(answer), replayed(answer)])).toEqual([
      [403, 'INSUFFICIENT_SCOPE', null],
      [401, 'INVALID_CREDENTIALS', null],
    ]);
  });
});

it('does not use up a key for a request that was refused before it ran', async () => {
  const key = randomUUID();

  const answers = [
    await create(key, { body: '{"name":' }),
    await create(key, { body: { ...RIGHTS, role: 'admin' } }),
    await create(key, { body: { ...RIGHTS, tenant_id: 'globex' } }),
    await create(key, { key: at.acme.api_keys.read }),
    await create(key, { key: 'ask_test_nothing' }),
    await create(key, { body: { ...RIGHTS, scopes: ['partner:connector'] }, key: at.acme.api_keys.ingest }),
    await create(key),
  ];

  expect(answers.map(({ status }) => status)).toEqual([400, 422, 403, 403, 401, 403, 201]);
  expect(answers.map(replayed)).toEqual(Array(7).fill(null));
});

describe('a key', () => {
  it('outlives a restart', async () => {
    const key = randomUUID();
    const first = await create(key);

    await restart();
    const again = await create(key);

    expect([again.text, replayed(again)]).toEqual([first.text, 'true']);
    expect(await at.statuses(secretOf(again))).toEqual(GOOD);
  });

  it('is new again after 24 hours, also for what its old call changed', async () => {
    // Last: the buckets of this instance stand a day ahead from here on.
    const [created, rotated] = [randomUUID(), randomUUID()];
    const { id } = await at.keys.create();
    const first = await create(created);
    await at.keys.rotate(id, { overlap_seconds: 0 }, { idempotencyKey: rotated });
    const before = await at.keys.read(id);

    await restart({ CLOCK_OFFSET_SECONDS: String(24 * 60 * 60 + 1) });
    const again = await create(created);
    const rotation = await at.keys.rotate(id, { overlap_seconds: 0 }, { idempotencyKey: rotated });

    expect([again.status, replayed(again)]).toEqual([201, null]);
    expect(CreatedKey.parse(again.body).id).not.toBe(CreatedKey.parse(first.body).id);
    expect([rotation.status, replayed(rotation)]).toEqual([200, null]);
    const { rotated_at, expires_at } = CreatedKey.parse(rotation.body);
    expect(Date.parse(rotated_at ?? '')).toBeGreaterThan(Date.parse(before.rotated_at ?? ''));
    expect(Date.parse(expires_at)).toBeGreaterThan(Date.parse(before.expires_at));
    expect((await at.events()).filter(({ data }) => data['api_key_id'] === id)).toHaveLength(2);
  });
});
