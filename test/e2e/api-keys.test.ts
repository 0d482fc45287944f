import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatApiKey, parseApiKey } from '../../functions/access/apiKey.ts';
import { ABSENT_ULID } from '../contract/requests.ts';
import { type Answer, call } from '../support/client.ts';
import { tamper } from '../support/tamper.ts';
import {
  type AdminInstance,
  CreatedKey,
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

describe('a new key', () => {
  it('is shown with its secret, once, and works in every unit and either header', async () => {
    const answer = await at.send(KEYS, { body: RIGHTS });
    const { secret, ...record } = CreatedKey.parse(answer.body);

    expect(answer.status).toBe(201);
    expect(answer.headers.get('location')).toBe(`${KEYS}/${record.id}`);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(record).toMatchObject({
      name: 'ci',
      scopes: RIGHTS.scopes,
      residency: null,
      state: 'active',
      created_by: expect.stringMatching(/^key_/),
      rotated_at: null,
      revoked_at: null,
      previous_secret_valid_until: null,
      last_used_at: null,
    });
    expect(await at.send(`${KEYS}/${record.id}`)).toMatchObject({ status: 200, body: record });
    expect(await at.statuses(secret)).toEqual(GOOD);
    const bearer = await call(at.baseUrl, KEYS, { headers: { authorization: `Bearer ${secret}` } });
    expect([bearer.status, bearer.text.includes(secret)]).toEqual([200, false]);
  });

  it('can do what its scopes say and nothing else', async () => {
    const { secret } = await at.keys.create({ scopes: ['read:attribution'] });

    expect(await at.statuses(secret)).toEqual([403, 200, 403, 200]);
  });

  it('says when it was last used, once it was', async () => {
    const { id, secret, created_at } = await at.keys.create();
    const before = await at.keys.read(id);
    await at.everywhere({ 'x-api-key': secret });

    const after = await at.keys.read(id);

    expect(before.last_used_at).toBeNull();
    const minute = Date.parse(created_at) - (Date.parse(created_at) % 60_000);
    expect(Date.parse(after.last_used_at ?? '')).toBeGreaterThanOrEqual(minute);
    expect(Date.parse(after.last_used_at ?? '')).toBeLessThanOrEqual(Date.now());
  });

  it('lies in its table as salt and hash alone', async () => {
    const { id, secret } = await at.keys.create();
    const random = parseApiKey(secret)?.secret ?? '';

    const rows = (await at.engines.rows('access')).map((row) => JSON.stringify(row));

    const [own = ''] = rows.filter((row) => row.includes(id));
    expect(own).toMatch(/salt[^}]+hash/);
    expect(rows.filter((row) => row.includes(random))).toEqual([]);
  });
});

describe('a rotation', () => {
  it('ends the old secret at once, and keeps everything else', async () => {
    const { secret: old, ...before } = await at.keys.create();
    await at.everywhere({ 'x-api-key': old });

    const { secret: next, ...after } = await at.keys.rotated(before.id);

    expect([await at.statuses(old), await at.statuses(next)]).toEqual([REFUSED, GOOD]);
    const { rotated_at, expires_at, last_used_at: _used, ...same } = before;
    expect(after).toMatchObject(same);
    expect(rotated_at).toBeNull();
    expect(Date.parse(after.rotated_at ?? '')).toBeGreaterThan(Date.parse(before.created_at));
    expect(Date.parse(after.expires_at)).toBeGreaterThan(Date.parse(expires_at));
  });

  it('lets the old secret go on as long as it is asked to', async () => {
    const { id, secret: old } = await at.keys.create();

    const {
      secret: next,
      state,
      previous_secret_valid_until: until,
    } = await at.keys.rotated(id, { overlap_seconds: 3 });
    const during = [await at.statuses(old), await at.statuses(next)];
    await sleep(Date.parse(until ?? '') - Date.now() + 50);
    const after = [await at.statuses(old), await at.statuses(next)];

    expect([state, (await at.keys.read(id)).state]).toEqual(['rotating', 'active']);
    expect(during).toEqual([GOOD, GOOD]);
    expect(after).toEqual([REFUSED, GOOD]);
    expect((await at.keys.read(id)).previous_secret_valid_until).toBeNull();
  });

  it('in the overlap of another ends the oldest secret', async () => {
    const { id, secret: first } = await at.keys.create();
    const { secret: second } = await at.keys.rotated(id, { overlap_seconds: 60 });
    const { secret: third } = await at.keys.rotated(id, { overlap_seconds: 60 });

    expect([await at.statuses(first), await at.statuses(second), await at.statuses(third)]).toEqual([
      REFUSED,
      GOOD,
      GOOD,
    ]);
  });

  it('may be of the key itself', async () => {
    const { id, secret: old } = await at.keys.create();

    const answer = await at.keys.rotate(id, undefined, { key: old });

    expect([answer.status, await at.statuses(old)]).toEqual([200, REFUSED]);
    expect(await at.statuses(CreatedKey.parse(answer.body).secret)).toEqual(GOOD);
  });

  it('is raised as apikey.rotated, exactly once each', async () => {
    const { id, name } = await at.keys.create();
    const { previous_secret_valid_until: until } = await at.keys.rotated(id, { overlap_seconds: 60 });
    await at.keys.rotated(id);
    await at.keys.rotate(id, { overlap_seconds: -1 });
    await at.keys.create();

    const own = (await at.events()).filter(({ data }) => data['api_key_id'] === id);
    expect(own.map(({ type, tenant_id, data }) => [type, tenant_id, data['name']])).toEqual(
      Array(2).fill(['apikey.rotated', 'acme', name]),
    );
    expect(own.map(({ data }) => data['previous_secret_valid_until'])).toEqual([until, null]);
    expect(new Set(own.map((event) => event.id)).size).toBe(2);
  });
});

describe('a revocation', () => {
  it('holds from the next request on, in every unit and every function that was warm', async () => {
    const { id, secret } = await at.keys.create();
    // As many at once as wakes every environment of each unit.
    await Promise.all(Array.from({ length: 8 }, () => at.everywhere({ 'x-api-key': secret })));

    const answer = await at.keys.revoke(id);
    const after = await Promise.all(Array.from({ length: 8 }, () => at.statuses(secret)));

    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(after).toEqual(Array(8).fill(REFUSED));
  });

  it('holds for every call that begins after it, however many are under way', async () => {
    const { id, secret } = await at.keys.create();
    const under = Array.from({ length: 60 }, () => call(at.baseUrl, '/api/v1/rate-limit', { key: secret }));

    const revoked = at.keys.revoke(id);
    await revoked;
    const after = await Promise.all(
      Array.from({ length: 60 }, () => call(at.baseUrl, '/api/v1/rate-limit', { key: secret })),
    );

    expect(new Set(after.map(({ status }) => status))).toEqual(new Set([401]));
    expect((await Promise.all(under)).every(({ status }) => status === 200 || status === 401)).toBe(true);
  });

  it('ends both secrets of a key that is being rotated', async () => {
    const { id, secret: old } = await at.keys.create();
    const { secret: next } = await at.keys.rotated(id, { overlap_seconds: 60 });

    await at.keys.revoke(id);

    expect([await at.statuses(old), await at.statuses(next)]).toEqual([REFUSED, REFUSED]);
    expect(await at.keys.read(id)).toMatchObject({ state: 'revoked', previous_secret_valid_until: null });
  });

  it('is for ever: the key stays listed, is revoked again without a change, and never gets another secret', async () => {
    const { id } = await at.keys.create();
    await at.keys.revoke(id);
    const before = await at.keys.read(id);

    const again = await at.keys.revoke(id);
    const rotation = await at.keys.rotate(id);

    expect(again.status).toBe(204);
    expect(rotation).toMatchObject({ status: 409, body: { error_code: 'CONFLICT' } });
    expect(await at.keys.read(id)).toEqual(before);
  });
});

describe('an expired key', () => {
  it('is told so whatever else happened to it, but only by its right secret', async () => {
    const ends = Date.now() + 2_500;
    const expires_at = new Date(ends).toISOString();
    const [active, revokedKey, overlapping] = [
      await at.keys.create({ expires_at }),
      await at.keys.create({ expires_at }),
      await at.keys.create({ expires_at }),
    ];
    const { secret: next } = await at.keys.rotated(overlapping.id, { overlap_seconds: 60 });
    await at.keys.revoke(revokedKey.id);
    const alive = await at.statuses(active.secret);
    await sleep(
      Math.max(ends, Date.parse((await at.keys.read(overlapping.id)).expires_at)) - Date.now() + 50,
    );

    const secrets = [active.secret, revokedKey.secret, overlapping.secret, next];
    const answers = await Promise.all(secrets.map((key) => at.everywhere({ 'x-api-key': key })));
    const stranger = parseApiKey((await at.keys.create()).secret)?.secret ?? '';
    const guess = formatApiKey('test', active.id.slice(4), stranger);

    expect(alive).toEqual(GOOD);
    const codes = answers.flat().map(({ status, body }) => [status, body['error_code']]);
    expect(codes).toEqual(Array(16).fill([401, 'EXPIRED']));
    expect((await at.everywhere({ 'x-api-key': guess })).map(({ body }) => body['error_code'])).toEqual(
      Array(4).fill('INVALID_CREDENTIALS'),
    );
    expect(await at.keys.read(active.id)).toMatchObject({ state: 'expired' });
    expect(await at.keys.rotate(active.id)).toMatchObject({ status: 409, body: { error_code: 'CONFLICT' } });
  });
});

it('answers a credential that is none in one way, whatever is wrong with it', async () => {
  const good = await at.keys.create();
  const random = (secret: string) => parseApiKey(secret)?.secret ?? '';
  const revokedKey = await at.keys.create();
  await at.keys.revoke(revokedKey.id);
  const replaced = await at.keys.create();
  await at.keys.rotated(replaced.id);
  const credentials = [
    'ask_test_nothing',
    tamper(good.secret),
    formatApiKey('test', good.id.slice(4, 12) + ABSENT_ULID, random(good.secret)),
    formatApiKey('test', `zzzzzzzz${ABSENT_ULID}`, random(good.secret)),
    formatApiKey('test', good.id.slice(4), random(revokedKey.secret)),
    formatApiKey('live', good.id.slice(4), random(good.secret)),
    revokedKey.secret,
    replaced.secret,
  ];

  const answers = await Promise.all(credentials.map((key) => at.send(KEYS, { key })));

  const seen = answers.map(({ status, headers, body: { trace_id, ...body } }) => {
    expect(trace_id).toMatch(/^[0-9a-f]{32}$/);
    const own = new Set(['x-trace-id', 'apigw-requestid', 'date']);
    const others = [...headers].filter(([name]) => !own.has(name));
    return JSON.stringify([status, others, body]).replaceAll(String(trace_id), '');
  });
  expect(new Set(seen).size).toBe(1);
  expect(answers[0]).toMatchObject({ status: 401, body: { error_code: 'INVALID_CREDENTIALS' } });
});

describe('a key of another tenant', () => {
  it('cannot be read, rotated or revoked, nor does anybody learn that it is there', async () => {
    const { id, secret } = await at.keys.create();
    const absent = id.slice(0, 12) + ABSENT_ULID;
    const by = { key: at.globex.api_keys.admin };
    const attempts = (of: string) =>
      Promise.all([at.send(`${KEYS}/${of}`, by), at.keys.rotate(of, undefined, by), at.keys.revoke(of, by)]);

    const [there, notThere] = [await attempts(id), await attempts(absent)];

    const without = ({ body: { trace_id: _own, instance: _path, ...rest } }: Answer) => rest;
    expect(there.map(({ status, body }) => [status, body['error_code']])).toEqual(
      Array(3).fill([403, 'TENANT_MISMATCH']),
    );
    expect(there.map(without)).toEqual(notThere.map(without));
    expect(await at.statuses(secret)).toEqual(GOOD);
  });

  it('is told from one of its own that is not there', async () => {
    const { id } = await at.keys.create();
    const absent = id.slice(0, 12) + ABSENT_ULID;

    const answers = [
      await at.send(`${KEYS}/${absent}`),
      await at.keys.rotate(absent),
      await at.keys.revoke(absent),
    ];

    expect(answers.map(({ body }) => body['error_code'])).toEqual(Array(3).fill('NOT_FOUND'));
  });
});
