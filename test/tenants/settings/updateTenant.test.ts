import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import { type ModelHarness, startModelHarness } from '../../attribution/training/models/harness.ts';
import { type Fault, injectFaults } from '../../identity/credentials/faultInjection.ts';
import type { TestResponse } from '../../platform/http/harness.ts';

/** The remaining time of a function in the harness, plus the margin of its idempotency lease, in milliseconds. */
const LEASE_MS = 10_000 + 2_000;
/** The writes of a call without a fault: idempotency lease, effect, stored response. */
const WRITES = 3;

let world: ModelHarness;
let faults: ReturnType<typeof injectFaults>;
let tenant: Tenant;

beforeAll(async () => {
  world = await startModelHarness();
  faults = injectFaults();
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await world.live.stop();
});
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

describe('a change that crashes', () => {
  const faultList = (['fails', 'dies', 'repeats'] as const).flatMap((kind) =>
    Array.from({ length: WRITES }, (_, write) =>
      (['before', 'after'] as const).map((moment): Fault => ({ write, moment, kind })),
    ).flat(),
  );

  it.each(faultList)('is applied once when it is retried after %o', async (fault) => {
    void faults.arm(fault);
    await patch({ stage_b: 'disabled' }, 'one-key').catch(() => undefined);
    faults.restart();
    world.time.now += LEASE_MS;

    const answer = await patch({ stage_b: 'disabled' }, 'one-key');
    const again = await patch({ stage_b: 'disabled' }, 'one-key');

    expect(answer.status, answer.text).toBe(200);
    expect([again.text, again.headers['idempotency-replayed']]).toEqual([answer.text, 'true']);
    expect(await world.tenantNow(tenant)).toEqual({ ...tenant, stage_b: 'disabled' });
    expect(await world.auditOf(tenant)).toHaveLength(1);
    expect(await stateChanges()).toEqual([['none', 'disabled', 'inference_disabled']]);
  });
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
