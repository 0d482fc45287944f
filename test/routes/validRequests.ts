import { expect, it } from 'vitest';
import * as z from 'zod';
import { AttributionRecord } from '../../schemas/attribution/attributionRecord.ts';
import { postBills } from '../../schemas/routes/chargeback/bills.ts';
import { closePeriod } from '../../schemas/routes/chargeback/periods.ts';
import { routes } from '../../schemas/routes/index.ts';
import type { RouteShape } from '../../schemas/routes/route.ts';
import { pathOf } from '../platform/apiDocs/contract/requests.ts';
import { call } from '../support/client.ts';
import { idIn, type RouteWorld } from './world.ts';

const Records = z.array(AttributionRecord.pick({ id: true, interpretation: true }));

/** Operations that require a verified webhook endpoint. */
const requiresVerifiedEndpoint: ReadonlySet<string> = new Set(['testWebhook', 'replayToWebhook']);

/** Operations that other tenants may not call. */
const onlyForSandboxes: ReadonlySet<string> = new Set(['getSandbox', 'resetSandbox', 'updateSandbox']);

/** The id of a resource for a route: a new one when the collection supports creation, otherwise the last listed. */
const existingId = async (world: RouteWorld, route: RouteShape): Promise<string> => {
  if (route.operation === 'deliverExport') return world.finishedExport;
  const [collection = ''] = route.path.split('/{');
  const creation = routes.find(
    ({ method, path, replies }) => method === 'POST' && path === collection && 201 in replies,
  );
  const { body } =
    creation === undefined
      ? await call(world.service.baseUrl, collection, { key: world.adminKey })
      : await world.sendAndCheck(creation, world.validRequest(creation));
  const found = Records.safeParse(body['data']).data;
  const waiting = found?.find(({ interpretation }) => interpretation.unknown?.cost === 'implausible_cost');
  const resource =
    route.operation === 'confirmCost' ? waiting : Array.isArray(body['data']) ? body['data'].at(-1) : body;
  const id = idIn(resource);
  if (requiresVerifiedEndpoint.has(route.operation)) await world.markVerified(id);
  return id;
};

export const testValidRequests = (world: RouteWorld, route: RouteShape): void => {
  // A complete sign-in needs a client, a browser and a user: see test/e2e/oauth*.test.ts.
  const isSignIn = 302 in route.replies;

  it('returns a response that matches its schema for a valid request', async () => {
    const id = route.ids === undefined ? '' : await existingId(world, route);
    // A delivery has the id that its sender gives.
    if (route.operation === 'deleteBill') {
      await world.sendAndCheck(postBills, world.validRequest(postBills));
    }
    if (route.operation === 'reopenPeriod') {
      await world.sendAndCheck(closePeriod, world.validRequest(closePeriod));
    }

    const answer = await world.sendAndCheck(
      route,
      world.validRequest(route, onlyForSandboxes.has(route.operation) ? { key: world.sandboxKey } : {}),
      pathOf(route, () => id),
    );

    if (isSignIn) expect(answer.status).toBe(400);
    else expect(answer.status, answer.text).toBeLessThan(300);
    if (answer.status === 201) {
      const [collection] = route.path.split('/{');
      expect(answer.headers.get('location')).toBe(`${collection}/${idIn(answer.body)}`);
    }
  });

  if (route.access === 'public' || route.access === 'contract') {
    it('accepts a request without a credential', async () => {
      const { key: _none, ...request } = world.validRequest(route);

      const answer = await world.sendAndCheck(route, request);

      expect(answer.status).toBe(isSignIn ? 400 : 200);
    });
  }
};
