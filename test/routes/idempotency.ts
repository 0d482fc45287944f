import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { type RouteShape, storesResponse, takesIdempotencyKey } from '../../schemas/routes/route.ts';
import { pathOf } from '../platform/apiDocs/contract/requests.ts';
import { call } from '../support/client.ts';
import { replayed } from '../support/localService.ts';
import { variantsFor } from './variants.ts';
import type { RouteWorld } from './world.ts';

const INVALID_KEYS = [
  ['a missing', null],
  ['an empty', ''],
  ['an empty quoted', '""'],
  ['a 256-character', 'k'.repeat(256)],
  ['a space-separated', 'two words'],
  ['a non-ASCII', 'clé'],
] as const;

/** Repeated requests with one Idempotency-Key, and keys that are refused. */
export const testIdempotency = (world: RouteWorld, route: RouteShape): void => {
  if (!takesIdempotencyKey(route)) return;
  const { sendAndCheck, validRequest } = world;

  it('replays the first response to its key, without its secret to another key of the tenant, and never to another tenant', async () => {
    const idempotencyKey = randomUUID();
    const request = validRequest(route, { idempotencyKey });
    const first = await sendAndCheck(route, request);
    const again = await sendAndCheck(route, request);
    const replay = await sendAndCheck(route, {
      ...request,
      key: world.secondAdminKey,
      ...(route.body !== undefined && { headers: { 'content-type': 'application/json; charset=utf-8' } }),
    });
    const otherTenant = await call(
      world.service.baseUrl,
      pathOf(route, world.missingOtherId),
      validRequest(route, { idempotencyKey, key: world.otherKey }),
    );

    const { trace_id: one, ...original } = first.body;
    const { trace_id: other, ...repeated } = again.body;
    expect([again.status, repeated]).toEqual([first.status, original]);
    expect([replayed(first), replayed(again)]).toEqual([null, 'true']);
    if (first.status >= 400) expect(other).not.toBe(one);
    expect(replayed(otherTenant)).toBeNull();
    expect(otherTenant.body['error_code']).not.toBe('IDEMPOTENCY_CONFLICT');
    // A key of ingestion belongs to one credential: what it sends is taken for itself.
    if (!storesResponse(route)) {
      expect([replay.status, replayed(replay)]).toEqual([first.status, null]);
      return;
    }
    const secret = route.replies[first.status]?.secret;
    const { trace_id: _replay, withheld, ...shown } = replay.body;
    expect([replay.status, replayed(replay)]).toEqual([first.status, 'true']);
    expect(shown).toEqual(secret === undefined ? original : { ...original, [secret]: null });
    expect(withheld !== undefined).toBe(secret !== undefined);
  });

  it.each(variantsFor(route, INVALID_KEYS, takesIdempotencyKey))(
    'returns IDEMPOTENCY_KEY_REQUIRED for %s Idempotency-Key',
    async (_name, idempotencyKey) => {
      await world.expectError(route, 'IDEMPOTENCY_KEY_REQUIRED', validRequest(route, { idempotencyKey }));
    },
  );
};
