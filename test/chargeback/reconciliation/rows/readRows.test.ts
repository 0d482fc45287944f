import { describe, expect, it } from 'vitest';
import { readRows } from '../../../../functions/chargeback/reconciliation/rows/readRows.ts';
import { line, row } from './billRow.ts';

describe('the costs of a request', () => {
  it.each([
    ['0.00000115740740740741', '0.000001157407407407', 1],
    [`0.${'0'.repeat(17)}25`, `0.${'0'.repeat(17)}2`, 1],
    [`0.${'3'.repeat(200)}`, `0.${'3'.repeat(18)}`, 1],
    ['1.000000000000000000', '1', 0],
    ['-5.4E-06', '-0.0000054', 0],
    ['2.5e-25', '0', 1],
  ])('have the cost %s as %s', (BilledCost, cost, rounded) => {
    expect(readRows([row({ BilledCost })], null)).toMatchObject({ lines: [{ cost }], rounded });
  });

  it.each([
    ['.5', '0.5'],
    ['5.', '5'],
    ['+5', '5'],
    ['-.25', '-0.25'],
    ['1.5e+2', '150'],
    ['0E-18', '0'],
  ])('have the cost %s, as databases and data frames write it, as %s', (BilledCost, cost) => {
    expect(readRows([row({ BilledCost })], null)).toMatchObject({ lines: [{ cost }], rejected: [] });
  });

  it.each(['.', '-', '', '1,234.56', '1.234,56', '$5', '(5)', '5 USD', '1e+-5', '0x10', '1_000', '--5'])(
    'never read the cost %j as another number',
    (BilledCost) => {
      expect(readRows([row({ BilledCost })], null)).toMatchObject({ lines: [], rejected: [{ index: 0 }] });
    },
  );

  it.each([
    ['1e17', []],
    ['999999999999999999.5', []],
    ['1e19', [['/rows/0/BilledCost']]],
    ['-1E99', [['/rows/0/BilledCost']]],
    ['999999999999999999e9', [['/rows/0/BilledCost']]],
  ])('can have at most 18 integer digits, whatever way they are written: %s', (BilledCost, refused) => {
    const { rejected } = readRows([row({ BilledCost })], null);

    expect(rejected.map(({ errors }) => errors.map(({ pointer }) => pointer))).toEqual(refused);
  });
});

describe('the rows of a request', () => {
  it.each([
    'x_Model',
    'SkuId',
    'ResourceId',
    'ConsumedQuantity',
    'ConsumedUnit',
    'SkuMeter',
    'SkuPriceId',
    'SubAccountId',
    'BillingAccountId',
    'RegionId',
    'ChargeCategory',
    'ChargeClass',
    'PricingCategory',
    'BillingPeriodStart',
    'ProviderName',
    'x_RowId',
  ])('can have an empty cell in %s, or what databases and data frames write for null', (column) => {
    const empty = readRows([row({ [column]: '' })], null);
    const marks = [' ', 'NULL', 'null', '\\N', 'NaN', 'nan', 'NA', 'None', 'N/A', '#N/A', '<null>', '(null)'];

    expect(empty).toMatchObject({ rejected: [], lines: [{ cost: '1.5' }] });
    for (const mark of marks) expect(readRows([row({ [column]: mark })], null), mark).toEqual(empty);
  });

  it.each([
    '2026-05-01 10:00:00',
    '2026-05-01 10:00:00.000',
    '2026-05-01 10:00:00 UTC',
    '2026-05-01 12:00:00+02:00',
    '2026-05-01 10:00:00+00',
    '2026-05-01T10:00Z',
    '2026-05-01T10:00:00',
    '2026-05-01T10:00:00+0000',
    '2026-05-01T15:30:00+0530',
    '2026-05-01 10:00:00 +0000 UTC',
    '2026-05-01t10:00:00z',
  ])('can begin at %s', (ChargePeriodStart) => {
    expect(readRows([row({ ChargePeriodStart })], null)).toMatchObject({ lines: [line()], rejected: [] });
  });

  it('can be fees and taxes of a month, which count on its first day', () => {
    const month = { ChargePeriodStart: '2026-05-01T00:00:00Z', ChargePeriodEnd: '2026-06-01T00:00:00Z' };

    const { lines, rejected } = readRows([row({ ...month, ChargeCategory: 'Tax' }), row(month)], null);

    expect(lines).toMatchObject([{ day: '2026-05-01', usage: false, end: Date.parse('2026-05-02') }]);
    expect(rejected).toMatchObject([{ index: 1, errors: [{ pointer: '/rows/1/ChargePeriodEnd' }] }]);
  });

  it('can name their currency, category and class in any case', () => {
    expect(readRows([row({ BillingCurrency: 'usd' })], null).lines).toEqual([line()]);
    const written = { ChargeCategory: 'Credit', ChargeClass: 'Correction' };
    const shouted = { ChargeCategory: 'CREDIT', ChargeClass: 'correction' };
    expect(readRows([row(shouted)], null)).toEqual(readRows([row(written)], null));
  });

  it('count the FOCUS spelling of a column that they have in two', () => {
    const cost = { BilledCost: '1.5', billed_cost: '9' };
    expect(readRows([row(cost), { billed_cost: '9', ...row(cost) }], null).lines).toEqual([line(), line()]);
  });

  it('can be daily rows that have dates only', () => {
    const days = { ChargePeriodStart: '2026-05-01', ChargePeriodEnd: '2026-05-02' };

    expect(readRows([row(days)], null)).toMatchObject({ lines: [{ day: '2026-05-01' }], rejected: [] });
  });

  it('can have whole numbers, as data frames give them', () => {
    const numbers = { BilledCost: 3, BillingAccountId: 123456789012, ConsumedQuantity: 12_000_000 };

    expect(readRows([row({ ...numbers, ConsumedUnit: 'Tokens' })], null)).toMatchObject({
      lines: [{ cost: '3', account: '123456789012', tokens: { count: 12_000_000 } }],
      rejected: [],
    });
  });

  it('keep a charge whose details cannot be stored', () => {
    const secret = `sk-proj-${'a1'.repeat(20)}`;
    const details = {
      SubAccountId: secret,
      ConsumedQuantity: 'NaN',
      ResourceId: 'x'.repeat(600),
      ChargeClass: 'Regular',
    };

    const { lines, rejected } = readRows([row(details)], null);

    expect(rejected).toEqual([]);
    expect(lines).toEqual([line()]);
  });

  it('name each row that cannot be read, and why, beside the others', () => {
    const sent = [row(), 'text', row({ BilledCost: 12.5 }), row(), row({ BillingCurrency: 'EUR' }), null];

    const { lines, rejected } = readRows(sent, null);

    expect(lines).toHaveLength(2);
    expect(rejected.map(({ index, errors }) => [index, errors.map(({ pointer }) => pointer)])).toEqual([
      [1, ['/rows/1']],
      [2, ['/rows/2/BilledCost']],
      [4, ['/rows/4/BillingCurrency']],
      [5, ['/rows/5']],
    ]);
  });
});

describe('rows from a file', () => {
  const rename = (nameOf: (name: string) => string, cellOf = (cell: unknown): unknown => cell) =>
    Object.fromEntries(Object.entries(row()).map(([name, cell]) => [nameOf(name), cellOf(cell)]));

  it.each([
    [
      'a byte order mark before its first column',
      rename((name) => (name === 'BilledCost' ? `\uFEFF${name}` : name)),
    ],
    [
      'lines split at LF only',
      rename(
        (name) => `${name}\r`,
        (cell) => `${cell}\r`,
      ),
    ],
    [
      'spaces round its cells',
      rename(
        (name) => ` ${name}`,
        (cell) => ` ${cell} `,
      ),
    ],
    [
      'a byte order mark before its first column, which is in quotes',
      rename((name) => (name === 'BilledCost' ? `\uFEFF"${name}"` : name)),
    ],
    [
      'column names in snake case',
      rename((name) => name.replaceAll(/([a-z])(?=[A-Z])/g, '$1_').toLowerCase()),
    ],
    ['spaces in column names', rename((name) => name.replaceAll(/([a-z])(?=[A-Z])/g, '$1 '))],
    ['column names in small letters', rename((name) => name.toLowerCase())],
    ['column names in capitals', rename((name) => name.toUpperCase())],
  ])('can come from a file with %s', (_, sent) => {
    expect(readRows([sent], null)).toMatchObject({ lines: [line()], rejected: [] });
  });

  it.each(['BillingAccountId', 'SubAccountId', 'ResourceId'])(
    'name the same purchase if Azure changes the case of %s, but not if others do',
    (column) => {
      const keysOf = (...ids: string[]) =>
        new Set(
          readRows(
            ids.map((id) => row({ [column]: id })),
            null,
          ).lines.map(({ key }) => key),
        );

      const path = '/subscriptions/AB12/resourceGroups/Chat';
      expect(keysOf(path, path.toLowerCase(), path.toUpperCase()).size).toBe(1);
      expect(keysOf('org-AbC', 'org-aBc').size).toBe(2);
    },
  );
});
