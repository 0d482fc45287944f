import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { reportOf } from '../../../functions/insight/reports/report.ts';
import { sumUsage } from '../../../functions/insight/reports/reportTotals.ts';
import { readCohorts } from '../../../functions/ledger/cohorts/readCohorts.ts';
import { UNKNOWN } from '../../../functions/ledger/freshness/totalsLag.ts';
import { calendarIn } from '../../../functions/platform/shared/time/calendar.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import { type ExportClient, exportClientOf, REQUEST } from './exportClient.ts';
import { type ExportHarness, startExportHarness } from './harness.ts';
import { byPersons } from './records.ts';

const LATE_SINCE = Date.parse('2026-10-20T08:00:00.000Z');

let world: ExportHarness;
let tenant: Tenant;
let client: ExportClient;
beforeAll(async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  world = await startExportHarness();
});
afterAll(async () => {
  vi.restoreAllMocks();
  await world?.live.stop();
});
beforeEach(() => {
  tenant = world.newTenant();
  client = exportClientOf(world, tenant);
});

const exportAs = async (basis: 'records' | 'cohorts'): Promise<string> => {
  world.time.now += 1;
  const scopes =
    basis === 'records' ? (['export:create', 'read:attribution'] as const) : (['export:create'] as const);
  const { body } = await world.call('create', { tenant, body: REQUEST }, scopes);
  const id = String(body['job_id']);
  await world.run(client.named(id));
  return id;
};
const sectorsOf = (id: string) => world.documentOf(id, 'focus-metadata.json');

describe('an export whose totals lag behind the ledger', () => {
  it.each(['records', 'cohorts'] as const)(
    'of %s says so in manifest, metadata, job and event',
    async (basis) => {
      await world.record(tenant, byPersons(6));
      world.lags.set(tenant.tenant_id, { isStale: true, incompleteSince: LATE_SINCE });

      const id = await exportAs(basis);

      expect(client.manifest(id).stale).toBe(true);
      expect(sectorsOf(id)).toMatchObject({
        Recency: [{ TimeSectors: [{ TimeSectorComplete: false }, { TimeSectorComplete: false }] }],
      });
      const [event] = await world.eventsOf(tenant);
      expect(event).toMatchObject({ type: 'export.completed', data: { job_id: id, stale: true } });
      const { body } = await world.call('get', { tenant, id });
      expect(body).toMatchObject({ result: { stale: true } });
    },
  );

  it('names the time up to which the totals of cohorts were complete', async () => {
    await world.record(tenant, byPersons(6));
    world.lags.set(tenant.tenant_id, { isStale: false, incompleteSince: LATE_SINCE });

    const { as_of, data_available_through, stale } = client.manifest(await exportAs('cohorts'));

    expect([as_of, data_available_through, stale]).toEqual([
      '2026-10-20T08:00:00.000Z',
      '2026-10-20T08:00:00.000Z',
      false,
    ]);
  });

  it('names the start of the period when nothing is known about the totals', async () => {
    await world.record(tenant, byPersons(6));
    world.lags.set(tenant.tenant_id, { isStale: true, incompleteSince: UNKNOWN });

    const { as_of, data_available_through, stale } = client.manifest(await exportAs('cohorts'));

    const start = `${REQUEST.period.from}T00:00:00.000Z`;
    expect([as_of, data_available_through, stale]).toEqual([start, start, true]);
  });

  it('is complete when it reads the ledger itself, of which no call is missing', async () => {
    await world.record(tenant, byPersons(6));
    world.lags.set(tenant.tenant_id, { isStale: false, incompleteSince: LATE_SINCE });

    const id = await exportAs('records');

    expect(client.manifest(id)).toMatchObject({
      stale: false,
      data_available_through: '2026-11-01T00:00:00.000Z',
    });
    expect(sectorsOf(id)).toMatchObject({
      Recency: [{ TimeSectors: [{ TimeSectorComplete: true }, { TimeSectorComplete: true }] }],
    });
  });
});

describe('the joint ranges of an export', () => {
  const twoModels = () => [
    ...byPersons(6, { at: '2026-10-14T12:00:00.000Z' }),
    ...byPersons(7, {
      event: { requested_model: 'gpt-4o-mini' },
      owner: 'team-o3',
      at: '2026-10-15T12:00:00.000Z',
    }),
  ];

  it.each(['records', 'cohorts'] as const)('of %s equal those of the usage report', async (basis) => {
    await world.record(tenant, twoModels());

    const { totals } = client.manifest(await exportAs(basis));

    const range = { from: Date.parse('2026-09-01'), to: Date.parse('2026-11-01') };
    const { cohorts } = await readCohorts(world.rollups, tenant.tenant_id, range);
    const report = reportOf(cohorts, {}, range, null, sumUsage, calendarIn('UTC')).totals;
    expect(totals.joint_ranges).toEqual(report.joint_ranges);
    expect(Number(totals.joint_ranges.energy_wh.high)).toBeLessThan(Number(report.energy_wh_high));
    expect(Number(totals.joint_ranges.energy_wh.mean)).toBeGreaterThan(Number(totals.energy_wh));
  });

  it('leave out excluded records, and are null for a quantity that no record knows', async () => {
    const unknown = twoModels().map((one) => ({
      ...one,
      record: { ...one.record, energy_wh: null, carbon_gco2e: null },
      explanation: { ...one.explanation, energy: null, carbon: null },
    }));
    await world.record(tenant, [...unknown, ...byPersons(6, { event: { requested_model: 'unpriced' } })]);

    const { totals, excluded } = client.manifest(await exportAs('records'));

    expect(excluded.map(({ reason }) => reason)).toEqual(['unpriced']);
    expect(totals.joint_ranges).toMatchObject({
      cost_usd: { high: totals.costs[0]?.list_cost },
      energy_wh: { low: null, high: null, mean: null },
      carbon_gco2e: { low: null, high: null, mean: null },
    });
  });
});
