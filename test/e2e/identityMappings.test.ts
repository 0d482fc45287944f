import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IdentityMapping } from '../../schemas/attribution/identityMapping.ts';
import { AttributionDetail } from '../../schemas/routes/attribution/attribution.ts';
import { ABSENT_ULID } from '../platform/apiDocs/contract/requests.ts';
import { type Answer, call, listAllRecords, type Request, someEvent } from '../support/client.ts';
import { type AdminInstance, startAdminInstance } from './adminInstance.ts';

const MAPPINGS = '/api/v1/identity/mappings';
/** Cache lifetime of mappings in a worker (5 s), plus a margin. */
const PROPAGATION_MS = 5_500;

const SEARCH = {
  name: 'Search',
  conditions: [{ field: 'k8s_namespace', operator: 'exact', value: 'search' }],
  owner: 'team-search',
};

let api: AdminInstance;
beforeAll(async () => {
  api = await startAdminInstance();
});
afterAll(() => api?.stop());

const create = async (key: string, members: object = {}): Promise<IdentityMapping> => {
  const answer = await api.send(MAPPINGS, { key, body: { ...SEARCH, ...members } });
  expect(answer.status, answer.text).toBe(201);
  return IdentityMapping.parse(answer.body);
};
const on = (id: string, request: Request): Promise<Answer> => api.send(`${MAPPINGS}/${id}`, request);
const listed = async (key: string, query = ''): Promise<unknown[]> => {
  const { data } = (await api.send(`${MAPPINGS}${query}`, { key })).body;
  return Array.isArray(data) ? data : [];
};

describe('/api/v1/identity/mappings', () => {
  it('creates, reads, updates and deletes a mapping', async () => {
    const { key } = await api.newTenant('one');
    const answer = await api.send(MAPPINGS, { key, body: SEARCH });
    const created = IdentityMapping.parse(answer.body);

    expect([answer.status, answer.headers.get('location')]).toEqual([201, `${MAPPINGS}/${created.id}`]);
    expect(created).toMatchObject({ ...SEARCH, position: 10, created_by: expect.stringMatching(/^key_/) });
    expect((await on(created.id, { key })).body).toEqual(created);

    const changed = await on(created.id, { key, method: 'PATCH', body: { owner: null, service: 'ranking' } });
    expect(changed.status, changed.text).toBe(200);
    expect(changed.body).toMatchObject({ id: created.id, service: 'ranking' });
    expect(changed.body).not.toHaveProperty('owner');
    expect(await listed(key)).toEqual([changed.body]);

    const deleted = await on(created.id, { key, method: 'DELETE' });
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    expect((await on(created.id, { key })).body['error_code']).toBe('NOT_FOUND');
    expect(await listed(key)).toEqual([]);
  });

  it('lists mappings in evaluation order', async () => {
    const { key } = await api.newTenant('order');
    const [last, first] = [await create(key, { name: 'last' }), await create(key, { name: 'first' })];
    const middle = await create(key, { name: 'middle', position: 15 });
    await on(first.id, { key, method: 'PATCH', body: { position: 0 } });
    await on(last.id, { key, method: 'PATCH', body: { position: 15 } });

    const ordered = await listed(key);

    expect(ordered).toMatchObject([{ id: first.id }, { id: last.id }, { id: middle.id }]);
    const { page } = (await api.send(`${MAPPINGS}?limit=2`, { key })).body;
    const cursor = encodeURIComponent(String(Object(page).next_cursor));
    expect(await listed(key, `?limit=2&cursor=${cursor}`)).toEqual(ordered.slice(2));
  });

  it('returns VALIDATION_FAILED with a pointer for each error', async () => {
    const answer = await api.send(MAPPINGS, {
      body: {
        name: 'x',
        conditions: [
          { field: 'prompt', operator: 'exact', value: 'x' },
          { ...SEARCH.conditions[0], not: 1 },
        ],
        owner: 'a',
        priority: 1,
      },
    });

    expect(answer).toMatchObject({ status: 422, body: { error_code: 'VALIDATION_FAILED' } });
    const errors = Array.isArray(answer.body['errors']) ? answer.body['errors'] : [];
    expect(errors.map(({ pointer }) => pointer).sort()).toEqual([
      '/conditions/0/field',
      '/conditions/1/not',
      '/priority',
    ]);
  });

  it('returns TENANT_MISMATCH on read, update, deletion and dry run by another tenant', async () => {
    const { key } = await api.newTenant('mine');
    const { key: stranger } = await api.newTenant('stranger');
    const created = await create(key);
    const attempts = (id: string) =>
      Promise.all([
        on(id, { key: stranger }),
        on(id, { key: stranger, method: 'PATCH', body: { position: 1 } }),
        on(id, { key: stranger, method: 'DELETE' }),
        api.send(`${MAPPINGS}/dry-run`, { key: stranger, body: { replaces: id } }),
      ]);

    const [existing, missing] = [
      await attempts(created.id),
      await attempts(created.id.slice(0, 12) + ABSENT_ULID),
    ];

    const codes = [...existing, ...missing].map(({ status, body }) => [status, body['error_code']]);
    expect(codes).toEqual(Array(8).fill([403, 'TENANT_MISMATCH']));
    expect(await listed(key)).toEqual([created]);
    expect(await listed(stranger)).toEqual([]);
  });

  it('records changes and rejected changes in the audit log', async () => {
    const { key } = await api.newTenant('audited');
    const { id } = await create(key);
    await on(id, { key, method: 'PATCH', body: { position: 1 } });
    await on(id, { key, method: 'PATCH', body: { owner: null } });
    await on(id, { key, method: 'DELETE' });

    const { data } = (await api.send('/api/v1/audit-log?sort=at', { key })).body;

    const entries = (Array.isArray(data) ? data : []).filter(({ action }) =>
      String(action).startsWith('identity_mapping.'),
    );
    expect(entries.map(({ action, outcome, error_code }) => [action, outcome, error_code])).toEqual([
      ['identity_mapping.create', 'succeeded', null],
      ['identity_mapping.update', 'succeeded', null],
      ['identity_mapping.update', 'refused', 'VALIDATION_FAILED'],
      ['identity_mapping.delete', 'succeeded', null],
    ]);
    expect(entries.filter(({ outcome }) => outcome === 'succeeded')).toMatchObject(
      Array(3).fill({ resource: id }),
    );
  });
});

describe('attribution by mappings', () => {
  /** Sends an event and returns its record with the explanation. */
  const attributeEvent = async (key: string, members: object) => {
    const event = someEvent({ ...members });
    await call(api.baseUrl, '/api/v1/invocations', { key, body: event });
    await api.instance.runtime.idle();
    const records = await listAllRecords(api.baseUrl, key);
    const record = records.find(({ event_id }) => event_id === event['event_id']);
    const answer = await api.send(`/v1/attribution/${String(record?.['id'])}`, { key });
    return AttributionDetail.parse(answer.body);
  };
  const of = (identity: string, members: object = {}) => ({
    attributed_identity: identity,
    attributed_service: undefined,
    ...members,
  });

  it('uses the first matching mapping with an owner, and the first with a service', async () => {
    const { key } = await api.newTenant('mapped');
    const ann = { field: 'identity', operator: 'prefix', value: 'ann@' };
    const ranker = { field: 'k8s_workload', operator: 'glob', value: 'ranker-*' };
    const service = await create(key, {
      name: 'Service',
      conditions: [ranker],
      owner: undefined,
      service: 'ranking',
    });
    const owner = await create(key, { name: 'Owner', conditions: [ann], owner: 'team-search' });
    await create(key, { name: 'Late', conditions: [ann, ranker], owner: 'nobody', service: 'nothing' });

    const detail = await attributeEvent(key, of('ann@example.org', { k8s_workload: 'ranker-7f9' }));
    const other = await attributeEvent(key, of('bob@example.org'));

    expect(detail).toMatchObject({ owner: 'team-search', service: 'ranking' });
    expect(detail.output_state).toBe('deterministically_resolved');
    const matched = detail.explanation.rules.filter(({ outcome }) => outcome === 'matched');
    expect(matched).toMatchObject([
      { rule: 'mapping', mapping: { id: service.id, name: 'Service' }, saw: { k8s_workload: 'ranker-7f9' } },
      {
        rule: 'mapping',
        mapping: { id: owner.id, name: 'Owner' },
        saw: { attributed_identity: 'ann@example.org' },
      },
    ]);
    expect(other).toMatchObject({ owner: 'bob@example.org', service: null });
  });

  it('applies changes to new events within seconds, and keeps existing records', async () => {
    const { key } = await api.newTenant('changing');
    const { id } = await create(key, {
      conditions: [{ field: 'identity', operator: 'exact', value: 'ann' }],
      owner: 'team-a',
    });
    const before = await attributeEvent(key, of('ann'));
    await on(id, { key, method: 'PATCH', body: { owner: 'team-b' } });
    await sleep(PROPAGATION_MS);
    const after = await attributeEvent(key, of('ann'));
    await on(id, { key, method: 'DELETE' });
    await sleep(PROPAGATION_MS);
    const later = await attributeEvent(key, of('ann'));

    expect([before.owner, after.owner, later.owner]).toEqual(['team-a', 'team-b', 'ann']);
    expect((await api.send(`/v1/attribution/${before.id}`, { key })).body['owner']).toBe('team-a');
  });

  it('ignores a mapping for calls before its effective_from', async () => {
    const { key } = await api.newTenant('beginning');
    const hour = 60 * 60 * 1_000;
    await create(key, {
      conditions: [{ field: 'identity', operator: 'exact', value: 'ann' }],
      owner: 'team-a',
      effective_from: new Date(Date.now() - hour).toISOString(),
    });
    const calledAgo = (ago: number) => of('ann', { occurred_at: new Date(Date.now() - ago).toISOString() });

    const [early, late] = [
      await attributeEvent(key, calledAgo(2 * hour)),
      await attributeEvent(key, calledAgo(hour / 2)),
    ];

    expect([early.owner, late.owner]).toEqual(['ann', 'team-a']);
  });

  it('previews changes in a dry run without storing a mapping', async () => {
    const { key } = await api.newTenant('trying');
    const record = await attributeEvent(key, of('ann'));
    const conditions = [{ field: 'identity', operator: 'exact', value: 'ann' }];

    const answer = await api.send(`${MAPPINGS}/dry-run`, {
      key,
      body: { mapping: { name: 'Ann', conditions, owner: 'team-a' } },
    });

    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toMatchObject({
      examined: 1,
      truncated: false,
      changed: 1,
      changes: [
        {
          attribution_id: record.id,
          before: { owner: 'ann', service: null },
          after: { owner: 'team-a', service: null },
        },
      ],
    });
    expect(await listed(key)).toEqual([]);
  });
});
