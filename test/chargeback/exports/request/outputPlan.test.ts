import { describe, expect, it } from 'vitest';
import {
  buildMetadata,
  datasetInstanceIdOf,
  schemaIdOf,
} from '../../../../functions/chargeback/exports/files/focusMetadata.ts';
import { chargePeriodOf } from '../../../../functions/chargeback/exports/focus/chargePeriod.ts';
import { columnsOf, unknownColumns } from '../../../../functions/chargeback/exports/focus/columns.ts';
import { objectKeys } from '../../../../functions/chargeback/exports/job/objectKeys.ts';
import {
  groupByLimitError,
  periodLimitError,
} from '../../../../functions/chargeback/exports/request/exportLimits.ts';
import { buildOutputPlan } from '../../../../functions/chargeback/exports/request/outputPlan.ts';
import { ExportRequest } from '../../../../schemas/chargeback/focus.ts';
import { cohortFields } from '../../../../schemas/insight/reports.ts';
import { aRequest } from '../inMemoryExport.ts';

const by = { tenant: { tenant_id: 'acme', name: 'Acme' }, lane: null, issuer: 'Acme AI Platform' };
const GUID = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('columnsOf', () => {
  it.each([
    ['1.2', 57],
    ['1.3', 65],
    ['1.4', 65],
    ['1.5-draft', 66],
  ] as const)('returns the FOCUS columns of %s, followed by custom columns', (version, count) => {
    const names = columnsOf(version).map(({ name }) => name);

    expect(names.findIndex((name) => name.startsWith('x_'))).toBe(count);
    expect(names.slice(0, count)).toEqual(names.slice(0, count).toSorted());
    expect(names.slice(count)).toEqual(names.slice(count).toSorted());
  });

  it('returns the columns that FOCUS 1.2, 1.3 and 1.4 define', () => {
    const [oldest, third] = (['1.2', '1.3'] as const).map((version) =>
      columnsOf(version).map(({ name }) => name),
    );
    expect(oldest?.filter((name) => !third?.includes(name))).toEqual([]);
    expect(third?.filter((name) => !oldest?.includes(name))).toEqual([
      'AllocatedMethodDetails',
      'AllocatedMethodId',
      'AllocatedResourceId',
      'AllocatedResourceName',
      'AllocatedTags',
      'ContractApplied',
      'HostProviderName',
      'ServiceProviderName',
    ]);

    const [older, newer] = (['1.3', '1.4'] as const).map((version) =>
      columnsOf(version).map(({ name }) => name),
    );

    expect(older?.filter((name) => !newer?.includes(name))).toEqual(['ProviderName', 'PublisherName']);
    expect(newer?.filter((name) => !older?.includes(name))).toEqual([
      'CommitmentProgramEligibilityDetails',
      'InvoiceDetailId',
    ]);
  });

  it('names custom columns as the specification requires', () => {
    const custom = columnsOf('1.4').filter(({ level }) => level === 'custom');

    expect(custom.filter(({ name }) => !/^x_[A-Z][A-Za-z0-9]{1,47}$/.test(name))).toEqual([]);
  });

  it('rejects columns that the version does not have', () => {
    expect(unknownColumns('1.4', ['BilledCost', 'ProviderName', 'cost'])).toEqual(['ProviderName', 'cost']);
    expect(() => buildOutputPlan(aRequest({ columns: ['ProviderName'] }), by)).toThrow(RangeError);
    expect(
      buildOutputPlan(aRequest({ columns: ['ProviderName'], focus_version: '1.3' }), by).headers,
    ).toEqual(['ProviderName']);
  });
});

describe('ExportRequest', () => {
  it.each([
    ['an importer of a showback', { importer: 'vantage', cost_mode: 'showback' }],
    ['an importer in Parquet', { importer: 'vantage', file_format: 'parquet' }],
    ['an importer with columns', { importer: 'vantage', columns: ['BilledCost'] }],
    ['an empty period', { period: { from: '2026-10-01', to: '2026-10-01' } }],
    ['a field twice', { group_by: ['owner', 'owner'] }],
    ['a field that cannot be grouped by', { group_by: ['tags'] }],
    ['an unknown member', { include_unattributed: true }],
  ])('rejects %s', (_what, members) => {
    const body = { format: 'focus', period: { from: '2026-10-01', to: '2026-11-01' }, ...members };

    expect(ExportRequest.safeParse(body).success).toBe(false);
  });

  it('exceeds the limits with more than 13 months or 4 fields', () => {
    const period = (to: string) => aRequest({ period: { from: '2025-10-01', to } });

    expect(periodLimitError(period('2026-11-01'))).toBeNull();
    expect(periodLimitError(period('2026-11-02'))?.detail).toMatch('13 months');
    expect(groupByLimitError(aRequest({ group_by: cohortFields.slice(0, 4) }))).toBeNull();
    expect(groupByLimitError(aRequest({ group_by: cohortFields.slice(0, 5) }))?.detail).toMatch('4 fields');
  });
});

describe('chargePeriodOf', () => {
  it.each([
    ['record', '2026-10-31T23:59:59.000Z', '2026-11-01T00:00:00.000Z'],
    ['hour', '2026-10-31T23:00:00.000Z', '2026-11-01T00:00:00.000Z'],
    ['day', '2026-10-31T00:00:00.000Z', '2026-11-01T00:00:00.000Z'],
    ['month', '2026-10-01T00:00:00.000Z', '2026-11-01T00:00:00.000Z'],
  ] as const)('returns a period by %s within the month of the call', (granularity, start, end) => {
    const period = chargePeriodOf(Date.parse('2026-10-31T23:59:59.999Z'), granularity);

    expect([period.start, period.end].map((at) => new Date(at).toISOString())).toEqual([start, end]);
  });
});

describe('buildMetadata', () => {
  const described = (members: Partial<Parameters<typeof buildMetadata>[0]> = {}) =>
    buildMetadata({
      tenantId: 'acme',
      mode: 'chargeback',
      lane: null,
      version: '1.4',
      columns: columnsOf('1.4'),
      period: { from: Date.parse('2026-09-15T00:00:00Z'), to: Date.parse('2026-11-15T00:00:00Z') },
      asOf: Date.parse('2026-11-02T00:10:00Z'),
      isStale: false,
      finishedAt: Date.parse('2026-11-02T00:12:00Z'),
      ...members,
    });

  it('states for each billing month whether it is complete', () => {
    expect(described().Recency[0]?.TimeSectors).toEqual([
      {
        TimeSectorStart: '2026-09-15T00:00:00Z',
        TimeSectorEnd: '2026-10-01T00:00:00Z',
        TimeSectorComplete: true,
        TimeSectorLastUpdated: '2026-11-02T00:10:00Z',
      },
      expect.objectContaining({ TimeSectorStart: '2026-10-01T00:00:00Z', TimeSectorComplete: true }),
      expect.objectContaining({ TimeSectorEnd: '2026-11-15T00:00:00Z', TimeSectorComplete: false }),
    ]);
  });

  it('derives the schema id from the structure of the columns', () => {
    const columns = columnsOf('1.4');
    const ids = [
      schemaIdOf('1.4', columns),
      schemaIdOf('1.3', columns),
      schemaIdOf('1.4', columns.slice(1)),
      schemaIdOf(
        '1.4',
        columns.with(0, {
          ...columnsOf('1.4')[0],
          name: 'BilledCost',
          type: 'Decimal',
          level: 'mandatory',
          nullable: false,
        }),
      ),
    ];

    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id) => GUID.test(id))).toBe(true);
    expect(schemaIdOf('1.4', [...columns])).toBe(ids[0]);
  });

  it('derives the dataset id from tenant, mode and lane', () => {
    const instance = { tenantId: 'acme', mode: 'chargeback', lane: null } as const;
    const ids = [
      datasetInstanceIdOf(instance),
      datasetInstanceIdOf({ ...instance, tenantId: 'other' }),
      datasetInstanceIdOf({ ...instance, mode: 'showback' }),
      datasetInstanceIdOf({ ...instance, lane: 'eu' }),
    ];

    expect(new Set(ids).size).toBe(ids.length);
  });

  it('states precision and scale of decimal columns', () => {
    const definitions = described().Schema[0]?.ColumnDefinition ?? [];

    expect(definitions.find(({ ColumnName }) => ColumnName === 'BilledCost')).toEqual({
      ColumnName: 'BilledCost',
      DataType: 'Decimal',
      NumericPrecision: 38,
      NumberScale: 12,
    });
  });
});

it('uses one key prefix for the files of an export and month', () => {
  const keys = objectKeys('acme', 'exp_1');

  expect(keys.file('2026-10', 12, 'csv.gz')).toBe(
    'exports/tenant=acme/exp_1/BILLING_PERIOD=2026-10/part-00012.csv.gz',
  );
  expect(keys.manifest).toBe('exports/tenant=acme/exp_1/manifest.json');
});
