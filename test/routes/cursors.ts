import { expect, it } from 'vitest';
import { problemTypes } from '../../schemas/problems.ts';
import type { RouteShape } from '../../schemas/routes/route.ts';
import { call } from '../support/client.ts';
import type { RouteWorld } from './world.ts';

/** Cursors of others, and changed ones. `test/platform/http/pages/cursor.test.ts` changes every character. */
export const testCursors = (world: RouteWorld, route: RouteShape): void => {
  // Reports, sub-resources and events of the last minute have too few rows here to paginate. Separate tests cover them.
  const isPaginated =
    route.unit !== 'reports' &&
    route.operation !== 'listWebhookEvents' &&
    Object.keys(route.ids ?? {}).length === 0;
  if (!isPaginated || route.query === undefined || !('cursor' in route.query.shape)) return;
  if (route.access === 'public') return;

  const firstCursor = async (key: string): Promise<string> => {
    const request = world.validRequest(route, { key });
    const { page } = (await world.sendAndCheck(route, request, `${route.path}?limit=1`)).body;
    const { next_cursor: cursor } = Object(page);
    if (typeof cursor !== 'string') throw new Error('the fixture has only one page');
    return encodeURIComponent(cursor);
  };

  it('continues with another key of the tenant, and with none of another tenant', async () => {
    const path = `${route.path}?limit=1&cursor=${await firstCursor(world.adminKey)}`;

    const [own, foreign] = await Promise.all([
      call(world.service.baseUrl, path, { key: world.secondAdminKey }),
      call(world.service.baseUrl, path, { key: world.otherKey }),
    ]);

    expect(own.status).toBe(200);
    expect(foreign.body).toMatchObject({
      status: problemTypes.TENANT_MISMATCH.status,
      error_code: 'TENANT_MISMATCH',
    });
  });

  it('returns INVALID_CURSOR when a character of the cursor is changed', async () => {
    const cursor = await firstCursor(world.adminKey);

    for (const index of [0, Math.floor(cursor.length / 2), cursor.length - 2]) {
      const changed = cursor.slice(0, index) + (cursor[index] === 'A' ? 'B' : 'A') + cursor.slice(index + 1);
      await world.expectError(
        route,
        'INVALID_CURSOR',
        world.validRequest(route),
        `${route.path}?limit=1&cursor=${changed}`,
      );
    }
  });
};
