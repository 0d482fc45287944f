import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { degradationOf } from '../../../functions/attribution/training/models/degradation.ts';
import { UNTRAINED } from '../../../functions/attribution/training/models/servingState.ts';
import { applyTenantChange, toTenantSettings } from '../../../functions/tenants/settings/tenantSettings.ts';
import { type TenantChange, TenantSettings } from '../../../schemas/routes/tenants/tenant.ts';
import { aTenant } from '../../attribution/engine/events.ts';

const states = ['none', 'degraded_serving', 'model_recalled'] as const;

describe('degradationOf', () => {
  it.each(states)('returns the state of the model: %s', (degradation) => {
    expect(degradationOf({ stage_b: 'enabled' }, { degradation })).toBe(degradation);
  });

  it.each(states)('returns disabled when stage B is disabled and the model is %s', (degradation) => {
    expect(degradationOf({ stage_b: 'disabled' }, { degradation })).toBe('disabled');
  });

  it('returns none before the first training', () => {
    expect(degradationOf({ stage_b: 'enabled' }, null)).toBe('none');
  });
});

it('returns the settings of a tenant without operational members', () => {
  const tenant = aTenant({ residency: ['eu'], limits: { read: { rate: 1, burst: 1 } } });

  const shown = toTenantSettings(tenant, { ...UNTRAINED, degradation: 'model_recalled' });

  expect(TenantSettings.strict().parse(shown)).toEqual({
    tenant_id: 'acme',
    name: 'Acme',
    plan: 'enterprise',
    residency: ['eu'],
    key_lifetime_days: 365,
    time_zone: 'UTC',
    sandbox: false,
    stage_b: 'enabled',
    allocation: { method: 'proportional' },
    largest_reported_cost_usd: null,
    cost_allocation_tags: [],
    cost_allocation_tags_from: null,
    notifications: { email: [], chat: null, minimum_severity: 'warning', authorized_by: null },
    degradation_state: 'model_recalled',
    created_at: tenant.created_at,
  });
});

it('changes the given members and keeps the others', () => {
  const changes: fc.Arbitrary<TenantChange> = fc.record(
    {
      residency: fc.uniqueArray(fc.constantFrom('eu', 'us', 'apac')),
      key_lifetime_days: fc.integer({ min: 1, max: 3_650 }),
      stage_b: fc.constantFrom('enabled', 'disabled'),
      allocation: fc.constantFrom(
        { method: 'none' },
        { method: 'even' },
        { method: 'fixed', fixed: [{ owner: 'team-platform', share: '0.25' }] },
      ),
    },
    { requiredKeys: [] },
  );
  const tenant = aTenant({ residency: ['eu', 'us'], limits: { read: { rate: 1, burst: 1 } } });

  fc.assert(
    fc.property(changes, (change) => {
      expect(applyTenantChange(tenant, change, 0)).toEqual({ ...tenant, ...change });
    }),
  );
});
