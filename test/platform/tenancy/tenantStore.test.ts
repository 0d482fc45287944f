import { afterAll, expect, it } from 'vitest';
import { commit } from '../../../functions/platform/shared/aws/document.store.ts';
import { tenantReader, tenantWriter } from '../../../functions/platform/tenancy/tenant.store.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import { aTenant } from '../../attribution/engine/events.ts';
import { startTables } from '../../support/tables.ts';

const reader = tenantReader('tenants');
const writer = tenantWriter('tenants');

const live = await startTables();
afterAll(() => live.stop());

const open = (tenant: Tenant, by = tenant.name): Promise<boolean> =>
  commit([writer.putTenant(tenant, { expectedRevision: null, by: { claim: by, attempt: 1 } })]);
const register = (principal: string, tenantId: string): Promise<boolean> =>
  commit([writer.registerSender(principal, tenantId)]);

it('creates a tenant once under concurrent attempts', async () => {
  const contenders = Array.from({ length: 8 }, (_, index) => aTenant({ name: `contender ${index}` }));

  const opened = await Promise.all(contenders.map((tenant) => open(tenant)));

  const winner = contenders[opened.indexOf(true)];
  expect(opened.filter(Boolean)).toHaveLength(1);
  expect(await reader.tenant('acme')).toEqual(winner);
});

it('replaces a tenant only when it is unchanged since it was read', async () => {
  const changed = aTenant({
    tenant_id: 'changing',
    residency: ['eu'],
  });
  await open(aTenant({ tenant_id: 'changing', limits: { read: { rate: 1, burst: 1 } } }));
  const expected = (await writer.tenant('changing'))?.revision ?? null;
  const replace = (tenant: Tenant, by: string) =>
    commit([writer.putTenant(tenant, { expectedRevision: expected, by: { claim: by, attempt: 1 } })]);

  const replaced = [await replace(changed, 'one'), await replace(aTenant({ tenant_id: 'changing' }), 'two')];

  expect(replaced).toEqual([true, false]);
  expect(await reader.tenant('changing')).toEqual(changed);
});

it('returns null for an unknown tenant and an unknown sender', async () => {
  expect([await reader.tenant('nobody'), await reader.tenantOfSender('AIDANOBODY')]).toEqual([null, null]);
});

it('separates senders and tenants with the same name', async () => {
  await register('changing', 'somebody');

  expect(await reader.tenantOfSender('changing')).toBe('somebody');
  expect((await reader.tenant('changing'))?.tenant_id).toBe('changing');
  expect(await reader.tenant('somebody')).toBeNull();
});

it('reassigns a sender to another tenant', async () => {
  await register('AIDASENDER', 'one');
  await register('AIDASENDER', 'other');

  expect(await reader.tenantOfSender('AIDASENDER')).toBe('other');
});
