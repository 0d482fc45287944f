import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IdentityMapping } from '../../schemas/attribution/identityMapping.ts';
import { AttributionDetail } from '../../schemas/routes/attribution/attribution.ts';
import { type Answer, call, listAllRecords, type Request, someEvent } from '../support/client.ts';
import { type AdminInstance, startAdminInstance } from './adminInstance.ts';

const MAPPINGS = '/api/v1/identity/mappings';
/** Cache lifetime of mappings in a worker (5 s), plus a margin. */
const PROPAGATION_MS = 5_500;

const SEARCH = { name: 'Search', owner: 'team-search' };

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
    const mappingOf = (value: string) =>
      create(key, { conditions: [{ field: 'identity', operator: 'exact', value }], owner: 'team-a' });
    const [changed, deleted] = [await mappingOf('ann'), await mappingOf('bob')];
    const before = await attributeEvent(key, of('ann'));
    const beforeDeletion = await attributeEvent(key, of('bob'));
    await on(changed.id, { key, method: 'PATCH', body: { owner: 'team-b' } });
    await on(deleted.id, { key, method: 'DELETE' });
    await sleep(PROPAGATION_MS);
    const after = await attributeEvent(key, of('ann'));
    const afterDeletion = await attributeEvent(key, of('bob'));

    expect([before.owner, after.owner]).toEqual(['team-a', 'team-b']);
    expect([beforeDeletion.owner, afterDeletion.owner]).toEqual(['team-a', 'bob']);
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
    expect((await api.send(MAPPINGS, { key })).body['data']).toEqual([]);
  });
});
