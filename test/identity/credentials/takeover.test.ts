import * as fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import { roles } from '../../../schemas/identity/roles.ts';
import { Scope } from '../../../schemas/identity/scopes.ts';
import { routes } from '../../../schemas/routes/index.ts';
import type { TestResponse } from '../../platform/http/harness.ts';
import { runs } from '../../support/properties.ts';
import { type OperationName, startCredentialsHarness } from './harness.ts';

const world = await startCredentialsHarness();
afterAll(() => world.live.stop());

interface Kind {
  readonly create: OperationName;
  readonly rotate: OperationName;
  readonly end: OperationName;
  /** Members of the request besides name and scopes. */
  readonly members?: object;
}
const signingIn = {
  redirect_uris: ['https://app.example.com/callback'],
  grant_types: ['authorization_code', 'refresh_token'],
};
const kinds: readonly (readonly [string, Kind])[] = [
  ['API key', { create: 'createApiKey', rotate: 'rotateApiKey', end: 'revokeApiKey' }],
  ['OAuth client', { create: 'createOAuthClient', rotate: 'rotateOAuthClient', end: 'deleteOAuthClient' }],
  [
    'OAuth client that signs users in',
    {
      create: 'createOAuthClient',
      rotate: 'rotateOAuthClient',
      end: 'deleteOAuthClient',
      members: signingIn,
    },
  ],
];

const Held = z
  .object({
    id: z.string().optional(),
    client_id: z.string().optional(),
    secret: z.string().optional(),
    client_secret: z.string().optional(),
    scopes: z.array(Scope),
    residency: z.string().nullable(),
  })
  .transform(({ id, client_id, secret, client_secret, scopes, residency }) => ({
    id: id ?? client_id ?? '',
    secret: secret ?? client_secret ?? '',
    scopes,
    residency,
  }));
const heldIn = ({ body }: TestResponse) => Held.parse(body);

const newTenant = (): Tenant => world.newTenant({ residency: ['eu', 'us'] });
const create = async (
  { create, members }: Kind,
  tenant: Tenant,
  scopes: readonly Scope[],
  residency?: string,
) => {
  const body = { name: 'target', ...members, scopes, ...(residency !== undefined && { residency }) };
  return heldIn(await world.call(create, { tenant, body }));
};
const storedIn = async (tenant: Tenant) => [
  ...(await world.keysOf(tenant)),
  ...(await world.clientsOf(tenant)),
];
const outcomeOf = ({ status, body }: TestResponse) => [status, body['error_code']];

/** Only a connector has the scope of connectors, and no other scope. */
const EVERY: readonly Scope[] = roles.admin.filter((scope) => scope !== 'partner:connector');
const LACKING = [403, 'INSUFFICIENT_SCOPE'];
const OUTSIDE = [409, 'RESIDENCY_BLOCKED'];

describe.each(kinds)('an %s', (_, kind) => {
  it.each([{}, { overlap_seconds: 3_600 }])(
    'with every scope is neither rotated nor ended by a caller with admin:config alone: %j',
    async (body) => {
      const tenant = newTenant();
      const target = await create(kind, tenant, EVERY);
      const before = await storedIn(tenant);
      const sent = { tenant, id: target.id };

      const rotation = await world.call(kind.rotate, { ...sent, body }, ['admin:config']);
      const ending = await world.call(kind.end, sent, ['admin:config']);

      expect([rotation, ending].map(outcomeOf)).toEqual([LACKING, LACKING]);
      const after = await storedIn(tenant);
      expect(after).toEqual(before);
      expect(after.map((stored) => world.works(target.secret, stored))).toEqual([true]);
      const refusals = (await world.auditOf(tenant)).filter(({ outcome }) => outcome === 'refused');
      expect(refusals.map(({ resource, error_code }) => [resource, error_code])).toEqual(
        Array(2).fill([target.id, 'INSUFFICIENT_SCOPE']),
      );
    },
  );

  it.each([undefined, 'us'])(
    'bound to the lane %j is neither rotated nor ended by a caller bound to eu',
    async (lane) => {
      const tenant = newTenant();
      const target = await create(kind, tenant, ['read:attribution'], lane);
      const before = await storedIn(tenant);
      const sent = { tenant, id: target.id, residency: 'eu' };

      const answers = [
        await world.call(kind.rotate, { ...sent, body: {} }),
        await world.call(kind.end, sent),
      ];

      expect(answers.map(outcomeOf)).toEqual([OUTSIDE, OUTSIDE]);
      expect(await storedIn(tenant)).toEqual(before);
    },
  );

  it.each([
    ['eu', 'eu'],
    ['eu', null],
    [undefined, null],
  ])('bound to lane %j can be rotated and ended by a caller bound to %j', async (lane, residency) => {
    const tenant = newTenant();
    const target = await create(kind, tenant, ['read:attribution', 'admin:config'], lane);
    const sent = { tenant, id: target.id, residency };
    const scopes: readonly Scope[] = ['admin:config', 'read:attribution'];

    const rotation = await world.call(kind.rotate, { ...sent, body: {} }, scopes);
    const ending = await world.call(kind.end, sent, scopes);

    expect([rotation.status, ending.status]).toEqual([200, 204]);
  });

  it('of another lane can be ended by a tenant administrator only without a lane', async () => {
    const tenant = newTenant();
    const target = await create(kind, tenant, ['read:attribution'], 'us');
    const sent = { tenant, id: target.id };

    const bound = await world.call(kind.end, { ...sent, residency: 'eu' }, roles.admin);
    const ending = await world.call(kind.end, sent, roles.admin);

    expect(outcomeOf(bound)).toEqual(OUTSIDE);
    expect(ending.status).toBe(204);
  });

  it('never gives a caller additional scopes or lanes by rotation', async () => {
    const tenant = newTenant();
    const some = fc.uniqueArray(fc.constantFrom(...EVERY), { minLength: 1 });
    const lane = fc.constantFrom('eu', 'us', undefined);

    await fc.assert(
      fc.asyncProperty(some, lane, some, lane, async (targetScopes, targetLane, others, bound) => {
        const target = await create(kind, tenant, targetScopes, targetLane);
        const scopes = new Set<Scope>(['admin:config', ...others]);
        const sent = { tenant, id: target.id, residency: bound ?? null, body: {} };

        const answer = await world.call(kind.rotate, sent, [...scopes]);

        const isAllowed =
          targetScopes.every((scope) => scopes.has(scope)) && (bound === undefined || bound === targetLane);
        expect(answer.status).toBe(
          isAllowed ? 200 : targetScopes.every((scope) => scopes.has(scope)) ? 409 : 403,
        );
        if (!isAllowed) return;
        const returned = heldIn(answer);
        expect(returned.secret).not.toBe(target.secret);
        expect(returned.scopes.filter((scope) => !scopes.has(scope))).toEqual([]);
        if (bound !== undefined) expect(returned.residency).toBe(bound);
      }),
      { numRuns: runs(20) },
    );
  });

  it('does not return its secret to a token with fewer rights that repeats the rotation', async () => {
    const tenant = newTenant();
    const target = await create(kind, tenant, EVERY);
    const sent = { tenant, id: target.id, body: {}, key: 'one-key' };
    const rotated = heldIn(await world.call(kind.rotate, sent));

    const narrower = await world.call(kind.rotate, sent, ['admin:config']);

    expect(outcomeOf(narrower)).toEqual([200, undefined]);
    expect(narrower.body['withheld']).toEqual(expect.any(String));
    expect(narrower.text).not.toContain(rotated.secret);
  });
});

it('covers every operation on an existing credential', () => {
  const covered = new Set(kinds.flatMap(([, { rotate, end }]): string[] => [rotate, end]));
  // A user has the scopes of a role instead of its own: test/e2e/users.test.ts.
  for (const operation of ['updateUser', 'removeUser']) covered.add(operation);
  const operations = routes
    .filter(({ authority, ids }) => authority.effect === 'credentials' && ids !== undefined)
    .map(({ operation }) => operation);

  expect(operations.filter((operation) => !covered.has(operation))).toEqual([]);
});
