import { afterAll, beforeAll, expect, it } from 'vitest';
import { tenantReader, tenantWriter } from '../../functions/tenancy/store.ts';
import { aTenant } from '../attribution/events.ts';
import { type LiveTables, startTables } from '../shared/tables.ts';

let live: LiveTables;
const reader = tenantReader('tenants');
const writer = tenantWriter('tenants');

beforeAll(async () => {
  live = await startTables();
});
afterAll(() => live.stop());

it('opens a tenant once, however many try at the same time', async () => {
  const contenders = Array.from({ length: 8 }, (_, index) => aTenant({ name: `contender ${index}` }));

  const opened = await Promise.all(contenders.map(writer.create));

  const winner = contenders[opened.indexOf(true)];
  expect(opened.filter(Boolean)).toHaveLength(1);
  expect(await reader.tenant('acme')).toEqual(winner);
});

it('replaces a tenant as a whole', async () => {
  const changed = aTenant({
    tenant_id: 'changing',
    shards: [
      { from: 0, count: 1 },
      { from: 5, count: 3 },
    ],
  });
  await writer.create(aTenant({ tenant_id: 'changing', limits: { read: { rate: 1, burst: 1 } } }));

  await writer.replace(changed);

  expect(await reader.tenant('changing')).toEqual(changed);
});

it('finds nothing where there is nothing', async () => {
  expect([await reader.tenant('nobody'), await reader.tenantOfSender('AIDANOBODY')]).toEqual([null, null]);
});

it('keeps senders and tenants of one name apart', async () => {
  await writer.registerSender('changing', 'somebody');

  expect(await reader.tenantOfSender('changing')).toBe('somebody');
  expect((await reader.tenant('changing'))?.tenant_id).toBe('changing');
  expect(await reader.tenant('somebody')).toBeNull();
});

it('lets a sender move to another tenant', async () => {
  await writer.registerSender('AIDASENDER', 'one');
  await writer.registerSender('AIDASENDER', 'other');

  expect(await reader.tenantOfSender('AIDASENDER')).toBe('other');
});
