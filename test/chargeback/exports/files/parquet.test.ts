import { expect, it } from 'vitest';
import { parquetEncoder } from '../../../../functions/chargeback/exports/files/parquet.ts';
import { columnsOf } from '../../../../functions/chargeback/exports/focus/columns.ts';
import { askDuckDb } from '../duckdb.ts';

const columns = columnsOf('1.4').filter(({ name }) =>
  ['BilledCost', 'ChargePeriodStart', 'RegionId', 'Tags', 'x_EnergyWattHours'].includes(name),
);
const AT = Date.parse('2026-10-14T12:34:56Z');

const fileOf = (...groups: readonly (readonly (readonly (string | bigint | number | null)[])[])[]) => {
  const encoder = parquetEncoder(columns);
  const bytes = [encoder.head(), ...groups.map((rows) => encoder.rows(rows)), encoder.tail()];
  return { contents: new Map([['file', Buffer.concat(bytes)]]) };
};

const LARGEST = 10n ** 38n - 1n;

it('preserves digits, nulls, text and instants over several row groups', async () => {
  const file = fileOf(
    [
      [1n, AT, '=1+1', '{"owner":"ä"}', null],
      [LARGEST, AT, null, null, -LARGEST],
    ],
    [[0n, AT + 1_000, '', null, 5n]],
  );

  const rows = await askDuckDb(
    file,
    'parquet',
    (table) =>
      `SELECT BilledCost, epoch_ms(ChargePeriodStart) AS at, RegionId, Tags, x_EnergyWattHours FROM ${table}`,
  );

  expect(rows.map((row) => Object.values(row))).toEqual([
    ['0.000000000001', String(AT), '=1+1', '{"owner":"ä"}', null],
    [`${'9'.repeat(26)}.${'9'.repeat(12)}`, String(AT), null, null, `-${'9'.repeat(26)}.${'9'.repeat(12)}`],
    ['0.000000000000', String(AT + 1_000), '', null, '0.000000000005'],
  ]);
});

it('declares column types', async () => {
  const types = await askDuckDb(fileOf(), 'parquet', (table) => `DESCRIBE SELECT * FROM ${table}`);

  expect(types.map((row) => [row['column_name'], row['column_type']])).toEqual([
    ['BilledCost', 'DECIMAL(38,12)'],
    ['ChargePeriodStart', 'TIMESTAMP WITH TIME ZONE'],
    ['RegionId', 'VARCHAR'],
    ['Tags', 'VARCHAR'],
    ['x_EnergyWattHours', 'DECIMAL(38,12)'],
  ]);
});

it('throws when a decimal does not fit its type', () => {
  expect(() => fileOf([[LARGEST + 1n, AT, null, null, null]])).toThrow(RangeError);
});
