import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { groupDirectory } from '../../../functions/ledger/rollups/groupDirectory.store.ts';
import { newJob } from '../../../functions/platform/jobs/job.ts';
import { commit } from '../../../functions/platform/shared/aws/document.store.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import type { Scope } from '../../../schemas/identity/scopes.ts';
import type { RollupGrain } from '../../../schemas/ledger/rollup.ts';
import type { Counter } from '../../../schemas/tenants/counters.ts';
import { Diagnostics } from '../../../schemas/tenants/diagnostics.ts';
import { aModel, ulidAt } from '../../attribution/training/models/modelFixtures.ts';
import { aGroup } from '../../chargeback/reconciliation/rollupFixtures.ts';
import { NOW, startCoverageHarness } from '../../insight/coverage/harness.ts';

const HOUR = 60 * 60 * 1_000;
const DAY = 24 * HOUR;

let tenant: Tenant;

const world = await startCoverageHarness();
afterAll(() => world.live.stop());
beforeEach(() => {
  tenant = world.newTenant({ residency: ['eu', 'us'] });
});

const read = async (): Promise<Diagnostics> => {
  const { status, text, body } = await world.call('getDiagnostics', { tenant });
  expect(status, text).toBe(200);
  return Diagnostics.parse(body);
};
const count = (at: number, name: Counter, number: number) =>
  world.counters.put({
    tenantId: tenant.tenant_id,
    hour: new Date(at).toISOString().slice(0, 13),
    shard: randomUUID(),
    counts: new Map([[name, number]]),
  });

/** Writes the rollups of minute, hour and day for a call at this minute. */
const recordCall = async (at: string, residency: string) => {
  const grains: [RollupGrain, string][] = [
    ['minute', at],
    ['hour', `${at.slice(0, 13)}:00:00Z`],
    ['day', `${at.slice(0, 10)}T00:00:00Z`],
  ];
  for (const [grain, start] of grains) {
    const rollup = {
      grain,
      start: Date.parse(start),
      asOf: Date.parse(at) + 45_000,
      groups: [aGroup({ residency })],
    };
    await world.putRollup(tenant, rollup);
  }
};

describe('GET /diagnostics', () => {
  it('returns zeros and nulls for a tenant without activity', async () => {
    expect(await read()).toEqual({
      as_of: new Date(NOW).toISOString(),
      last_24_hours: {
        duplicates: 0,
        duplicate_mismatches: 0,
        merged_observations: 0,
        implausible_amounts: 0,
        joined_calls: 0,
        ambiguous_calls: 0,
        uncounted_calls: 0,
        rejected_statements: 0,
        contradicting_statements: 0,
        dropped_members: 0,
        event_faults: [],
        unread_usage: [],
        events_set_aside: { malformed_message: 0, invalid_event: 0, attribution_failed: 0 },
        signals: { discovery: 0, connector_health: 0, other: 0 },
      },
      freshness: { newest_call: null, summed_at: null },
      report_groups: { month: new Date(NOW).toISOString().slice(0, 7), count: 0, limit: 10_000 },
      last_training: null,
      unfinished_jobs: [],
      degradation_state: 'none',
    });
  });

  it('names the producers of faulty events only to a caller that sees single calls', async () => {
    await count(NOW, 'event_fault refused provider key_1', 2);
    await count(NOW, 'event_fault refused provider key_2', 3);
    await count(NOW, 'event_fault dropped content key_1', 4);
    const faultsFor = async (scopes: readonly Scope[]) =>
      Diagnostics.parse((await world.call('getDiagnostics', { tenant }, scopes)).body).last_24_hours
        .event_faults;

    expect(await faultsFor(['read:reporting'])).toEqual([
      { outcome: 'refused', member: 'provider', producer: null, count: 5 },
      { outcome: 'dropped', member: 'content', producer: null, count: 4 },
    ]);
    expect(await faultsFor(['admin:config', 'read:attribution'])).toEqual([
      { outcome: 'dropped', member: 'content', producer: 'key_1', count: 4 },
      { outcome: 'refused', member: 'provider', producer: 'key_2', count: 3 },
      { outcome: 'refused', member: 'provider', producer: 'key_1', count: 2 },
    ]);
  });

  it('counts the groups of this month', async () => {
    const month = new Date(NOW).toISOString().slice(0, 7);
    await groupDirectory('rollups').append(tenant.tenant_id, month, new Set(), [
      'a'.repeat(16),
      'b'.repeat(16),
    ]);

    expect((await read()).report_groups).toMatchObject({ month, count: 2 });
  });

  it('sums the counters of this hour and the 23 hours before it, for this tenant only', async () => {
    await count(NOW, 'duplicates', 1);
    await count(NOW, 'set_aside_invalid_event', 5);
    await count(NOW - 23 * HOUR, 'duplicates', 10);
    await count(NOW - 24 * HOUR, 'duplicates', 100);
    const other = tenant;
    tenant = world.newTenant();
    await count(NOW, 'duplicates', 1_000);
    tenant = other;

    const { last_24_hours: counts } = await read();

    expect(counts).toMatchObject({ duplicates: 11, events_set_aside: { invalid_event: 5 } });
  });

  it('returns the minute of the newest call in any lane', async () => {
    await recordCall('2026-04-10T09:30:00Z', 'us');
    await recordCall('2026-04-30T23:59:00Z', 'eu');

    const { freshness } = await read();

    expect(freshness).toEqual({
      newest_call: '2026-04-30T23:59:00.000Z',
      summed_at: '2026-04-30T23:59:45.000Z',
    });
  });

  it('returns RESIDENCY_BLOCKED to a credential that is bound to a lane', async () => {
    const { status, body } = await world.call('getDiagnostics', { tenant, residency: 'eu' });

    expect([status, body['error_code']]).toEqual([409, 'RESIDENCY_BLOCKED']);
  });

  it('returns the last training, unfinished jobs and the degradation state', async () => {
    const by = { claim: 'test', attempt: 1 };
    const models = [0, 1].map((index) => aModel(`mdl_${tenant.tag}${ulidAt(index)}`, index === 0));
    const jobs = ['queued', 'succeeded'] as const;
    await commit([
      ...models.map((model) => world.models.putModel(tenant.tenant_id, model, by)),
      ...jobs.flatMap((status, index) =>
        world.jobs.create({ ...newJob(tenant, ulidAt(index), { type: 'training' }, NOW - DAY), status }, by),
      ),
    ]);
    tenant = { ...tenant, stage_b: 'disabled' };

    const diagnostics = await read();

    expect(diagnostics).toMatchObject({
      last_training: { version: models[1]?.version, gate: { passed: false } },
      unfinished_jobs: [{ type: 'training', status: 'queued', created_at: '2026-04-30T12:00:00.000Z' }],
      degradation_state: 'disabled',
    });
    expect(diagnostics.unfinished_jobs).toHaveLength(1);
  });
});
