import { afterAll, describe, expect, it } from 'vitest';
import { scopeNames } from '../../schemas/identity/scopes.ts';
import { ABSENT_ULID } from '../platform/apiDocs/contract/requests.ts';
import { DAY, GOOD, KEYS, RIGHTS, startAdminInstance } from './adminInstance.ts';

const api = await startAdminInstance();
afterAll(() => api.stop());

describe('POST /api/v1/api-keys', () => {
  it('returns 403 for a scope that the creator lacks, and 422 for that of partner connectors', async () => {
    const { secret } = await api.keys.create({ scopes: ['admin:config', 'ingest:write'] });
    const by = { key: secret };

    const attempts = scopeNames.map(async (scope) => {
      const { status, body } = await api.send(KEYS, {
        ...by,
        body: { name: 'x', scopes: ['ingest:write', scope] },
      });
      return [scope, status, body['error_code'] ?? null];
    });

    expect(await Promise.all(attempts)).toEqual(
      scopeNames.map((scope) =>
        scope === 'admin:config' || scope === 'ingest:write'
          ? [scope, 201, null]
          : scope === 'partner:connector'
            ? [scope, 422, 'VALIDATION_FAILED']
            : [scope, 403, 'INSUFFICIENT_SCOPE'],
      ),
    );
  });

  it.each([
    ['an empty list', { name: 'x', scopes: [] }],
    ['a missing list', { name: 'x' }],
    ['null instead', { name: 'x', scopes: null }],
  ])('returns 422 NO_SCOPE for %s of scopes', async (_, body) => {
    expect(await api.send(KEYS, { body })).toMatchObject({ status: 422, body: { error_code: 'NO_SCOPE' } });
  });

  it('stores a repeated scope once', async () => {
    expect((await api.keys.create({ scopes: ['ingest:write', 'ingest:write'] })).scopes).toEqual([
      'ingest:write',
    ]);
  });

  it('uses the requested expiry, or the maximum lifetime of the tenant by default', async () => {
    const requested = new Date(Date.now() + 3 * DAY).toISOString();

    const [short, long] = [await api.keys.create({ expires_at: requested }), await api.keys.create()];

    expect(short.expires_at).toBe(requested);
    expect(Date.parse(long.expires_at) - Date.parse(long.created_at)).toBe(365 * DAY);
  });

  it.each([
    ['in the past', -DAY],
    ['beyond the maximum lifetime', 366 * DAY],
  ])('returns 422 for an expiry %s', async (_, ahead) => {
    const body = { ...RIGHTS, expires_at: new Date(Date.now() + ahead).toISOString() };

    expect(await api.send(KEYS, { body })).toMatchObject({
      status: 422,
      body: { error_code: 'VALIDATION_FAILED', errors: [{ pointer: '/expires_at' }] },
    });
  });

  it('applies the maximum lifetime of the own tenant', async () => {
    const { key } = await api.newTenant('strict', { key_lifetime_days: 7 });
    const ahead = (days: number) => new Date(Date.now() + days * DAY).toISOString();

    const answers = [
      await api.send(KEYS, { key, body: { ...RIGHTS, expires_at: ahead(6) } }),
      await api.send(KEYS, { key, body: { ...RIGHTS, expires_at: ahead(8) } }),
    ];
    const created = await api.keys.create({}, { key, body: RIGHTS });

    expect(answers.map(({ status }) => status)).toEqual([201, 422]);
    expect(Date.parse(created.expires_at) - Date.parse(created.created_at)).toBe(7 * DAY);
  });

  it('inherits the lane of the creator, and returns RESIDENCY_BLOCKED for another lane', async () => {
    const { key } = await api.newTenant('lanes', { residency: ['eu', 'us'] });

    const bound = await api.keys.create({}, { key, body: { ...RIGHTS, residency: 'eu' } });
    const inherited = await api.keys.create({}, { key: bound.secret, body: RIGHTS });
    const answers = [
      await api.send(KEYS, { key, body: { ...RIGHTS, residency: 'ap' } }),
      await api.send(KEYS, { key: bound.secret, body: { ...RIGHTS, residency: 'us' } }),
    ];

    expect([bound.residency, inherited.residency]).toEqual(['eu', 'eu']);
    expect(answers.map(({ body }) => body['error_code'])).toEqual(['RESIDENCY_BLOCKED', 'RESIDENCY_BLOCKED']);
  });
});

describe('validation of API key requests', () => {
  const errorsAt = (names: readonly string[]) => ({
    status: 422,
    body: {
      error_code: 'VALIDATION_FAILED',
      errors: names.map((name) => expect.objectContaining({ pointer: `/${name}` })),
    },
  });
  const READ_ONLY = {
    id: `key_aaaaaaaa${ABSENT_ULID}`,
    key_id: `key_aaaaaaaa${ABSENT_ULID}`,
    secret: 'ask_test_mine',
    secrets: {},
    state: 'active',
    role: 'admin',
    created_by: 'operator',
    created_at: '2026-01-01T00:00:00.000Z',
    revoked_at: null,
    last_used_at: null,
    constructed: true,
  };

  it('returns 422 for every unknown or read-only member at creation, and creates no key', async () => {
    const name = 'with read-only members';
    const members = { ...READ_ONLY, tenant_id: api.acme.tenant_id };

    const answer = await api.send(KEYS, { body: { ...RIGHTS, name, ...members } });

    expect(answer).toMatchObject(errorsAt(Object.keys(members)));
    expect((await api.send(`${KEYS}?limit=200`)).text).not.toContain(name);
  });

  it('returns 422 for every member that a rotation does not change, and keeps the secret valid', async () => {
    const { id, secret, ...before } = await api.keys.create();
    const members = { expires_at: 'x', ...READ_ONLY, scopes: 'x', name: 'x', residency: 'x' };

    const answer = await api.keys.rotate(id, { ...members, tenant_id: api.acme.tenant_id });

    expect(answer).toMatchObject(errorsAt([...Object.keys(members), 'tenant_id']));
    expect(await api.keys.read(id)).toEqual({ id, ...before });
    expect(await api.statuses(secret)).toEqual(GOOD);
  });

  it.each([
    ['a name that is too long', { name: 'x'.repeat(129) }],
    ['an empty name', { name: '' }],
    ['a name with a line break', { name: 'a\nb' }],
    ['an unknown scope', { scopes: ['admin:everything'] }],
    ['a scope that is not a string', { scopes: [7] }],
    ['scopes that are not a list', { scopes: 'ingest:write' }],
    ['an expiry that is not a timestamp', { expires_at: 'tomorrow' }],
  ])('returns 422 for %s', async (_, members) => {
    expect(await api.send(KEYS, { body: { ...RIGHTS, ...members } })).toMatchObject({
      status: 422,
      body: { error_code: 'VALIDATION_FAILED' },
    });
  });

  it.each([-1, 86_401, 0.5, '60'])('returns 422 for an overlap of %j seconds', async (overlap_seconds) => {
    const { id } = await api.keys.create();

    expect(await api.keys.rotate(id, { overlap_seconds })).toMatchObject({ status: 422 });
  });
});
