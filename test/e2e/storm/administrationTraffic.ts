import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { anAnomaly, seedAnomalies } from '../../support/anomalies.ts';
import { deploymentOf } from '../../support/localService.ts';
import type { AdminInstance } from '../adminInstance.ts';
import { sideBySide, type Traffic, trafficTenant } from './traffic.ts';

const HOUR_MS = 60 * 60 * 1_000;

/** Changes of settings and credentials. Each is in the audit log once. */
export const administrationTraffic = async (api: AdminInstance): Promise<Traffic> => {
  const { tenant, post, list } = await trafficTenant(api, 'administration');
  const anomaly = anAnomaly(tenant.tag, HOUR_MS);
  await seedAnomalies(await deploymentOf(api.instance), tenant, [anomaly]);
  const day = new Date(Date.now() - 24 * HOUR_MS).toISOString().slice(0, 10);
  const names: string[] = [];

  const change = async () => {
    const name = `change-${randomUUID()}`;
    await post('/api/v1/api-keys', { name, scopes: ['read:attribution'] });
    await post('/api/v1/identity/mappings', {
      name,
      conditions: [{ field: 'service', operator: 'exact', value: name }],
      owner: name,
    });
    const charge = { BilledCost: '1', BillingCurrency: 'USD', ServiceProviderName: 'OpenAI', SkuId: name };
    const period = { ChargePeriodStart: `${day}T00:00:00Z`, ChargePeriodEnd: `${day}T01:00:00Z` };
    await post('/api/v1/reconciliation/bills', { rows: [{ ...charge, ...period }] });
    const expectations = [{ pathway_category: 'gateway_mediated', layers: ['gateway'] }];
    await post('/api/v1/coverage/expectations', { expectations }, { method: 'PUT' });
    const source = { provider: 'openai', name, credential: 'an-admin-key', account: name };
    const { id: sourceId } = await post('/api/v1/bill-sources', source);
    await post(`/api/v1/bill-sources/${sourceId}`, { paused: true }, { method: 'PATCH' });
    await post(`/api/v1/bill-sources/${sourceId}`, undefined, { method: 'DELETE' });
    await post('/api/v1/tenant', { key_lifetime_days: 30 + names.length }, { method: 'PATCH' });
    await post(`/api/v1/anomalies/${anomaly.id}/mute`, { days: 7, reason: name }, { method: 'PUT' });
    names.push(name);
  };
  const auditLog = async () =>
    (await list('/api/v1/audit-log')).filter(({ outcome }) => outcome === 'succeeded');
  const setup = new Set((await auditLog()).map(({ id }) => id));
  const namesIn = async (path: string): Promise<string[]> =>
    (await list(path)).map(({ name }) => String(name)).filter((name) => name.startsWith('change-'));

  return {
    send: async () => {
      await sideBySide(2, change);
    },
    check: async () => {
      expect((await namesIn('/api/v1/api-keys')).sort()).toEqual(names.toSorted());
      expect((await namesIn('/api/v1/identity/mappings')).sort()).toEqual(names.toSorted());
      const bills = await list('/api/v1/reconciliation?group_by=model');
      const billed = bills.filter(({ billed_usd: cost }) => cost === '1').map(({ model }) => String(model));
      expect(billed.sort()).toEqual(names.toSorted());
      const audited = (await auditLog()).filter(({ id }) => !setup.has(id));
      const counts = Object.entries(Object.groupBy(audited, ({ action }) => String(action)));
      const expected = [
        'anomaly.mute',
        'api_key.create',
        'bill_source.create',
        'bill_source.delete',
        'bill_source.update',
        'bills.import',
        'coverage.expectations',
        'identity_mapping.create',
        'tenant.settings',
      ];
      expect(counts.map(([action, entries = []]) => [action, entries.length]).sort()).toEqual(
        expected.map((action) => [action, names.length]),
      );
    },
  };
};
