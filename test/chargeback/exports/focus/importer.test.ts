import { parse } from 'csv-parse/sync';
import { expect, it } from 'vitest';
import { columnsOf } from '../../../../functions/chargeback/exports/focus/columns.ts';
import {
  importerColumns,
  importerProfiles,
} from '../../../../functions/chargeback/exports/focus/importer.ts';
import { importers } from '../../../../schemas/chargeback/focus.ts';
import { exportInMemory } from '../inMemoryExport.ts';
import { aRecord, byPersons } from '../records.ts';

const records = [...byPersons(5), aRecord({ owner: null, service: null })];

const rowsFor = async (importer: string) => {
  const { contents, manifest } = await exportInMemory(records, {
    importer,
    period: { from: '2026-10-01', to: '2026-11-01' },
  });
  const rows = parse<Record<string, string>>([...contents.values()][0] ?? '', { columns: true });
  return { rows, header: Object.keys(rows[0] ?? {}), manifest };
};

it.each(importers)('maps each column of %s to a column of its FOCUS version', (importer) => {
  const { version, columns } = importerProfiles[importer];
  const known = columnsOf(version).map(({ name }) => name);

  expect(columns.filter(({ column }) => !known.includes(column))).toEqual([]);
});

it('writes FOCUS columns without custom columns for Vantage, with dimensions in Tags', async () => {
  const { rows, header } = await rowsFor('vantage');

  expect(header).toEqual(
    expect.arrayContaining(['ChargeCategory', 'ChargePeriodStart', 'BilledCost', 'ServiceName']),
  );
  expect(header.filter((name) => name.startsWith('x_') || name === 'ProviderName')).toEqual([]);
  expect(rows.map((row) => row['Tags'])).toContain('{"owner":"team-search","service":"ranking"}');
});

it('writes required columns first, inclusive end days and no empty cell for Datadog', async () => {
  const { rows, header } = await rowsFor('datadog');

  expect(header.slice(0, 6)).toEqual([
    'ProviderName',
    'ChargeDescription',
    'ChargePeriodStart',
    'ChargePeriodEnd',
    'BilledCost',
    'BillingCurrency',
  ]);
  expect(rows[0]).toMatchObject({ ChargePeriodStart: '2026-10-14', ChargePeriodEnd: '2026-10-14' });
  expect(rows.flatMap((row) => Object.values(row)).filter((cell) => cell === '')).toEqual([]);
  expect(new Set(rows.map((row) => row['owner']))).toEqual(new Set(['team-search', '(unassigned)']));
});

it.each([
  ['vantage', (row: Record<string, string>) => JSON.parse(row['Tags'] ?? '{}').env ?? ''],
  ['datadog', (row: Record<string, string>) => row['env']?.replace('unattributed', '')],
  ['cloudzero', (row: Record<string, string>) => row['resource/tag:env']],
] as const)('gives %s the values of the tags that rows are grouped by', async (importer, valueIn) => {
  const tagged = ['prod', 'dev'].flatMap((env) => byPersons(5, { event: { tags: [`env:${env}`] } }));
  const { contents, metadata } = await exportInMemory([...tagged, ...byPersons(5)], {
    importer,
    tags: ['env'],
    period: { from: '2026-10-01', to: '2026-11-01' },
  });
  const rows = parse<Record<string, string>>([...contents.values()][0] ?? '', { columns: true });

  expect(new Set(rows.map(valueIn))).toEqual(new Set(['', 'prod', 'dev']));
  const defined = metadata.Schema[0]?.ColumnDefinition.map(({ ColumnName }) => ColumnName) ?? [];
  expect(new Set(defined).size).toBe(defined.length);
});

it.each(importers)('gives no two columns of %s one name, whatever the keys of tags are', (importer) => {
  const headers = importerColumns(importer, ['owner', 'service', 'model', 'meter', 'BilledCost']).map(
    ({ header }) => header,
  );

  expect(new Set(headers).size).toBe(headers.length);
});

it('writes the CloudZero bill format', async () => {
  const { rows, manifest } = await rowsFor('cloudzero');

  expect(rows[0]).toMatchObject({ 'lineitem/type': 'Usage', 'time/usage_start': '2026-10-14T00:00:00Z' });
  expect(manifest.importer).toBe('cloudzero');
  expect(manifest.columns).toContain('resource/tag:owner');
});
