import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { decimal } from '../../../functions/platform/shared/decimal.ts';
import type { NodeHourLine } from '../../../schemas/attribution/nodeHours.ts';
import { costModes, fileFormats, focusVersions, granularities } from '../../../schemas/chargeback/focus.ts';
import { askDuckDb } from './duckdb.ts';
import { findFocusViolations, findMetadataViolations } from './focusValidator.ts';
import { exportInMemory, fileTextOf } from './inMemoryExport.ts';
import { anAllocatedRecord, aRecord, byPersons } from './records.ts';

/** Two months and two models, with reported costs, fees, unknown prices, allocated cost, and owners with many and few persons. */
const records = [
  ...byPersons(6, { event: { cached_input_tokens: 500 } }),
  ...byPersons(6, { at: '2026-09-30T23:59:59.999Z', event: { region: 'eu-central-1' } }),
  ...byPersons(2, { owner: 'team-small' }),
  ...byPersons(7, { owner: 'team-chat', service: 'answers', event: { requested_model: 'agent' } }),
  aRecord({ event: { estimated_cost_usd: '0.333333333333' } }),
  aRecord({ event: { cost_breakdown: { input: '0.1', output: '0.000000000001' }, energy_wh: '0.7' } }),
  aRecord({ event: { estimated_cost_usd: '1.5', input_tokens: undefined, output_tokens: undefined } }),
  aRecord({ event: { service_tier: 'priority' }, owner: null }),
  aRecord({ event: { requested_model: 'unpriced' } }),
  aRecord({ event: { operation: 'invoke_agent' } }),
  anAllocatedRecord(),
];

/** What own nodes cost while nobody used them: twice in a day, and once in the month after, with its energy. */
const hours = [
  ['2026-09-30T10:00:00.000Z', '3.000000000001'],
  ['2026-09-30T11:00:00.000Z', '1.5'],
  ['2026-10-01T00:00:00.000Z', '0.25', '6100.5'],
].map(
  ([hour = '', idle = '', wh]): NodeHourLine => ({
    ...{ pool: 'h100', hour, cost_usd: '4', charged_usd: '0', idle_usd: idle, as_of: hour, calls: 0 },
    ...{ busy: 'busy_time', measure: 'tokens', unmeasured_calls: 0 },
    ...(wh !== undefined && { energy_wh: '6200', idle_wh: wh }),
  }),
);

const nth = <Value>(values: readonly [Value, ...Value[]], position: number): Value =>
  values[position % values.length] ?? values[0];

/** Kinds of files in which each two choices occur together. What three choices do together has no code of its own. */
const kinds = granularities.flatMap((granularity, row) =>
  focusVersions.map((focus_version, column) => ({
    granularity,
    focus_version,
    cost_mode: nth(costModes, row + column),
    file_format: nth(fileFormats, row + column),
  })),
);

it('combines each two choices of a file', () => {
  const choices = { granularity: granularities, focus_version: focusVersions, cost_mode: costModes };
  const all = Object.entries({ ...choices, file_format: fileFormats });
  for (const [one, values] of all)
    for (const [other, others] of all) {
      const pairs = new Set(kinds.map((kind) => [Object(kind)[one], Object(kind)[other]].join()));
      expect(pairs.size, `${one} ${other}`).toBe(
        one === other ? values.length : values.length * others.length,
      );
    }
});

/** A decimal without trailing zeros, so that the output of two programs is comparable. */
const same = (text: string | null | undefined): string => decimal(text ?? '0').toFixed();

describe.each(kinds)('$granularity $cost_mode $focus_version $file_format', (kind) => {
  it('sums exactly to its manifest when DuckDB reads the files', async () => {
    const file = await exportInMemory(records, kind, { hours });

    const [sums] = await askDuckDb(
      file,
      kind.file_format,
      (table, exact) => `SELECT count(*) AS n,
        sum(${exact('BilledCost')}) AS billed, sum(${exact('EffectiveCost')}) AS effective,
        sum(${exact('ListCost')}) AS list, sum(${exact('ContractedCost')}) AS contracted,
        sum(${exact('x_EnergyWattHours')}) AS energy, sum(${exact('x_CarbonEmissionsGrams')}) AS carbon,
        count(*) FILTER (${exact('ListUnitPrice')} * ${exact('PricingQuantity')} <> ${exact('ListCost')}) AS wrong
        FROM ${table}`,
    );

    const { totals, row_count } = file.manifest;
    const [costs] = totals.costs;
    expect({
      rows: sums?.['n'],
      wrong: sums?.['wrong'],
      ...Object.fromEntries(
        ['billed', 'effective', 'list', 'contracted', 'energy', 'carbon'].map((name) => [
          name,
          same(sums?.[name]),
        ]),
      ),
    }).toEqual({
      rows: String(row_count),
      wrong: '0',
      billed: costs?.billed_cost,
      effective: costs?.effective_cost,
      list: costs?.list_cost,
      contracted: costs?.contracted_cost,
      energy: totals.energy_wh,
      carbon: totals.carbon_gco2e,
    });
  });
});

it.each(granularities.map((granularity, index) => [granularity, nth(fileFormats, index)] as const))(
  'a file by %s as %s is the same for any order and division of its records',
  async (granularity, file_format) => {
    const once = await exportInMemory(records, { granularity, file_format }, { parts: 1, hours });
    const again = await exportInMemory(
      records.toReversed(),
      { granularity, file_format },
      { parts: 5, hours },
    );

    expect(again.contents).toEqual(once.contents);
    expect(again.manifest).toEqual(once.manifest);
  },
);

it.each(kinds)(
  'a $cost_mode by $granularity in $focus_version has no violation of the specification',
  async (kind) => {
    const file = await exportInMemory(records, { ...kind, file_format: 'csv.gz' }, { hours });

    for (const content of file.contents.values()) {
      const text = gunzipSync(content).toString('utf8');
      expect(findFocusViolations(text, kind.focus_version)).toEqual([]);
      expect(findMetadataViolations(text.slice(0, text.indexOf('\n')).split(','), file.metadata)).toEqual([]);
    }
  },
);

it('has what nobody used of own nodes in rows of nobody, beside the ledger', async () => {
  const [plain, withNodes] = await Promise.all([
    exportInMemory(records),
    exportInMemory(records, {}, { hours }),
  ]);

  expect(withNodes.manifest).toMatchObject({
    ledger: plain.manifest.ledger,
    idle_nodes: { records: 0, cost_usd: '4.750000000001', energy_wh: '6100.5' },
    totals: { records: plain.manifest.totals.records },
  });
  expect(plain.manifest).not.toHaveProperty('idle_nodes');
  const cost = ({ manifest }: typeof plain) => decimal(manifest.totals.costs[0]?.list_cost ?? '0');
  expect(cost(withNodes).minus(cost(plain)).toFixed()).toBe('4.750000000001');
  const rows = fileTextOf(withNodes)
    .split('\n')
    .filter((row) => row.includes('idle time of h100'));
  expect(rows).toHaveLength(2);
  for (const row of rows) expect(row).toContain('Unassigned');
});

describe('export files', () => {
  it('contain only a header for a month without calls', async () => {
    const file = await exportInMemory([]);

    expect(file.manifest.files.map(({ rows }) => rows)).toEqual([0, 0]);
    for (const content of file.contents.values()) {
      expect(content.toString('utf8')).toBe(`${file.plan.headers.join(',')}\n`);
    }
  });

  it('contain no rows in Parquet for a month without calls', async () => {
    const file = await exportInMemory([], { file_format: 'parquet' });

    expect(await askDuckDb(file, 'parquet', (table) => `SELECT count(*) AS n FROM ${table}`)).toEqual([
      { n: '0' },
    ]);
  });

  it('have billed cost in a chargeback and none in a showback', async () => {
    const [chargeback, showback] = await Promise.all(
      costModes.map((cost_mode) => exportInMemory(byPersons(5), { cost_mode })),
    );

    expect(chargeback?.manifest.totals.costs).toEqual([
      {
        currency: 'USD',
        billed_cost: '0.0062',
        effective_cost: '0.0062',
        list_cost: '0.0062',
        contracted_cost: '0.0062',
      },
    ]);
    expect(showback?.manifest.totals.costs).toEqual([
      {
        currency: 'USD',
        billed_cost: '0',
        effective_cost: '0',
        list_cost: '0.0062',
        contracted_cost: '0.0062',
      },
    ]);
    expect(fileTextOf(await exportInMemory(byPersons(5)))).toContain(',Acme AI Platform,');
    expect(fileTextOf(await exportInMemory(byPersons(5), { cost_mode: 'showback' }))).not.toContain(
      'Acme AI Platform',
    );
  });

  it('are divided by UTC billing month', async () => {
    const { manifest } = await exportInMemory(records);

    expect(manifest.files.map(({ billing_period }) => billing_period)).toEqual(['2026-09', '2026-10']);
    expect(manifest.files.every(({ rows }) => rows > 0)).toBe(true);
  });

  it('contain the requested columns in file order', async () => {
    const { manifest, contents, metadata } = await exportInMemory(records, {
      columns: ['x_EnergyWattHours', 'ServiceName', 'BilledCost'],
    });

    const header = [...contents.values()][0]?.toString('utf8').split('\n')[0];
    expect(header).toBe('BilledCost,ServiceName,x_EnergyWattHours');
    expect(manifest.columns).toEqual(header?.split(','));
    expect(metadata.Schema[0]?.SchemaId).toBe(manifest.schema_id);
    expect(manifest.schema_id).not.toBe((await exportInMemory(records)).manifest.schema_id);
  });
});
