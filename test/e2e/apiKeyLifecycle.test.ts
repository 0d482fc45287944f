import { afterAll, describe, expect, it } from 'vitest';
import { formatApiKey, parseApiKey } from '../../functions/identity/access/principals/apiKey.ts';
import { ABSENT_ULID } from '../platform/apiDocs/contract/requests.ts';
import { call } from '../support/client.ts';
import { tamper } from '../support/tamper.ts';
import { CreatedKey, GOOD, KEYS, REFUSED, RIGHTS, startAdminInstance } from './adminInstance.ts';

const api = await startAdminInstance();
afterAll(() => api.stop());

describe('API key creation', () => {
  it('returns the secret only once, and the key works in every unit and both headers', async () => {
    const answer = await api.send(KEYS, { body: RIGHTS });
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
    expect(await api.send(`${KEYS}/${record.id}`)).toMatchObject({ status: 200, body: record });
    expect(await api.statuses(secret)).toEqual(GOOD);
    const bearer = await call(api.baseUrl, KEYS, { headers: { authorization: `Bearer ${secret}` } });
    expect([bearer.status, bearer.text.includes(secret)]).toEqual([200, false]);
  });

  it('sets last_used_at after the first use', async () => {
    const { id, secret, created_at } = await api.keys.create();
    const before = await api.keys.read(id);
    await api.everywhere({ 'x-api-key': secret });

    const after = await api.keys.read(id);

    expect(before.last_used_at).toBeNull();
    const minute = Date.parse(created_at) - (Date.parse(created_at) % 60_000);
    expect(Date.parse(after.last_used_at ?? '')).toBeGreaterThanOrEqual(minute);
    expect(Date.parse(after.last_used_at ?? '')).toBeLessThanOrEqual(Date.now());
  });
});

describe('API key rotation', () => {
  it('invalidates the old secret immediately, and keeps all other members', async () => {
    const { secret: old, ...before } = await api.keys.create();
    await api.everywhere({ 'x-api-key': old });

    const { secret: next, ...after } = await api.keys.rotated(before.id);

    expect([await api.statuses(old), await api.statuses(next)]).toEqual([REFUSED, GOOD]);
    const { rotated_at, last_used_at: _used, ...same } = before;
    expect(after).toMatchObject(same);
    expect(rotated_at).toBeNull();
    expect(Date.parse(after.rotated_at ?? '')).toBeGreaterThan(Date.parse(before.created_at));
  });

  it('keeps the old secret valid during the requested overlap', async () => {
    const { id, secret: old } = await api.keys.create();

    const {
      secret: next,
      state,
      previous_secret_valid_until: until,
    } = await api.keys.rotated(id, { overlap_seconds: 600 });
    const during = [await api.statuses(old), await api.statuses(next)];
    await api.engines.age(id, 600_000);
    const after = [await api.statuses(old), await api.statuses(next)];

    expect([state, (await api.keys.read(id)).state]).toEqual(['rotating', 'active']);
    expect(Date.parse(until ?? '')).toBeGreaterThan(Date.now());
    expect(during).toEqual([GOOD, GOOD]);
    expect(after).toEqual([REFUSED, GOOD]);
    expect((await api.keys.read(id)).previous_secret_valid_until).toBeNull();
  });

  it('allows a key to rotate itself', async () => {
    const { id, secret: old } = await api.keys.create();

    const answer = await api.keys.rotate(id, undefined, { key: old });

    expect([answer.status, await api.statuses(old)]).toEqual([200, REFUSED]);
    expect(await api.statuses(CreatedKey.parse(answer.body).secret)).toEqual(GOOD);
  });

  it('raises apikey.rotated exactly once per rotation', async () => {
    const { id, name } = await api.keys.create();
    const { previous_secret_valid_until: until } = await api.keys.rotated(id, { overlap_seconds: 60 });
    await api.keys.rotated(id);
    await api.keys.rotate(id, { overlap_seconds: -1 });
    await api.keys.create();

    const own = (await api.events()).filter(({ data }) => data['api_key_id'] === id);
    expect(own.map(({ type, tenant_id, data }) => [type, tenant_id, data['name']])).toEqual(
      Array(2).fill(['apikey.rotated', api.acme.tenant_id, name]),
    );
    expect(own.map(({ data }) => data['previous_secret_valid_until'])).toEqual([until, null]);
    expect(new Set(own.map((event) => event.id)).size).toBe(2);
  });
});

describe('API key revocation', () => {
  it('rejects the key from the next request on, in every unit and warm function', async () => {
    const { id, secret } = await api.keys.create();
    // Enough concurrent requests to start every environment of each unit.
    await Promise.all(Array.from({ length: 8 }, () => api.everywhere({ 'x-api-key': secret })));

    const answer = await api.keys.revoke(id);
    const after = await Promise.all(Array.from({ length: 8 }, () => api.statuses(secret)));

    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(after).toEqual(Array(8).fill(REFUSED));
  });

  it('rejects every request that starts after the revocation, while others are in flight', async () => {
    const { id, secret } = await api.keys.create();
    const inFlight = Array.from({ length: 60 }, () =>
      call(api.baseUrl, '/api/v1/rate-limit', { key: secret }),
    );

    const revoked = api.keys.revoke(id);
    await revoked;
    const after = await Promise.all(
      Array.from({ length: 60 }, () => call(api.baseUrl, '/api/v1/rate-limit', { key: secret })),
    );

    expect(new Set(after.map(({ status }) => status))).toEqual(new Set([401]));
    expect((await Promise.all(inFlight)).every(({ status }) => status === 200 || status === 401)).toBe(true);
  });

  it('invalidates both secrets of a key during a rotation overlap', async () => {
    const { id, secret: old } = await api.keys.create();
    const { secret: next } = await api.keys.rotated(id, { overlap_seconds: 60 });

    await api.keys.revoke(id);

    expect([await api.statuses(old), await api.statuses(next)]).toEqual([REFUSED, REFUSED]);
    expect(await api.keys.read(id)).toMatchObject({ state: 'revoked', previous_secret_valid_until: null });
  });

  it('is permanent: the key stays listed, a second revocation changes nothing, and rotation returns 409', async () => {
    const { id } = await api.keys.create();
    await api.keys.revoke(id);
    const before = await api.keys.read(id);

    const again = await api.keys.revoke(id);
    const rotation = await api.keys.rotate(id);

    expect(again.status).toBe(204);
    expect(rotation).toMatchObject({ status: 409, body: { error_code: 'CONFLICT' } });
    expect(await api.keys.read(id)).toEqual(before);
  });
});

/** Longer than any test. */
const LIFETIME_MS = 60 * 60 * 1_000;
/** Longer than the time that the test lets pass. */
const OVERLAP_SECONDS = 12 * 60 * 60;

describe('expired API key', () => {
  it('returns EXPIRED for a correct secret, even when revoked or rotated, and INVALID_CREDENTIALS otherwise', async () => {
    const expires_at = new Date(Date.now() + LIFETIME_MS).toISOString();
    const [active, revokedKey, overlapping] = [
      await api.keys.create({ expires_at }),
      await api.keys.create({ expires_at }),
      await api.keys.create({ expires_at }),
    ];
    const { secret: next } = await api.keys.rotated(overlapping.id, { overlap_seconds: OVERLAP_SECONDS });
    await api.keys.revoke(revokedKey.id);
    const beforeExpiry = await api.statuses(active.secret);
    // A rotation starts the lifetime again, so the new secret expires up to one lifetime later.
    for (const { id } of [active, revokedKey, overlapping]) await api.engines.age(id, 2 * LIFETIME_MS);

    const secrets = [active.secret, revokedKey.secret, overlapping.secret, next];
    const answers = await Promise.all(secrets.map((key) => api.everywhere({ 'x-api-key': key })));
    const otherSecret = parseApiKey((await api.keys.create()).secret)?.secret ?? '';
    const guess = formatApiKey('test', active.id.slice(4), otherSecret);

    expect(beforeExpiry).toEqual(GOOD);
    const codes = answers.flat().map(({ status, body }) => [status, body['error_code']]);
    expect(codes).toEqual(Array(16).fill([401, 'EXPIRED']));
    expect((await api.everywhere({ 'x-api-key': guess })).map(({ body }) => body['error_code'])).toEqual(
      Array(4).fill('INVALID_CREDENTIALS'),
    );
    expect(await api.keys.read(active.id)).toMatchObject({ state: 'expired' });
    expect(await api.keys.rotate(active.id)).toMatchObject({ status: 409, body: { error_code: 'CONFLICT' } });
  });
});

it('returns the same 401 response for every kind of invalid API key', async () => {
  const good = await api.keys.create();
  const random = (secret: string) => parseApiKey(secret)?.secret ?? '';
  const revokedKey = await api.keys.create();
  await api.keys.revoke(revokedKey.id);
  const replaced = await api.keys.create();
  await api.keys.rotated(replaced.id);
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

  const answers = await Promise.all(credentials.map((key) => api.send(KEYS, { key })));

  const comparable = answers.map(({ status, headers, body: { trace_id, ...body } }) => {
    expect(trace_id).toMatch(/^[0-9a-f]{32}$/);
    const own = new Set(['x-trace-id', 'apigw-requestid', 'date']);
    const others = [...headers].filter(([name]) => !own.has(name));
    return JSON.stringify([status, others, body]).replaceAll(String(trace_id), '');
  });
  expect(new Set(comparable).size).toBe(1);
  expect(answers[0]).toMatchObject({ status: 401, body: { error_code: 'INVALID_CREDENTIALS' } });
});
