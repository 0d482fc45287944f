import { it } from 'vitest';
import { type Scope, scopeNames } from '../../schemas/identity/scopes.ts';
import { createReportSubscription } from '../../schemas/routes/delivery/reportSubscriptions.ts';
import { type RouteShape, sufficientScopes } from '../../schemas/routes/route.ts';
import { pathOf } from '../platform/apiDocs/contract/requests.ts';
import { expectNoFaults, unequal } from '../support/faults.ts';
import { variantsFor } from './variants.ts';
import { OTHER, OWN, type RouteWorld } from './world.ts';

const TENANT_QUERIES = [
  `tenant_id=${OTHER}`,
  `tenant_id=${OWN}&tenant_id=${OTHER}`,
  `tenant_id=${OTHER}&tenant_id=${OWN}`,
  'tenant_id=',
];
const TENANT_HEADERS = ['X-Tenant-Id', 'Tenant-Id'];

const isAuthenticated = (other: RouteShape) => other.access !== 'public';

/** Who may call a route: refusals by credential, by scope and by a tenant that the caller names. */
export const testCredentials = (world: RouteWorld, route: RouteShape): void => {
  const { access, body } = route;
  const { expectError, validRequest } = world;
  if (access === 'public') return;

  if (access !== 'contract') {
    it('returns INVALID_CREDENTIALS without a credential', async () => {
      const { key: _none, ...request } = validRequest(route);

      await expectError(route, 'INVALID_CREDENTIALS', request);
    });
  }

  it('returns INVALID_CREDENTIALS for an unknown credential', async () => {
    await expectError(route, 'INVALID_CREDENTIALS', validRequest(route, { key: 'not-a-credential' }));
  });

  // `routeAuthority.test.ts` holds the rule for every route and scope. Here the route is held to apply it.
  const isSufficient = (held: Scope) =>
    sufficientScopes(route).some((scopes) => scopes.every((scope) => scope === held));
  const heldScopes = [true, false].flatMap((sufficient) => {
    const alike = scopeNames.filter((held) => isSufficient(held) === sufficient);
    return variantsFor(route, alike, isAuthenticated);
  });

  it('authorizes a key with a scope that is sufficient, and no other', async () => {
    await expectNoFaults(heldScopes, String, async (held) => {
      const request = validRequest(route, { key: world.keyWith(held) });
      // A new credential must not exceed the scopes of its creator.
      const grantable = {
        ...('scopes' in Object(request.body) && { scopes: [held] }),
        // A webhook endpoint also needs the scopes of its events. This event needs no additional scope.
        ...('events' in Object(request.body) && { events: ['webhook.disabled'] }),
        // Notification channels need further scopes.
        ...('notifications' in Object(request.body) && { notifications: {} }),
        // A report to the chat, or to another user, needs a further scope.
        ...(route === createReportSubscription && { channel: 'email', recipient: undefined }),
      };

      const answer = await world.sendAndCheck(route, {
        ...request,
        ...(body !== undefined &&
          typeof request.body === 'object' && { body: { ...request.body, ...grantable } }),
      });

      // A role has more than one scope, which its giver needs.
      const isEnough = !('role' in Object(request.body)) && isSufficient(held);
      if (isEnough) return [401, 403].includes(answer.status) ? [`is refused with ${answer.status}`] : [];
      return unequal('gets', [answer.status, answer.body['error_code']], [403, 'INSUFFICIENT_SCOPE']);
    });
  });

  it.each(variantsFor(route, TENANT_QUERIES, isAuthenticated))(
    'returns TENANT_MISMATCH for the query %s',
    async (query) => {
      const path = `${pathOf(route, world.missingId)}?${query}`;

      await expectError(route, 'TENANT_MISMATCH', validRequest(route), path);
    },
  );

  it.each(variantsFor(route, TENANT_HEADERS, isAuthenticated))(
    'returns TENANT_MISMATCH for the header %s',
    async (name) => {
      await expectError(route, 'TENANT_MISMATCH', validRequest(route, { headers: { [name]: OTHER } }));
    },
  );
};
