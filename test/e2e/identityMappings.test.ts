import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { IdentityMapping } from '../../schemas/attribution/identityMapping.ts';
import { AttributionDetail } from '../../schemas/routes/attribution/attribution.ts';
import { type Answer, call, listAllRecords, type Request, someEvent } from '../support/client.ts';
import { startAdminInstance } from './adminInstance.ts';

const MAPPINGS = '/api/v1/identity/mappings';
/** Cache lifetime of mappings in a worker (5 s), plus a margin. */
const PROPAGATION_MS = 5_500;

const SEARCH = { name: 'Search', owner: 'team-search' };

const api = await startAdminInstance();
afterAll(() => api.stop());

const create = async (key: string, members: object = {}): Promise<IdentityMapping> => {
  const answer = await api.send(MAPPINGS, { key, body: { ...SEARCH, ...members } });
  expect(answer.status, answer.text).toBe(201);
  return IdentityMapping.parse(answer.body);
};
const on = (id: string, request: Request): Promise<Answer> => api.send(`${MAPPINGS}/${id}`, request);

/** Sends a call of this identity and returns its record with the explanation. */
const attributeCall = async (key: string, identity: string): Promise<AttributionDetail> => {
  const event = someEvent({ attributed_identity: identity, attributed_service: undefined });
  await call(api.baseUrl, '/api/v1/invocations', { key, body: event });
  await api.instance.runtime.idle();
  const records = await listAllRecords(api.baseUrl, key);
  const record = records.find(({ event_id }) => event_id === event['event_id']);
  const answer = await api.send(`/v1/attribution/${String(record?.['id'])}`, { key });
  return AttributionDetail.parse(answer.body);
};

// About 7 s, of which a worker takes five to read a change.
it('mappings attribute new events within seconds of a change, and keep existing records', async () => {
  const { key } = await api.newTenant('changing');
  const mappingOf = (value: string) =>
    create(key, { conditions: [{ field: 'identity', operator: 'exact', value }], owner: 'team-a' });
  const [changed, deleted] = [await mappingOf('ann'), await mappingOf('bob')];
  const before = await attributeCall(key, 'ann');
  const beforeDeletion = await attributeCall(key, 'bob');
  await on(changed.id, { key, method: 'PATCH', body: { owner: 'team-b' } });
  await on(deleted.id, { key, method: 'DELETE' });
  await sleep(PROPAGATION_MS);
  const after = await attributeCall(key, 'ann');
  const afterDeletion = await attributeCall(key, 'bob');

  expect([before.owner, after.owner]).toEqual(['team-a', 'team-b']);
  expect(before.explanation.rules).toContainEqual(
    expect.objectContaining({
      rule: 'mapping',
      outcome: 'matched',
      mapping: { id: changed.id, name: 'Search' },
      saw: { attributed_identity: 'ann' },
    }),
  );
  expect([beforeDeletion.owner, afterDeletion.owner]).toEqual(['team-a', 'bob']);
  expect((await api.send(`/v1/attribution/${before.id}`, { key })).body['owner']).toBe('team-a');
});
