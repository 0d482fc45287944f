import { expect, it } from 'vitest';
import type { RouteShape } from '../../schemas/routes/route.ts';
import { ABSENT_ULID, pathOf } from '../platform/apiDocs/contract/requests.ts';
import { call } from '../support/client.ts';
import { variantsFor } from './variants.ts';
import type { RouteWorld } from './world.ts';

const MALFORMED = [
  'nothing',
  '_',
  `zzz_aaaaaaaa${ABSENT_ULID}`,
  'att_%00',
  'a%2F..%2Fb',
  `x_${'9'.repeat(4_000)}`,
];

const hasIds = ({ ids = {} }: RouteShape): boolean => Object.keys(ids).length > 0;

/** Ids in the path that are missing, malformed, or of another tenant. */
export const testIds = (world: RouteWorld, route: RouteShape): void => {
  if (!hasIds(route)) return;
  const { expectError, validRequest, missingOtherId, otherIds } = world;

  it('returns TENANT_MISMATCH for an id of another tenant, whether it exists or not', async () => {
    const existing = (prefix: string) => otherIds.get(prefix) ?? missingOtherId(prefix);

    const answers = [];
    for (const id of [missingOtherId, existing]) {
      const answer = await expectError(route, 'TENANT_MISMATCH', validRequest(route), pathOf(route, id));
      const { trace_id: _trace, instance: _path, ...told } = answer.body;
      answers.push(told);
    }
    expect(answers[0]).toEqual(answers[1]);
    // The rejected requests must not have changed the resource.
    const [collection = ''] = route.path.split('/{');
    const { text } = await call(world.service.baseUrl, `${collection}?limit=200`, { key: world.otherKey });
    expect([...otherIds.values()].filter((id) => text.includes(id))).not.toEqual([]);
  });

  it('returns NOT_FOUND for a missing id of the own tenant', async () => {
    await expectError(route, 'NOT_FOUND', validRequest(route));
  });

  it.each(variantsFor(route, MALFORMED, hasIds))(
    'returns NOT_FOUND for the malformed id %.16s',
    async (text) => {
      await expectError(
        route,
        'NOT_FOUND',
        validRequest(route),
        pathOf(route, () => text),
      );
    },
  );
};
