import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { mappingWriter } from '../../../functions/attribution/mappings/mapping.store.ts';
import { mappingCache } from '../../../functions/attribution/mappings/mappingCache.ts';
import { tenantRows } from '../../../functions/ledger/erasure/tenantRows.store.ts';
import { commit } from '../../../functions/platform/shared/aws/document.store.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import {
  IdentityMapping,
  MAPPINGS_MAXIMUM,
  POSITION_MAXIMUM,
} from '../../../schemas/attribution/identityMapping.ts';
import type { TestResponse } from '../../platform/http/harness.ts';
import { startMappingFixture } from './mappingFixture.ts';
import { aMapping, condition, mappingId } from './mappings.ts';

let tenant: Tenant;
const world = await startMappingFixture();
afterAll(() => world.live.stop());
beforeEach(() => {
  tenant = world.newTenant();
});

const REQUEST = { name: 'Ann', conditions: [condition('identity', 'ann')], owner: 'team-a' };

const create = async (members: object = {}): Promise<IdentityMapping> => {
  world.time.now += 1;
  const { status, body, text } = await world.call('create', { tenant, body: { ...REQUEST, ...members } });
  expect(status, text).toBe(201);
  return IdentityMapping.parse(body);
};
const update = (id: string, body: object) => world.call('update', { tenant, id, body });
const names = (mappings: readonly IdentityMapping[]) => mappings.map(({ name }) => name);
/** Status, error code and pointers of an error response. */
const faultsOf = ({ status, body }: TestResponse) => {
  const errors = Array.isArray(body['errors']) ? body['errors'] : [];
  return [status, body['error_code'], ...new Set(errors.map(({ pointer }) => pointer))];
};

describe('createIdentityMapping', () => {
  it('gets the position after the last and applies from now on, by default', async () => {
    const first = await create();
    const second = await create({
      position: 500,
      service: 'ranking',
      effective_from: '2026-01-01T02:00:00+02:00',
    });
    await create({ position: 5 });
    const third = await create();

    expect(first).toEqual({
      ...REQUEST,
      id: first.id,
      position: 10,
      effective_from: first.created_at,
      created_at: new Date(Date.parse(third.created_at) - 3).toISOString(),
      updated_at: first.created_at,
      created_by: 'key_1',
    });
    expect(second).toMatchObject({
      position: 500,
      owner: 'team-a',
      service: 'ranking',
      effective_from: '2026-01-01T00:00:00.000Z',
    });
    expect(third.position).toBe(510);
  });

  it('comes after the others at the maximum position', async () => {
    await create({ name: 'highest', position: POSITION_MAXIMUM });
    await create({ name: 'next' });
    await create({ name: 'last' });

    expect(names(await world.reader.all(tenant.tenant_id))).toEqual(['highest', 'next', 'last']);
  });

  it.each([
    ['has no owner or service', { owner: undefined }, ''],
    ['has no condition', { conditions: [] }, '/conditions'],
    ['has too many conditions', { conditions: Array(11).fill(condition('tag', 'a')) }, '/conditions'],
    [
      'reads an unknown field',
      { conditions: [{ ...condition('tag', 'a'), field: 'prompt' }] },
      '/conditions/0/field',
    ],
    [
      'has an unknown operator',
      { conditions: [{ ...condition('tag', 'a'), operator: 'regex' }] },
      '/conditions/0/operator',
    ],
    ['has a long glob', { conditions: [condition('tag', 'a'.repeat(129), 'glob')] }, '/conditions/0/value'],
    ['has a long value', { conditions: [condition('tag', 'a'.repeat(513))] }, '/conditions/0/value'],
    ['has an empty value', { conditions: [condition('tag', '')] }, '/conditions/0/value'],
    [
      'has an unknown member in a condition',
      { conditions: [{ ...condition('tag', 'a'), not: true }] },
      '/conditions/0/not',
    ],
    ['sets its id', { id: mappingId(1) }, '/id'],
    ['has a negative position', { position: -1 }, '/position'],
    ['has a position above the maximum', { position: POSITION_MAXIMUM + 1 }, '/position'],
    ['has a fractional position', { position: 1.5 }, '/position'],
    ['has a control character', { owner: 'team\u0007' }, '/owner'],
    ['has an invalid date', { effective_from: '2026-02-30T00:00:00Z' }, '/effective_from'],
    ['starts in the year 10000', { effective_from: '9999-12-31T23:59:59-12:00' }, '/effective_from'],
    ['starts before the year 1', { effective_from: '0000-01-01T00:00:00+12:00' }, '/effective_from'],
  ])('returns 422 when the mapping %s', async (_, members, pointer) => {
    const answer = await world.call('create', { tenant, body: { ...REQUEST, ...members } });

    expect(faultsOf(answer)).toEqual([422, 'VALIDATION_FAILED', pointer]);
    expect(await world.countOf(tenant)).toBe(0);
  });
});

describe('updateIdentityMapping', () => {
  it('changes the given members and keeps the rest', async () => {
    const before = await create();
    world.time.now += 1_000;

    const answer = await update(before.id, { owner: null, service: 'ranking', position: 3 });

    const { owner: _owner, ...unchanged } = before;
    const after = {
      ...unchanged,
      service: 'ranking',
      position: 3,
      updated_at: new Date(world.time.now).toISOString(),
    };
    expect([answer.status, answer.body]).toEqual([200, after]);
    expect((await world.call('get', { tenant, id: before.id })).body).toEqual(after);
  });

  it.each([
    [{ owner: null }, ''],
    [{ owner: null, service: null }, ''],
    [{ name: null }, '/name'],
    [{ conditions: [] }, '/conditions'],
    [{ position: null }, '/position'],
    [{ created_by: 'me' }, '/created_by'],
  ])('returns 422 when the patch %j makes the mapping invalid', async (body, pointer) => {
    const before = await create();

    const answer = await update(before.id, body);

    expect(faultsOf(answer)).toEqual([422, 'VALIDATION_FAILED', pointer]);
    expect(await world.reader.all(tenant.tenant_id)).toEqual([before]);
  });
});

describe('deleteIdentityMapping', () => {
  it('deletes the mapping, and later calls return 404', async () => {
    const { id } = await create();

    const answer = await world.call('remove', { tenant, id });

    expect([answer.status, answer.text]).toEqual([204, '']);
    const later = [
      await world.call('remove', { tenant, id }),
      await world.call('get', { tenant, id }),
      await update(id, { position: 1 }),
    ];
    expect(later.map(({ body }) => body['error_code'])).toEqual(Array(3).fill('NOT_FOUND'));
    expect([await world.reader.all(tenant.tenant_id), await world.countOf(tenant)]).toEqual([[], 0]);
  });
});

describe('listIdentityMappings', () => {
  const listAll = async (limit: number, afterPage: () => Promise<unknown> = async () => undefined) => {
    const mappings: IdentityMapping[] = [];
    let cursor: string | null = null;
    do {
      const query: Record<string, string> = { limit: String(limit), ...(cursor !== null && { cursor }) };
      const { body } = await world.call('list', { tenant, query });
      const { data, page } = Object(body);
      mappings.push(...data);
      cursor = page.next_cursor;
      await afterPage();
    } while (cursor !== null);
    return names(mappings);
  };

  it('returns all mappings in the order of evaluation, for any page size', async () => {
    for (const [name, position] of [
      ['d', 30],
      ['a', 0],
      ['b', 10],
      ['c', 10],
      ['e', 1_000],
    ] as const) {
      await create({ name, position });
    }

    expect(await Promise.all([1, 2, 5, 200].map((limit) => listAll(limit)))).toEqual(
      Array(4).fill(['a', 'b', 'c', 'd', 'e']),
    );
    expect(await listAll(2)).toEqual(names(await world.reader.all(tenant.tenant_id)));
  });

  it('returns every unmoved mapping once, with concurrent changes of others', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) await create({ name });
    const all = await world.reader.all(tenant.tenant_id);
    const changes = [
      () => world.call('remove', { tenant, id: all[1]?.id ?? '' }),
      () => update(all[4]?.id ?? '', { position: 0 }),
      () => create({ name: 'f' }),
    ];

    const found = await listAll(2, async () => changes.shift()?.());

    expect(found.filter((name) => 'acd'.includes(name))).toEqual(['a', 'c', 'd']);
  });
});

it('a warm worker uses the mappings that were made after a reset or an exact restore, although they count as many changes', async () => {
  const { tenant_id: tenantId } = tenant;
  const mappingsOf = mappingCache(world.reader, 10);
  const used = async () => (await mappingsOf(tenantId)).version;
  await create({ owner: 'wrong-team' });
  await used();
  const wrong = await used();

  await tenantRows('identity', 'identity', ({ pk }) => pk.split('#')[1] === tenantId).erase();
  await create({ owner: 'right-team' });

  expect(await world.reader.all(tenantId)).toMatchObject([{ owner: 'right-team' }]);
  expect(await used()).not.toBe(wrong);
});

describe('concurrent calls', () => {
  it('create no more mappings than the limit per tenant', async () => {
    const writer = mappingWriter('identity');
    for (let index = 0; index < MAPPINGS_MAXIMUM - 2; index += 1) {
      const found = await writer.find(tenant.tenant_id, mappingId(index));
      await commit(
        writer.change(tenant.tenant_id, found, aMapping(index), { claim: `seed ${index}`, attempt: 1 }),
      );
    }

    const answers = await Promise.all(
      Array.from({ length: 6 }, () => world.call('create', { tenant, body: REQUEST })),
    );
    const last = await world.call('create', { tenant, body: REQUEST });

    const created = answers.filter(({ status }) => status === 201);
    expect(created).toHaveLength(2);
    expect(faultsOf(last)).toEqual([422, 'VALIDATION_FAILED', '']);
    expect(await world.reader.all(tenant.tenant_id)).toHaveLength(MAPPINGS_MAXIMUM);
    expect(await world.countOf(tenant)).toBe(MAPPINGS_MAXIMUM);
  });

  it('delete a mapping once and decrement the count once', async () => {
    const [{ id }] = [await create(), await create({ name: 'other' })];

    const answers = await Promise.all(Array.from({ length: 4 }, () => world.call('remove', { tenant, id })));

    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404]);
    expect(await world.countOf(tenant)).toBe(1);
  });

  it('apply all patches of one mapping', async () => {
    const { id } = await create();

    const answers = await Promise.all([
      update(id, { owner: 'team-b' }),
      update(id, { service: 'ranking' }),
      update(id, { position: 7 }),
    ]);

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await world.reader.all(tenant.tenant_id)).toMatchObject([
      { owner: 'team-b', service: 'ranking', position: 7 },
    ]);
  });
});

it('keeps tenants apart', async () => {
  await create();
  const other = world.newTenant();

  expect(await world.reader.all(other.tenant_id)).toEqual([]);
  expect((await world.call('list', { tenant: other })).body['data']).toEqual([]);
});

it('has another revision after every change', async () => {
  const revisions = [await world.reader.revision(tenant.tenant_id)];
  const { id } = await create();
  revisions.push(await world.reader.revision(tenant.tenant_id));
  await update(id, { position: 1 });
  revisions.push(await world.reader.revision(tenant.tenant_id));
  await world.call('remove', { tenant, id });
  revisions.push(await world.reader.revision(tenant.tenant_id));

  expect(new Set(revisions).size).toBe(4);
});
