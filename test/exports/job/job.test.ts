import { gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { cohortsWithin } from '../../../functions/reports/read.ts';
import { reportOf } from '../../../functions/reports/report.ts';
import { usageOf } from '../../../functions/reports/sums.ts';
import { decimal } from '../../../functions/shared/decimal.ts';
import type { Tenant } from '../../../functions/tenancy/tenant.ts';
import { fileFormats, granularities } from '../../../schemas/focus.ts';
import { type Asking, askingIn, someLedger } from '../asking.ts';
import { faultsOf } from '../check.ts';
import { askDuckDb } from '../duckdb.ts';
import { aRecord, byPersons } from '../records.ts';
import { type ExportWorld, startExports } from '../world.ts';

let world: ExportWorld;
let tenant: Tenant;
let asking: Asking;
beforeAll(async () => {
  world = await startExports();
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await world?.live.stop();
});
beforeEach(() => {
  tenant = world.newTenant();
  asking = askingIn(world, tenant);
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterEach(() => vi.restoreAllMocks());

const exported = async (members: object = {}, behaviour = {}): Promise<string> => {
  const id = await asking.post(members);
  await world.run(asking.named(id), behaviour);
  return id;
};

/** A decimal without its trailing zeros, so that spellings of two programs compare. */
const same = (text: string | null | undefined): string => decimal(text ?? '0').toFixed();

/** What the usage report says of the two months. */
const reported = async () => {
  const range = { from: Date.parse('2026-09-01'), to: Date.parse('2026-11-01') };
  const { cohorts } = await cohortsWithin(world.rollups, tenant.tenant_id, range, false);
  const { invocations, cost_usd } = reportOf(cohorts, {}, range, null, usageOf).totals;
  return { records: invocations, cost_usd };
};

describe.each(
  granularities.flatMap((granularity) => fileFormats.map((format) => [granularity, format] as const)),
)('an export by %s as %s', (granularity, file_format) => {
  it('sums to its manifest, and with what it leaves out to the ledger and the usage report', async () => {
    await world.record(tenant, someLedger());

    const id = await exported({ granularity, file_format }, { pageVersions: 3, linesMaximum: 4 });

    const job = await asking.get(id);
    const { row_count, totals, ledger, excluded } = asking.manifest(id);
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
    expect({ records: ledger.records, cost_usd: ledger.cost_usd }).toEqual(await reported());
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

describe('an export', () => {
  it('follows the specification', async () => {
    await world.record(tenant, someLedger());

    const id = await exported();

    for (const content of world.filesOf(id).values()) {
      expect(faultsOf(gunzipSync(content).toString('utf8'), '1.4')).toEqual([]);
    }
    expect(world.documentOf(id, 'focus-metadata.json')).toMatchObject({
      Schema: [{ SchemaId: asking.manifest(id).schema_id }],
    });
  });

  it('is the same however finely it is gathered, and however often a piece is handed over', async () => {
    await world.record(tenant, [...someLedger(), ...byPersons(30, { at: '2026-10-20T08:00:00.000Z' })]);
    let calls = 0;
    const handingOver = {
      slice: 0,
      pageVersions: 5,
      linesMaximum: 3,
      around: async (state: string, call: () => Promise<unknown>) => {
        if (state === 'Gather') calls += 1;
        return call();
      },
    };

    const once = await exported();
    const often = await exported({}, handingOver);

    const contentsOf = (id: string) =>
      [...world.filesOf(id).values()].map((content) => content.toString('hex'));
    expect(calls).toBeGreaterThan(10);
    expect(contentsOf(often)).toEqual(contentsOf(once));
    expect(asking.manifest(often).ledger).toEqual(asking.manifest(once).ledger);
  });

  it('has a file with its header alone where nothing happened', async () => {
    const id = await exported({ file_format: 'csv' });

    const contents = [...world.filesOf(id).values()].map((content) => content.toString('utf8'));
    expect(contents).toEqual(Array(2).fill(`${asking.manifest(id).columns.join(',')}\n`));
    expect((await asking.get(id)).result).toMatchObject({ row_count: 0, records: 0, cost_usd: '0' });
  });

  it('covers thirteen months in as many files', async () => {
    await world.record(tenant, [aRecord({ at: '2025-11-01T00:00:00.000Z' }), ...someLedger()]);

    const id = await exported({ period: { from: '2025-10-01', to: '2026-11-01' } });

    const { files, ledger } = asking.manifest(id);
    expect(files).toHaveLength(13);
    expect(ledger.records).toBe(26);
  });

  it('begins and ends at any instant', async () => {
    await world.record(tenant, someLedger());

    const id = await exported({
      period: { from: '2026-09-30T23:59:59.999Z', to: '2026-10-03T05:00:00.000Z' },
    });

    expect(asking.manifest(id).ledger.records).toBe(6);
  });

  it('shows the ledger as of when it was asked for, whatever comes meanwhile', async () => {
    await world.record(tenant, someLedger());
    const id = await asking.post();
    const late = { as_of: new Date(world.time.now + 1).toISOString() };

    await world.run(asking.named(id), {
      pageVersions: 4,
      around: async (state, call) => {
        if (state === 'Gather')
          await world.record(tenant, byPersons(3, { record: late }, `${Math.random()}`));
        return call();
      },
    });

    expect(asking.manifest(id).ledger.records).toBe(24);
  });

  it('shows its own lane, and tells nothing of the others', async () => {
    tenant = world.newTenant({ residency: ['eu', 'us'] });
    asking = askingIn(world, tenant);
    const lanes = ['eu', 'us'].flatMap((residency) => byPersons(5, { residency }, residency));
    await world.record(tenant, lanes);
    const id = await asking.post({}, 'eu');

    await world.run(asking.named(id));

    const { ledger, excluded, residency } = asking.manifest(id);
    expect({ records: ledger.records, excluded, residency }).toEqual({
      records: 5,
      excluded: [],
      residency: 'eu',
    });
  });

  it('leaves another that is made at the same time alone', async () => {
    await world.record(tenant, someLedger());
    const ids = [await asking.post(), await asking.post({ granularity: 'month' })];

    await Promise.all(ids.map((id) => world.run(asking.named(id), { pageVersions: 3 })));

    const [day, month] = ids.map((id) => asking.manifest(id));
    expect(day?.ledger).toEqual(month?.ledger);
    expect((await asking.told()).sort()).toEqual(ids.map((id) => ['export.completed', id]).sort());
  });

  it('tells of its end what it came to, and no address of a file', async () => {
    await world.record(tenant, someLedger());

    const id = await exported();

    const [event] = await world.eventsOf(tenant);
    const { result, files_expire_at, finished_at } = await asking.get(id);
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
