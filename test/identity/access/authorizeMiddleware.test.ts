import { describe, expect, it } from 'vitest';
import { reply } from '../../../functions/platform/http/reply.ts';
import type { Caller } from '../../../functions/platform/tenancy/caller.ts';
import { type Scope, scopeNames } from '../../../schemas/identity/scopes.ts';
import { caller, NOW, serve, type TestResponse, testRoute } from '../../platform/http/harness.ts';

const MINUTE = 60_000;

/** The response to a caller at a route. */
const send = (shape: Parameters<typeof testRoute>[0], by: Partial<Caller>): Promise<TestResponse> =>
  serve(
    testRoute(shape),
    () => reply(200, {}),
    { headers: { 'x-api-key': 'ask_good', 'idempotency-key': 'a-key' } },
    { authenticator: async () => ({ ...caller, ...by }) },
  );
const errorOf = ({ body }: TestResponse) => body['error_code'];

describe('the scope of a route', () => {
  it.each(scopeNames)('%s gives access to its own routes only', async (held) => {
    const outcomes = await Promise.all(
      scopeNames.map(async (access) => [
        access,
        (await send({ access }, { scopes: new Set([held]) })).status,
      ]),
    );

    expect(outcomes).toEqual(scopeNames.map((access) => [access, access === held ? 200 : 403]));
  });

  it('is named in WWW-Authenticate when it is missing', async () => {
    const { headers, body } = await send({ access: 'export:create' }, { scopes: new Set() });

    expect(body).toMatchObject({ error_code: 'INSUFFICIENT_SCOPE', tenant_id: 'acme' });
    expect(headers['www-authenticate']).toBe('Bearer error="insufficient_scope", scope="export:create"');
  });

  it('is not required where any credential is sufficient', async () => {
    const outcomes = [
      await send({ access: 'caller' }, { scopes: new Set() }),
      await send({ access: 'contract' }, { scopes: new Set() }),
    ];

    expect(outcomes.map(({ status }) => status)).toEqual([200, 200]);
  });
});

describe('the scopes of the data that a route reveals', () => {
  const shape = { access: 'admin:config', authority: { reveals: ['read:attribution'] } } as const;

  it.each<[Scope[], number]>([
    [['admin:config', 'read:attribution'], 200],
    [['admin:config'], 403],
    [['read:attribution'], 403],
    [['admin:config', 'read:reporting'], 403],
  ])('are required besides its access scope: %j returns %d', async (held, status) => {
    expect((await send(shape, { scopes: new Set(held) })).status).toBe(status);
  });

  it('are required where any credential is sufficient', async () => {
    expect((await send({ ...shape, access: 'caller' }, { scopes: new Set() })).status).toBe(403);
  });

  it('are named in WWW-Authenticate', async () => {
    const { headers } = await send(shape, { scopes: new Set<Scope>(['admin:config']) });

    expect(headers['www-authenticate']).toBe(
      'Bearer error="insufficient_scope", scope="admin:config read:attribution"',
    );
  });
});

describe('the data-residency lane', () => {
  const inLanes = (residency: string[]) => ({ ...caller.tenant, residency });

  it.each([
    ['all', 'eu', 409],
    ['all', null, 200],
    ['own', 'eu', 200],
    ['none', 'eu', 200],
  ] as const)('coverage %s, for a credential bound to %j: returns %d', async (lanes, residency, status) => {
    const by = { tenant: inLanes(['eu', 'us']), residency };

    expect((await send({ authority: { lanes } }, by)).status).toBe(status);
  });

  it.each([
    [['eu', 'us'], 'eu', 200],
    [['eu', 'us'], null, 200],
    [[], null, 200],
    [['us'], 'eu', 409],
    [[], 'eu', 409],
    [['EU'], 'eu', 409],
  ])('of a tenant with lanes %j and a credential bound to %j: returns %d', async (lanes, bound, status) => {
    expect((await send({}, { tenant: inLanes(lanes), residency: bound })).status).toBe(status);
  });

  it('returns 403 on every route when the tenant no longer has it', async () => {
    const by = { tenant: inLanes(['us']), residency: 'eu', scopes: new Set<Scope>(scopeNames) };

    const outcomes = await Promise.all(
      (['caller', 'contract', 'read:attribution', 'admin:config'] as const).map((access) =>
        send({ access }, by),
      ),
    );

    expect(outcomes.map(errorOf)).toEqual(Array(4).fill('RESIDENCY_BLOCKED'));
  });
});

describe('an operation that requires a recent sign-in', () => {
  const admin = { method: 'POST', access: 'admin:config', effect: 'settings' } as const;
  const scopes: ReadonlySet<Scope> = new Set<Scope>(['admin:config']);
  const user = (signedInAt: number) => ({
    kind: 'user' as const,
    principal: 'usr_1',
    scopes,
    signedInAt,
  });

  it.each([
    ['just now', 0, 200],
    ['14 minutes ago', 14 * MINUTE, 200],
    ['15 minutes ago', 15 * MINUTE, 200],
    ['15 minutes and a millisecond ago', 15 * MINUTE + 1, 401],
    ['a day ago', 24 * 60 * MINUTE, 401],
  ])('handles a user who signed in %s', async (_, ago, status) => {
    expect((await send(admin, user(NOW - ago))).status).toBe(status);
  });

  it('returns max_age in WWW-Authenticate (RFC 9470)', async () => {
    const { headers, body } = await send(admin, user(NOW - 16 * MINUTE));

    expect(body['error_code']).toBe('STEP_UP_REQUIRED');
    expect(headers['www-authenticate']).toBe('Bearer error="insufficient_user_authentication", max_age=900');
  });

  it.each(['api_key', 'oauth_client'] as const)('requires no sign-in of an %s', async (kind) => {
    expect((await send(admin, { kind, scopes, signedInAt: null })).status).toBe(200);
  });

  it('returns INSUFFICIENT_SCOPE before STEP_UP_REQUIRED', async () => {
    const old = { ...user(NOW - 16 * MINUTE), scopes: new Set<Scope>() };

    expect(errorOf(await send(admin, old))).toBe('INSUFFICIENT_SCOPE');
  });

  it.each(['credentials', 'egress', 'export', 'attribution', 'settings', 'deletion'] as const)(
    'is one with the effect %s',
    async (effect) => {
      expect((await send({ ...admin, effect }, user(0))).status).toBe(401);
    },
  );

  it.each(['ingestion', 'authentication', 'download', 'none'] as const)(
    'is not one with the effect %s',
    async (effect) => {
      expect((await send({ ...admin, effect }, user(0))).status).toBe(200);
    },
  );

  it('is never a GET', async () => {
    expect((await send({ access: 'admin:config' }, user(0))).status).toBe(200);
  });
});
