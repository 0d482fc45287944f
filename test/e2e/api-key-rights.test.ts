import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scopeNames } from '../../schemas/access/scopes.ts';
import { ABSENT_ULID } from '../contract/requests.ts';
import { type AdminInstance, DAY, GOOD, KEYS, RIGHTS, startAdminInstance } from './adminInstance.ts';

let at: AdminInstance;
beforeAll(async () => {
  at = await startAdminInstance();
});
afterAll(() => at?.stop());

describe('a key is given', () => {
  it('no scope that its creator lacks', async () => {
    const { secret } = await at.keys.create({ scopes: ['admin:config', 'ingest:write'] });
    const by = { key: secret };

    const attempts = scopeNames.map(async (scope) => {
      const { status, body } = await at.send(KEYS, {
        ...by,
        body: { name: 'x', scopes: ['ingest:write', scope] },
      });
      return [scope, status, body['error_code'] ?? null];
    });

    expect(await Promise.all(attempts)).toEqual(
      scopeNames.map((scope) =>
        scope === 'admin:config' || scope === 'ingest:write'
          ? [scope, 201, null]
          : [scope, 403, 'INSUFFICIENT_SCOPE'],
      ),
    );
  });

  it.each([
    ['an empty list', { name: 'x', scopes: [] }],
    ['no list at all', { name: 'x' }],
  ])('at least one scope: %s is NO_SCOPE', async (_, body) => {
    expect(await at.send(KEYS, { body })).toMatchObject({ status: 422, body: { error_code: 'NO_SCOPE' } });
  });

  it('each scope once', async () => {
    expect((await at.keys.create({ scopes: ['ingest:write', 'ingest:write'] })).scopes).toEqual([
      'ingest:write',
    ]);
  });

  it('the end it is asked for, else the latest its tenant’s policy allows', async () => {
    const asked = new Date(Date.now() + 3 * DAY).toISOString();

    const [short, long] = [await at.keys.create({ expires_at: asked }), await at.keys.create()];

    expect(short.expires_at).toBe(asked);
    expect(Date.parse(long.expires_at) - Date.parse(long.created_at)).toBe(365 * DAY);
  });

  it.each([
    ['in the past', -DAY],
    ['beyond the policy', 366 * DAY],
  ])('no end %s', async (_, ahead) => {
    const body = { ...RIGHTS, expires_at: new Date(Date.now() + ahead).toISOString() };

    expect(await at.send(KEYS, { body })).toMatchObject({
      status: 422,
      body: { error_code: 'VALIDATION_FAILED', errors: [{ pointer: '/expires_at' }] },
    });
  });

  it('an end within the policy of its own tenant', async () => {
    const { key } = await at.newTenant('strict', { key_lifetime_days: 7 });
    const ahead = (days: number) => new Date(Date.now() + days * DAY).toISOString();

    const answers = [
      await at.send(KEYS, { key, body: { ...RIGHTS, expires_at: ahead(6) } }),
      await at.send(KEYS, { key, body: { ...RIGHTS, expires_at: ahead(8) } }),
    ];
    const created = await at.keys.create({}, { key, body: RIGHTS });

    expect(answers.map(({ status }) => status)).toEqual([201, 422]);
    expect(Date.parse(created.expires_at) - Date.parse(created.created_at)).toBe(7 * DAY);
  });

  it('a lane of its tenant’s, or none', async () => {
    const { key } = await at.newTenant('lanes', { residency: ['eu', 'us'] });

    const bound = await at.keys.create({}, { key, body: { ...RIGHTS, residency: 'eu' } });
    const inherited = await at.keys.create({}, { key: bound.secret, body: RIGHTS });
    const answers = [
      await at.send(KEYS, { key, body: { ...RIGHTS, residency: 'ap' } }),
      await at.send(KEYS, { key: bound.secret, body: { ...RIGHTS, residency: 'us' } }),
    ];

    expect([bound.residency, inherited.residency]).toEqual(['eu', 'eu']);
    expect(answers.map(({ body }) => body['error_code'])).toEqual(['RESIDENCY_BLOCKED', 'RESIDENCY_BLOCKED']);
  });
});

describe('unknown and read-only members', () => {
  const all = async () => (await at.send(`${KEYS}?limit=200`)).body['data'];

  it.each([
    ['tenant_id', 'acme'],
    ['id', `key_aaaaaaaa${ABSENT_ULID}`],
    ['key_id', `key_aaaaaaaa${ABSENT_ULID}`],
    ['secret', 'ask_test_mine'],
    ['secrets', {}],
    ['state', 'active'],
    ['role', 'admin'],
    ['created_by', 'operator'],
    ['created_at', '2026-01-01T00:00:00.000Z'],
    ['revoked_at', null],
    ['last_used_at', null],
    ['constructed', true],
  ])('such as %s are refused at the creation, and nothing is made', async (name, value) => {
    const before = await all();

    const answer = await at.send(KEYS, { body: { ...RIGHTS, [name]: value } });

    expect(answer).toMatchObject({
      status: 422,
      body: { error_code: 'VALIDATION_FAILED', errors: [{ pointer: `/${name}` }] },
    });
    expect(await all()).toEqual(before);
  });

  it.each(['scopes', 'expires_at', 'name', 'residency', 'tenant_id', 'id', 'secret'])(
    'such as %s are refused at the rotation, and the secret stays',
    async (name) => {
      const { id, secret, ...before } = await at.keys.create();

      const answer = await at.keys.rotate(id, { [name]: name === 'tenant_id' ? 'acme' : 'x' });

      expect(answer).toMatchObject({
        status: 422,
        body: { error_code: 'VALIDATION_FAILED', errors: [{ pointer: `/${name}` }] },
      });
      expect(await at.keys.read(id)).toEqual({ id, ...before });
      expect(await at.statuses(secret)).toEqual(GOOD);
    },
  );

  it.each([
    ['a name that is too long', { name: 'x'.repeat(129) }],
    ['an empty name', { name: '' }],
    ['a name with a line break', { name: 'a\nb' }],
    ['a scope nobody knows', { scopes: ['admin:everything'] }],
    ['a scope that is no text', { scopes: [7] }],
    ['scopes that are no list', { scopes: 'ingest:write' }],
    ['scopes that are null', { scopes: null }],
    ['an end that is no instant', { expires_at: 'tomorrow' }],
  ])('and members that are %s', async (_, members) => {
    expect(await at.send(KEYS, { body: { ...RIGHTS, ...members } })).toMatchObject({
      status: 422,
      body: { error_code: 'VALIDATION_FAILED' },
    });
  });

  it.each([-1, 86_401, 0.5, '60'])('and an overlap of %j', async (overlap_seconds) => {
    const { id } = await at.keys.create();

    expect(await at.keys.rotate(id, { overlap_seconds })).toMatchObject({ status: 422 });
  });
});
