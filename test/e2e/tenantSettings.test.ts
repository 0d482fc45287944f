import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { TenantSettings } from '../../schemas/routes/tenants/tenant.ts';
import { type Answer, listAllRecords, someEvent } from '../support/client.ts';
import { startAdminInstance } from './adminInstance.ts';

const TENANT = '/api/v1/tenant';
/** Cache lifetime of tenants in a function (5 s), plus a margin. */
const PROPAGATION_MS = 5_500;

const api = await startAdminInstance();
afterAll(() => api.stop());

const read = async (key: string): Promise<TenantSettings> =>
  TenantSettings.strict().parse((await api.send(TENANT, { key })).body);
const patch = (key: string, body: unknown): Promise<Answer> =>
  api.send(TENANT, { key, method: 'PATCH', body });
const degradationEvents = async (tenantId: string) =>
  (await api.events())
    .filter(({ tenant_id }) => tenant_id === tenantId)
    .map(({ data: { previous, state, reason } }) => [previous, state, reason]);
const auditOutcomes = async (tenantTag: string) =>
  (await api.audit())
    .filter(({ id, action }) => action === 'tenant.settings' && id.includes(tenantTag))
    .map(({ outcome, error_code }) => [outcome, error_code]);

describe('/api/v1/tenant', () => {
  it('returns the settings, and applies changes within seconds', async () => {
    const { tenant, key } = await api.newTenant('settled');
    const before = await read(key);

    const answer = await patch(key, {
      key_lifetime_days: 30,
      residency: ['eu', 'us'],
      allocation: { method: 'even' },
    });

    expect(before).toMatchObject({
      tenant_id: 'settled',
      plan: 'enterprise',
      residency: [],
      key_lifetime_days: 365,
      stage_b: 'enabled',
      allocation: { method: 'proportional' },
      degradation_state: 'none',
    });
    expect(answer.status, answer.text).toBe(200);
    const changed = {
      ...before,
      key_lifetime_days: 30,
      residency: ['eu', 'us'],
      allocation: { method: 'even' },
    };
    expect(answer.body).toEqual(changed);
    await vi.waitFor(async () => expect(await read(key)).toEqual(changed), {
      timeout: 180_000,
      interval: 500,
    });
    expect(await auditOutcomes(tenant.tag)).toEqual([['succeeded', null]]);
    expect(await degradationEvents('settled')).toEqual([]);
  });

  it('enables and disables inference, and raises an event for each change', async () => {
    const { key } = await api.newTenant('switching');
    const send = async () => {
      const event = someEvent({ attributed_identity: undefined, attributed_service: undefined });
      await api.send('/api/v1/invocations', { key, body: event });
      await api.instance.runtime.idle();
      const records = await listAllRecords(api.baseUrl, key);
      const record = records.find(({ event_id }) => event_id === event['event_id']);
      return Object(record?.['interpretation']).degradation_state;
    };
    const before = await send();
    const off = await patch(key, { stage_b: 'disabled' });
    await sleep(PROPAGATION_MS);
    const during = await send();
    const on = await patch(key, { stage_b: 'enabled' });

    expect([before, during]).toEqual(['none', 'disabled']);
    expect([off.body['degradation_state'], on.body['degradation_state']]).toEqual(['disabled', 'none']);
    expect(await degradationEvents('switching')).toEqual([
      ['none', 'disabled', 'inference_disabled'],
      ['disabled', 'none', 'inference_enabled'],
    ]);
  });
});
