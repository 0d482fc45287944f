import { gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { reportOf } from '../../../../functions/insight/reports/report.ts';
import { sumUsage } from '../../../../functions/insight/reports/reportTotals.ts';
import { readCohorts } from '../../../../functions/ledger/cohorts/readCohorts.ts';
import { decimal } from '../../../../functions/platform/shared/decimal.ts';
import { calendarIn } from '../../../../functions/platform/shared/time/calendar.ts';
import type { Tenant } from '../../../../functions/platform/tenancy/tenant.ts';
import { fileFormats, granularities } from '../../../../schemas/chargeback/focus.ts';
import { askDuckDb } from '../duckdb.ts';
import { type ExportClient, exportClientOf, someLedger } from '../exportClient.ts';
import { findFocusViolations } from '../focusValidator.ts';
import { startExportHarness } from '../harness.ts';
import { aRecord, byPersons } from '../records.ts';

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

const runExport = async (members: object = {}, behaviour = {}): Promise<string> => {
  const id = await client.post(members);
  await world.run(client.named(id), behaviour);
  return id;
};

/** A decimal without trailing zeros, so that the output of two programs is comparable. */
const same = (text: string | null | undefined): string => decimal(text ?? '0').toFixed();

/** Totals of the usage report for the two months. */
const usageReportTotals = async () => {
  const range = { from: Date.parse('2026-09-01'), to: Date.parse('2026-11-01') };
  const { cohorts } = await readCohorts(world.rollups, tenant.tenant_id, range);
  const { invocations, cost_usd } = reportOf(cohorts, {}, range, null, sumUsage, calendarIn('UTC')).totals;
  return { records: invocations, cost_usd };
};

// `exports.test.ts` has each format with each granularity.
describe.each(
  granularities.map(
    (granularity, index) => [granularity, fileFormats[index % fileFormats.length] ?? 'csv'] as const,
  ),
)('an export by %s as %s', (granularity, file_format) => {
  it('sums to its manifest, and with excluded records to the ledger and the usage report', async () => {
    await world.record(tenant, someLedger());

    const id = await runExport({ granularity, file_format }, { pageVersions: 3 });

    const job = await client.get(id);
    const { row_count, totals, ledger, excluded } = client.manifest(id);
    const [sums] = await askDuckDb(
      { contents: world.filesOf(id) },
      file_format,
      (table, exact) => `SELECT count(*) AS n, sum(${exact('BilledCost')}) AS billed,
          sum(${exact('x_EnergyWattHours')}) AS energy FROM ${table}`,
    );
    expect([sums?.['n'], same(sums?.['billed']), same(sums?.['energy'])]).toEqual([
      String(row_count),
      totals.costs[0]?.billed_cost,
      totals.energy_wh,
    ]);
    // Reports count no span whose usage is that of the calls below it.
    const structural = excluded.find(({ reason }) => reason === 'structural')?.records ?? 0;
    expect({ records: ledger.records - structural, cost_usd: ledger.cost_usd }).toEqual(
      await usageReportTotals(),
    );
    expect(excluded.map(({ reason, records }) => [reason, records])).toEqual([
      ['unpriced', 1],
      ['structural', 1],
    ]);
    expect(job).toMatchObject({
      status: 'succeeded',
      error: null,
      result: {
        file_count: 2,
        row_count,
        records: 22,
        excluded_records: 2,
        cost_usd: totals.costs[0]?.list_cost,
      },
    });
  });
});

describe('an executed export', () => {
  it('has no violation of the FOCUS specification', async () => {
    await world.record(tenant, someLedger());

    const id = await runExport();

    for (const content of world.filesOf(id).values()) {
      expect(findFocusViolations(gunzipSync(content).toString('utf8'), '1.4')).toEqual([]);
    }
    expect(world.documentOf(id, 'focus-metadata.json')).toMatchObject({
      Schema: [{ SchemaId: client.manifest(id).schema_id }],
    });
  });

  it('is the same when gathering uses small runs and many continuations', async () => {
    await world.record(tenant, [...someLedger(), ...byPersons(30, { at: '2026-10-20T08:00:00.000Z' })]);
    let calls = 0;
    const smallSlices = {
      slice: 0,
      pageVersions: 5,
      around: async (state: string, call: () => Promise<unknown>) => {
        if (state === 'Gather') calls += 1;
        return call();
      },
    };

    const once = await runExport();
    const often = await runExport({}, smallSlices);

    const contentsOf = (id: string) =>
      [...world.filesOf(id).values()].map((content) => content.toString('hex'));
    expect(calls).toBeGreaterThan(10);
    expect(contentsOf(often)).toEqual(contentsOf(once));
    expect(client.manifest(often).ledger).toEqual(client.manifest(once).ledger);
  });

  it('has files with only a header when there are no calls', async () => {
    const id = await runExport({ file_format: 'csv' });

    const contents = [...world.filesOf(id).values()].map((content) => content.toString('utf8'));
    expect(contents).toEqual(Array(2).fill(`${client.manifest(id).columns.join(',')}\n`));
    expect((await client.get(id)).result).toMatchObject({ row_count: 0, records: 0, cost_usd: '0' });
  });

  it('covers thirteen months in thirteen files', async () => {
    await world.record(tenant, [aRecord({ at: '2025-11-01T00:00:00.000Z' }), ...someLedger()]);

    const id = await runExport({ period: { from: '2025-10-01', to: '2026-11-01' } });

    const { files, ledger } = client.manifest(id);
    expect(files).toHaveLength(13);
    expect(ledger.records).toBe(26);
  });

  it('starts and ends at the given instants', async () => {
    await world.record(tenant, someLedger());

    const id = await runExport({
      period: { from: '2026-09-30T23:59:59.999Z', to: '2026-10-03T05:00:00.000Z' },
    });

    expect(client.manifest(id).ledger.records).toBe(6);
  });

  it('shows the ledger as of the request, without records that arrive later', async () => {
    await world.record(tenant, someLedger());
    const id = await client.post();
    const late = { as_of: new Date(world.time.now + 1).toISOString() };

    await world.run(client.named(id), {
      pageVersions: 4,
      around: async (state, call) => {
        if (state === 'Gather')
          await world.record(tenant, byPersons(3, { record: late }, `${Math.random()}`));
        return call();
      },
    });

    expect(client.manifest(id).ledger.records).toBe(24);
  });

  it('contains only records of its lane', async () => {
    tenant = world.newTenant({ residency: ['eu', 'us'] });
    client = exportClientOf(world, tenant);
    const lanes = ['eu', 'us'].flatMap((residency) => byPersons(5, { residency }, residency));
    await world.record(tenant, lanes);
    const id = await client.post({}, 'eu');

    await world.run(client.named(id));

    const { ledger, excluded, residency } = client.manifest(id);
    expect({ records: ledger.records, excluded, residency }).toEqual({
      records: 5,
      excluded: [],
      residency: 'eu',
    });
  });

  it('does not affect an export that runs at the same time', async () => {
    await world.record(tenant, someLedger());
    const ids = [await client.post(), await client.post({ granularity: 'month' })];

    await Promise.all(ids.map((id) => world.run(client.named(id), { pageVersions: 3 })));

    const [day, month] = ids.map((id) => client.manifest(id));
    expect(day?.ledger).toEqual(month?.ledger);
    expect((await client.finishedEvents()).sort()).toEqual(ids.map((id) => ['export.completed', id]).sort());
  });

  it('publishes an event with its totals and without file URLs', async () => {
    await world.record(tenant, someLedger());

    const id = await runExport();

    const [event] = await world.eventsOf(tenant);
    const { result, files_expire_at, finished_at } = await client.get(id);
    expect(event).toMatchObject({
      type: 'export.completed',
      data: {
        ...result,
        job_id: id,
        format: 'focus',
        period: { from: '2026-09-01', to: '2026-11-01' },
        status_url: `https://api.example.com/api/v1/jobs/${id}`,
        finished_at,
        files_expire_at,
      },
    });
  });
});
