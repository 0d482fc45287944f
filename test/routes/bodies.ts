import { it } from 'vitest';
import type { RouteShape } from '../../schemas/routes/route.ts';
import { variantsFor } from './variants.ts';
import { OTHER, type RouteWorld } from './world.ts';

const OTHER_TYPES = [
  'text/plain',
  'application/xml',
  'application/json; charset=utf-16',
  'multipart/form-data',
];
const MALFORMED = ['{', 'null,', '{"a":1,"a":2}', '{"__proto__":{}}', '[NaN]'];

/** Bodies that are refused before their members are read. */
export const testBodies = (world: RouteWorld, route: RouteShape): void => {
  const { body } = route;
  if (body === undefined) return;
  const { expectError, validRequest } = world;
  const hasAlikeBody = (other: RouteShape) =>
    other.body?.kind === body.kind && other.body.optional === body.optional;

  it.each(variantsFor(route, OTHER_TYPES, hasAlikeBody))(
    'returns UNSUPPORTED_MEDIA_TYPE for %s',
    async (type) => {
      await expectError(
        route,
        'UNSUPPORTED_MEDIA_TYPE',
        validRequest(route, { headers: { 'content-type': type } }),
      );
    },
  );

  it('returns PAYLOAD_TOO_LARGE for a body one byte above the limit', async () => {
    await expectError(
      route,
      'PAYLOAD_TOO_LARGE',
      validRequest(route, { body: ' '.repeat(body.maxBytes + 1) }),
    );
  });

  if (body.kind !== 'json') return;

  it('returns TENANT_MISMATCH for a tenant_id in the body', async () => {
    const request = validRequest(route);

    await expectError(route, 'TENANT_MISMATCH', {
      ...request,
      body: Object.assign({}, request.body, { tenant_id: OTHER }),
    });
  });

  it.each(variantsFor(route, body.optional ? MALFORMED : ['', ...MALFORMED], hasAlikeBody))(
    'returns INVALID_REQUEST for the malformed body %s',
    async (text) => {
      await expectError(route, 'INVALID_REQUEST', validRequest(route, { body: text }));
    },
  );
};
