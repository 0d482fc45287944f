import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import { startModelHarness } from '../../attribution/training/models/harness.ts';
import type { TestResponse } from '../../platform/http/harness.ts';

let tenant: Tenant;

const world = await startModelHarness();
afterAll(() => world.live.stop());
beforeEach(async () => {
  tenant = await world.newTenant({ residency: ['eu'] });
  // Silences the log.
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterEach(() => vi.restoreAllMocks());

const patch = async (body: object, key?: string): Promise<TestResponse> => {
  const current = (await world.tenantNow(tenant)) ?? tenant;
  return world.call('updateTenant', { tenant: current, body, ...(key !== undefined && { key }) });
};
const stateChanges = async () =>
  (await world.eventsOf(tenant)).map(({ data: { previous, state, reason } }) => [previous, state, reason]);

it('changes the given members, writes an audit entry, and keeps the others', async () => {
  const answer = await patch({ key_lifetime_days: 30, allocation: { method: 'even' } });

  expect(answer.status, answer.text).toBe(200);
  expect(answer.body).toMatchObject({
    key_lifetime_days: 30,
    allocation: { method: 'even' },
    residency: ['eu'],
    stage_b: 'enabled',
    degradation_state: 'none',
  });
  expect(await world.tenantNow(tenant)).toEqual({
    ...tenant,
    key_lifetime_days: 30,
    allocation: { method: 'even' },
  });
  expect(await world.auditOf(tenant)).toMatchObject([
    { action: 'tenant.settings', outcome: 'succeeded', resource: tenant.tenant_id },
  ]);
  expect(await stateChanges()).toEqual([]);
});

it('applies cost allocation tags from the next UTC day on', async () => {
  const answer = await patch({ cost_allocation_tags: ['team', 'env'] });

  const tomorrow = new Date(world.time.now + 25 * 3_600_000).toISOString().slice(0, 10);
  expect(answer.body).toMatchObject({
    cost_allocation_tags: ['env', 'team'],
    cost_allocation_tags_from: tomorrow,
  });
});

it.each(['none', 'degraded_serving', 'model_recalled'] as const)(
  'raises degradation.state.changed when inference is disabled and enabled again, from and to %s',
  async (degradation) => {
    await world.register(tenant, ['active'], { degradation });

    const off = await patch({ stage_b: 'disabled' });
    world.time.now += 1_000;
    await patch({ stage_b: 'disabled', key_lifetime_days: 30 });
    world.time.now += 1_000;
    const on = await patch({ stage_b: 'enabled' });

    expect(off.body).toMatchObject({ stage_b: 'disabled', degradation_state: 'disabled' });
    expect(on.body).toMatchObject({ stage_b: 'enabled', degradation_state: degradation });
    expect(await stateChanges()).toEqual([
      [degradation, 'disabled', 'inference_disabled'],
      ['disabled', degradation, 'inference_enabled'],
    ]);
  },
);

it('applies all of several concurrent changes', async () => {
  const answers = await Promise.all([
    patch({ key_lifetime_days: 30 }),
    patch({ residency: ['eu', 'us'] }),
    patch({ stage_b: 'disabled' }),
    patch({ allocation: { method: 'none' } }),
  ]);

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(await world.tenantNow(tenant)).toEqual({
    ...tenant,
    key_lifetime_days: 30,
    residency: ['eu', 'us'],
    stage_b: 'disabled',
    allocation: { method: 'none' },
  });
  expect(await world.auditOf(tenant)).toHaveLength(4);
  expect(await stateChanges()).toHaveLength(1);
});

it.each([
  [{ stage_b: 'off' }, ['/stage_b']],
  [{ residency: ['eu', 'eu'] }, ['/residency']],
  [{ cost_allocation_tags: ['env:prod', 'a b'] }, ['/cost_allocation_tags/0', '/cost_allocation_tags/1']],
  [{ cost_allocation_tags: ['env', 'env'] }, ['/cost_allocation_tags']],
  [{ cost_allocation_tags: ['a', 'b', 'c', 'd', 'e', 'f'] }, ['/cost_allocation_tags']],
  [{ key_lifetime_days: 0, plan: 'enterprise' }, ['/key_lifetime_days', '/plan']],
  [{ limits: {}, degradation_state: 'none' }, ['/degradation_state', '/limits']],
])('returns 422 with pointers for %o', async (body, pointers) => {
  const answer = await patch(body);

  expect(answer).toMatchObject({ status: 422, body: { error_code: 'VALIDATION_FAILED' } });
  const errors = Array.isArray(answer.body['errors']) ? answer.body['errors'] : [];
  expect(errors.map(({ pointer }) => pointer).sort()).toEqual(pointers);
  expect(await world.tenantNow(tenant)).toEqual(tenant);
  expect(await world.auditOf(tenant)).toMatchObject([{ outcome: 'refused' }]);
});

it('returns 422 for fixed shares above 1 and keeps the previous shares', async () => {
  const fixed = (...shares: string[]) => ({
    allocation: { method: 'fixed', fixed: shares.map((share, index) => ({ owner: `team-${index}`, share })) },
  });

  const taken = await patch(fixed('0.7', '0.3'));
  const refused = await patch(fixed('0.7', '0.300000000001'));

  expect([taken.status, refused.status]).toEqual([200, 422]);
  expect(await world.tenantNow(tenant)).toMatchObject(fixed('0.7', '0.3'));
  const errors = Array.isArray(refused.body['errors']) ? refused.body['errors'] : [];
  expect(errors.map(({ pointer }) => pointer)).toEqual(['/allocation/fixed']);
});
