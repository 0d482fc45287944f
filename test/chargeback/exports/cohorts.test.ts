import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { reportOf } from '../../../functions/insight/reports/report.ts';
import { sumUsage } from '../../../functions/insight/reports/reportTotals.ts';
import { readCohorts } from '../../../functions/ledger/cohorts/readCohorts.ts';
import { calendarIn } from '../../../functions/platform/shared/time/calendar.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import { granularities } from '../../../schemas/chargeback/focus.ts';
import type { Scope } from '../../../schemas/identity/scopes.ts';
import { type ExportClient, exportClientOf, REQUEST, someLedger } from './exportClient.ts';
import { findFocusViolations } from './focusValidator.ts';
import { startExportHarness } from './harness.ts';
import { aRecord, byPersons } from './records.ts';

const EXPORT_ONLY: readonly Scope[] = ['export:create'];

let tenant: Tenant;
let client: ExportClient;
const world = await startExportHarness();
afterAll(() => world.live.stop());
beforeEach(() => {
  tenant = world.newTenant();
  client = exportClientOf(world, tenant);
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterEach(() => vi.restoreAllMocks());

const createWithoutRecords = (body: object) =>
  world.call('create', { tenant, body: { ...REQUEST, file_format: 'csv', ...body } }, EXPORT_ONLY);
const exportCohorts = async (body: object = {}): Promise<string> => {
  world.time.now += 1;
  const { status, body: started } = await createWithoutRecords(body);
  expect(status).toBe(202);
  const id = String(started['job_id']);
  await world.run(client.named(id));
  return id;
};
const filesOf = (id: string): string[] =>
  [...world.filesOf(id).values()].map((file) => file.toString('utf8'));
const rowsOf = (id: string): string[] => filesOf(id).flatMap((text) => text.trim().split(/\r?\n/).slice(1));
/** Totals of the usage report for a period. */
const usageReportTotals = async (from: string, to: string) => {
  const range = { from: Date.parse(from), to: Date.parse(to) };
  const { cohorts } = await readCohorts(world.rollups, tenant.tenant_id, range);
  return reportOf(cohorts, {}, range, null, sumUsage, calendarIn('UTC')).totals;
};

describe('an export without read:attribution', () => {
  it.each(granularities.filter((granularity) => granularity !== 'record'))(
    'by %s sums to the usage report, and is valid FOCUS',
    async (granularity) => {
      await world.record(tenant, someLedger());

      const id = await exportCohorts({ granularity });

      const { basis, ledger, totals, excluded } = client.manifest(id);
      const { invocations, cost_usd, energy_wh } = await usageReportTotals('2026-09-01', '2026-11-01');
      expect([basis, ledger.records, ledger.cost_usd, ledger.energy_wh]).toEqual([
        'cohorts',
        invocations,
        cost_usd,
        energy_wh,
      ]);
      expect(totals.records).toBeGreaterThan(0);
      expect(excluded.map(({ reason }) => reason)).toEqual(['unpriced']);
      for (const text of filesOf(id)) expect(findFocusViolations(text, '1.4')).toEqual([]);
    },
  );

  it('does not split the calls of a cohort by model or price', async () => {
    const five = byPersons(5, { at: '2026-10-14T12:00:00.000Z' });
    const other = aRecord({
      event: { requested_model: 'o3' },
      at: '2026-10-14T12:30:00.000Z',
      person: 'person-0',
    });
    await world.record(tenant, [...five, other]);

    const id = await exportCohorts({ columns: ['ConsumedQuantity', 'x_ServedModelId', 'x_RollupLevelName'] });

    expect(rowsOf(id)).toEqual(['6.0,Service,several']);
  });

  it.each([
    ['before the half hour', '2026-10-14T12:30:00Z', 6],
    ['before a minute of a quarter', '2026-10-14T12:21:00Z', 6],
    ['after it', '2026-10-14T12:10:00Z', 0],
  ])('has the calls of a period that ends within an hour, as the report has: %s', async (_, to, records) => {
    await world.record(tenant, byPersons(6, { at: '2026-10-14T12:20:00.000Z' }));

    const id = await exportCohorts({ period: { from: '2026-10-14', to } });

    const { period, totals } = client.manifest(id);
    expect([Date.parse(period.to), totals.records]).toEqual([Date.parse(to), records]);
    expect((await usageReportTotals('2026-10-14', to)).invocations).toBe(records);
  });

  it('has the calls of a quarter of an hour at the end of a month', async () => {
    await world.record(tenant, byPersons(6, { at: '2026-10-31T23:40:00.000Z' }));

    const id = await exportCohorts({ period: { from: '2026-10-31T23:30:00Z', to: '2026-10-31T23:45:00Z' } });

    expect(client.manifest(id)).toMatchObject({
      period: { from: '2026-10-31T23:30:00.000Z', to: '2026-10-31T23:45:00.000Z' },
      totals: { records: 6 },
    });
  });

  it.each(['from', 'to'])('is refused when %s is within a minute', async (bound) => {
    const period = {
      from: '2026-10-14T00:00:00Z',
      to: '2026-10-15T00:00:00Z',
      [bound]: '2026-10-14T12:30:30Z',
    };

    expect((await createWithoutRecords({ period })).body).toMatchObject({
      status: 422,
      errors: [{ pointer: `/period/${bound}` }],
    });
  });

  it('excludes a cohort with records above and below the confidence floor as a whole', async () => {
    const provisional = byPersons(1).map((one) => ({
      ...one,
      record: {
        ...one.record,
        interpretation: { ...one.record.interpretation, confidence_band: 'provisional' as const },
      },
    }));
    await world.record(tenant, [...byPersons(6), ...provisional]);

    const id = await exportCohorts();

    expect(client.manifest(id).excluded).toMatchObject([{ reason: 'mixed_confidence', records: 7 }]);
  });

  it('is rejected for rows of single calls', async () => {
    expect((await createWithoutRecords({ granularity: 'record' })).body).toMatchObject({
      status: 403,
      error_code: 'INSUFFICIENT_SCOPE',
      detail: expect.stringMatching(/read:attribution.*hour, day or month/),
    });
  });
});

describe('an export made from records', () => {
  it('is hidden from a caller without read:attribution', async () => {
    await world.record(tenant, someLedger());
    const id = await client.post({ file_format: 'csv' });
    await world.run(client.named(id));
    const read = (name: 'get' | 'cancel' | 'list' | 'jobs') =>
      world.call(name, { tenant, ...(name === 'get' || name === 'cancel' ? { id } : {}) }, EXPORT_ONLY);

    expect((await read('get')).body).toMatchObject({ status: 403, error_code: 'INSUFFICIENT_SCOPE' });
    expect((await read('cancel')).body).toMatchObject({ status: 403, error_code: 'INSUFFICIENT_SCOPE' });
    expect((await read('list')).body['data']).toEqual([]);
    expect((await read('jobs')).body['data']).toEqual([]);
    expect((await world.call('get', { tenant, id })).body).toMatchObject({ basis: 'records' });
  });
});
