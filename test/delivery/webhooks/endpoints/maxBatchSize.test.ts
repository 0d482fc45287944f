import { beforeAll, expect, it } from 'vitest';
import { newTenant } from '../../../support/tenants.ts';
import { startWebhooksHarness, type WebhooksHarness } from '../harness.ts';

const REQUEST = { url: 'https://hooks.example.com/in', events: ['budget.threshold.crossed'] };

let world: WebhooksHarness;
beforeAll(async () => {
  world = await startWebhooksHarness();
  return () => world.live.stop();
});

const create = (tenant: ReturnType<typeof newTenant>, members: object = {}) =>
  world.call('create', { tenant, body: { ...REQUEST, ...members } });

it('is 1 unless it is set, and a change keeps the endpoint verified and its authorization', async () => {
  const tenant = newTenant();
  const created = await create(tenant);
  const id = String(created.body['id']);
  await world.put(tenant, id, (endpoint) => ({
    ...endpoint,
    state: { status: 'verified', failing_since: null },
  }));

  const changed = await world.call('update', { tenant, id, body: { max_batch_size: 100 } }, [
    'webhooks:manage',
  ]);

  expect(created.body['max_batch_size']).toBe(1);
  expect([changed.status, changed.body['status'], changed.body['max_batch_size']]).toEqual([
    200,
    'verified',
    100,
  ]);
  expect(changed.body['authorized_by']).toBe(created.body['authorized_by']);
  expect((await world.call('get', { tenant, id })).body['max_batch_size']).toBe(100);
});

it('is kept by a change of other members', async () => {
  const tenant = newTenant();
  const created = await create(tenant, { max_batch_size: 25 });
  const id = String(created.body['id']);

  const { body } = await world.call('update', { tenant, id, body: { description: 'Records' } });

  expect([created.body['max_batch_size'], body['max_batch_size']]).toEqual([25, 25]);
});

it.each([0, 101, 1.5, '10'])('cannot be %j', async (max_batch_size) => {
  const { status, body } = await create(newTenant(), { max_batch_size });

  expect([status, Object(body['errors'])[0]?.pointer]).toEqual([422, '/max_batch_size']);
});
