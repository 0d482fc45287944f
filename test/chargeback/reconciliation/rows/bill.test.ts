import { describe, expect, it } from 'vitest';
import { pageOf, scopeOf } from '../../../../functions/chargeback/reconciliation/deliveries/delivery.ts';
import {
  billedOf,
  billedTogether,
  toBillLine,
} from '../../../../functions/chargeback/reconciliation/rows/bill.ts';
import { isSamePurchase } from '../../../../functions/chargeback/reconciliation/rows/purchase.ts';
import { readBillRow, readRows } from '../../../../functions/chargeback/reconciliation/rows/readRows.ts';
import { neutralizeFormula } from '../../../../functions/platform/shared/formulaGuard.ts';
import { BillRow } from '../../../../schemas/chargeback/reconciliation.ts';

const row = (members: Record<string, unknown> = {}) => ({
  BilledCost: '1.50',
  BillingCurrency: 'USD',
  ServiceProviderName: 'OpenAI',
  ChargePeriodStart: '2026-05-01T10:00:00Z',
  ChargePeriodEnd: '2026-05-01T11:00:00Z',
  SkuId: 'gpt-4o',
  SkuMeter: 'Input Tokens',
  ...members,
});
const line = (members?: Record<string, unknown>) => toBillLine(BillRow.parse(row(members)));

describe('a bill row', () => {
  it.each([
    ['x_Model', '@cf/meta/llama-3.1-8b-instruct'],
    ['BillingAccountId', '-5, =x; +y'],
    ['SubAccountId', 'a, -b'],
    ['BilledCost', '-5.5'],
  ])('has the same %s in a file that guards formulas', (column, text) => {
    const read = (cell: string) => readRows([row({ [column]: cell })], null);

    expect(neutralizeFormula(text)).not.toBe(text);
    expect(read(neutralizeFormula(text))).toEqual(read(text));
    expect(read(text).rejected).toEqual([]);
  });

  it('has its model, the day it starts on, and the amount without exponent and trailing zeros', () => {
    expect(line()).toMatchObject({
      biller: 'openai',
      provider: 'openai',
      model: 'gpt-4o',
      day: '2026-05-01',
      cost: '1.5',
      usage: true,
      end: Date.parse('2026-05-01T11:00:00Z'),
    });
    expect(line({ BilledCost: '-1.2E-7' }).cost).toBe('-0.00000012');
  });

  it.each([
    ['Usage', true],
    [null, true],
    ['Tax', false],
    ['Credit', false],
  ])('of the category %s counts as usage: %s', (ChargeCategory, usage) => {
    expect(line({ ChargeCategory }).usage).toBe(usage);
  });

  const files: readonly [string, Record<string, unknown>][] = [
    ['an amount', { BilledCost: '2', ConsumedQuantity: '7' }],
    ['the form of the time', { ChargePeriodStart: '2026-05-01T12:00:00+02:00' }],
    ['an invoice', { InvoiceId: 'INV-7', InvoiceDetailId: 'INV-7-1', InvoiceIssuerName: 'OpenAI' }],
    ['a text', { ChargeDescription: 'GPT-4o input', SkuPriceDetails: '{}', Tags: '{"team":"a"}' }],
    ['the spelling of the provider', { ServiceProviderName: ' openai ' }],
    [
      'FOCUS 1.2, which names the provider in another column',
      { ServiceProviderName: null, ProviderName: 'OPENAI' },
    ],
    ['FOCUS 1.0, which has no meters', { SkuMeter: undefined }],
    ['the spelling of the meter', { SkuMeter: 'input_tokens' }],
    ['the default category', { ChargeCategory: 'Usage', PricingCategory: 'Standard' }],
    ['an empty column', { RegionId: '' }],
  ];
  it.each(files)('is the same purchase with %s', (_, change) => {
    const { data } = readBillRow(row(change));

    expect(data && isSamePurchase(toBillLine(data), line())).toBe(true);
  });

  it.each([
    { ChargePeriodStart: '2026-05-01T10:30:00Z' },
    { ChargePeriodEnd: '2026-05-01T11:30:00Z' },
    { SkuMeter: 'Output Tokens' },
    { SkuId: 'gpt-4o-mini' },
    { SkuPriceId: 'long' },
    { RegionId: 'us-east-1' },
    { SubAccountId: 'proj_1' },
    { ResourceId: 'deployment' },
    { BillingAccountId: 'org-1' },
    { ServiceProviderName: 'Azure' },
    { ChargeCategory: 'Credit' },
    { ChargeClass: 'Correction' },
    { PricingCategory: 'batch' },
    { x_RowId: '2' },
  ])('is another purchase with %o', (change) => {
    expect(isSamePurchase(line(change), line())).toBe(false);
  });

  it('is one correction for each bill that has it', () => {
    const of = (BillingPeriodStart: string) => line({ ChargeClass: 'Correction', BillingPeriodStart });

    expect(isSamePurchase(of('2026-06-01T00:00:00Z'), of('2026-07-01T00:00:00Z'))).toBe(false);
    expect(isSamePurchase(of('2026-06-01T00:00:00Z'), of('2026-06-01T00:00:00Z'))).toBe(true);
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

  it('of a delivery of an Azure account can spell it in another case', () => {
    const account = '/providers/Microsoft.Billing/billingAccounts/AB12';
    const declared = { id: 'a', provider: 'Microsoft', account, from: '2026-05-01', to: '2026-05-02' };
    const sent = row({ ServiceProviderName: 'Azure', BillingAccountId: account.toLowerCase() });

    expect(readRows([sent], scopeOf(declared))).toMatchObject({
      rejected: [],
      lines: [{ day: '2026-05-01' }],
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

  const scope = { provider: 'openai', account: 'org-1', from: '2026-05-01', to: '2026-05-02' };

  it('of a delivery have its provider and account, unless they name others', () => {
    const { lines, rejected } = readRows(
      [
        row({ ServiceProviderName: '', BillingAccountId: '' }),
        row({ BillingAccountId: 'org-2' }),
        row({ ServiceProviderName: 'Anthropic', BillingAccountId: 'org-1' }),
        row({ ChargePeriodStart: '2026-05-02T10:00:00Z', ChargePeriodEnd: '2026-05-02T11:00:00Z' }),
      ],
      scope,
    );

    expect(lines).toMatchObject([{ biller: 'openai', account: 'org-1' }]);
    expect(rejected.map(({ errors }) => errors.map(({ pointer }) => pointer))).toEqual([
      ['/rows/1/BillingAccountId'],
      ['/rows/2/ServiceProviderName'],
      ['/rows/3/ChargePeriodStart'],
    ]);
  });

  it('of a delivery include the corrections of earlier days, on its first day', () => {
    const earlier = { ChargePeriodStart: '2026-04-01T10:00:00Z', ChargePeriodEnd: '2026-04-01T11:00:00Z' };

    const { lines, rejected } = readRows(
      [row({ ...earlier, ChargeClass: 'Correction', BilledCost: '-1' }), row(earlier)],
      scope,
    );

    expect(lines).toMatchObject([{ day: '2026-05-01', cost: '-1' }]);
    expect(rejected.map(({ index }) => index)).toEqual([1]);
  });
});

describe('rows in another currency', () => {
  const SOURCE = 'ECB euro foreign exchange reference rates';
  const euro = (usd: Record<string, string>) => ({
    source: SOURCE,
    base: 'EUR',
    rates: Object.fromEntries(Object.entries(usd).map(([day, rate]) => [day, { USD: rate, JPY: '160' }])),
  });
  const on = (day: string, members: object = {}) =>
    row({
      BillingCurrency: 'EUR',
      ChargePeriodStart: `${day}T10:00:00Z`,
      ChargePeriodEnd: `${day}T11:00:00Z`,
      ...members,
    });
  // A Friday and the Monday after.
  const RATES = euro({ '2026-05-01': '1.1', '2026-05-04': '1.2' });

  it.each([
    ['2026-05-01', '1.65', '1.1', '2026-05-01'],
    ['2026-05-03', '1.65', '1.1', '2026-05-01'],
    ['2026-05-04', '1.8', '1.2', '2026-05-04'],
    ['2026-05-11', '1.8', '1.2', '2026-05-04'],
  ])('become USD at the rate of %s, or the newest before', (day, cost, rate, rateDay) => {
    const { lines, rejected } = readRows([on(day)], null, RATES);

    expect(rejected).toEqual([]);
    expect(lines).toMatchObject([
      { cost, exchange: { currency: 'EUR', amount: '1.5', rate, rate_day: rateDay, source: SOURCE } },
    ]);
  });

  it.each([
    ['before the first rate', '2026-04-30', 'EUR'],
    ['more than a week after the last', '2026-05-12', 'EUR'],
    ['without a rate of their currency', '2026-05-01', 'GBP'],
  ])('are rejected %s', (_, day, BillingCurrency) => {
    const { lines, rejected } = readRows([on(day, { BillingCurrency }), row()], null, RATES);

    expect(lines).toEqual([line()]);
    expect(rejected).toEqual([
      {
        index: 0,
        errors: [
          {
            pointer: '/rows/0/BillingCurrency',
            detail: `has no rate of ${BillingCurrency} for ${day}, and the row states none: send it in exchange_rates`,
          },
        ],
      },
    ]);
  });

  it('become USD across the base of the table', () => {
    const { lines } = readRows(
      [on('2026-05-01', { BillingCurrency: 'JPY', BilledCost: '800' })],
      null,
      RATES,
    );

    expect(lines).toMatchObject([{ cost: '5.5', exchange: { currency: 'JPY', rate: '0.006875' } }]);
  });

  const AZURE = { x_BillingExchangeRate: '0.8', x_BillingExchangeRateDate: '2026-05-01' };

  it.each([
    ['x_BillingExchangeRate', { ...AZURE, PricingCurrency: 'USD' }, '2026-05-01'],
    [
      'x_BillingExchangeRate',
      { ...AZURE, x_PricingCurrency: 'usd', x_BillingExchangeRateDate: '' },
      '2026-05-03',
    ],
    ['x_CurrencyConversionRate', { x_CurrencyConversionRate: '0.8' }, '2026-05-03'],
  ])('become USD at the %s that they state', (column, members, rateDay) => {
    const { lines } = readRows([on('2026-05-03', members)], null);

    expect(lines).toMatchObject([
      { cost: '1.875', exchange: { rate: '1.25', rate_day: rateDay, source: `${column} of the bill` } },
    ]);
  });

  it.each([
    ['from another currency', { ...AZURE, PricingCurrency: 'EUR' }],
    ['from a currency that they do not name', AZURE],
    ['of zero', { ...AZURE, PricingCurrency: 'USD', x_BillingExchangeRate: '0' }],
  ])('are rejected with a rate %s', (_, members) => {
    expect(readRows([on('2026-05-01', members)], null).rejected).toHaveLength(1);
  });

  it('take the rate of the table before the one that they state', () => {
    const { lines } = readRows([on('2026-05-01', { x_CurrencyConversionRate: '0.8' })], null, RATES);

    expect(lines).toMatchObject([{ cost: '1.65', exchange: { source: SOURCE } }]);
  });

  it('are rejected without a table', () => {
    expect(readRows([on('2026-05-01')], null).rejected).toHaveLength(1);
  });

  it('are exact, and say where they are rounded', () => {
    const [amount, rate] = ['0.0000000001', '1.00000000001'];
    const exact = readRows([on('2026-05-01', { BilledCost: '0.1' })], null, euro({ '2026-05-01': rate }));
    const rounded = readRows([on('2026-05-01', { BilledCost: amount })], null, euro({ '2026-05-01': rate }));

    expect([exact.lines[0]?.cost, exact.rounded]).toEqual(['0.100000000001', 0]);
    expect([rounded.lines[0]?.cost, rounded.rounded]).toEqual(['0.0000000001', 1]);
  });

  it('are shown with their sums, source and rates in each delivery, and are the same purchase as in USD', () => {
    const { lines } = readRows(
      [on('2026-05-01'), on('2026-05-04', { ChargeCategory: 'Tax' }), row()],
      null,
      RATES,
    );

    expect(pageOf(lines, 0)).toMatchObject({
      usage: '3.15',
      other: '1.8',
      exchanged: [
        {
          currency: 'EUR',
          source: SOURCE,
          billed: '3',
          billed_usd: '3.45',
          lowest_rate: '1.1',
          highest_rate: '1.2',
        },
      ],
    });
    expect(pageOf([line()], 0)).not.toHaveProperty('exchanged');
    expect(lines[0] && isSamePurchase(lines[0], line())).toBe(true);
  });
});

describe('billed amounts', () => {
  const billed = (cost: string, usage: boolean, end: number, at: number) => ({ cost, usage, end, at });
  const usageDay = {
    rows: [billed('0.1', true, 5, 30), billed('0.2', true, 9, 10), billed('-1', false, 7, 20)],
  };
  const taxDay = { rows: [billed('3', false, 20, 5)] };

  it('are exact sums of usage and of other charges, with the newest charge and arrival', () => {
    expect(billedOf(usageDay)).toEqual({ usage: '0.3', other: '-1', until: 9, at: 30 });
  });

  it('have no usage when no usage was billed', () => {
    expect(billedOf(taxDay)).toMatchObject({ usage: null, other: '3' });
    expect(billedTogether([taxDay])).toMatchObject({ usage: null });
  });

  it('of several days are their sums, and null without a bill', () => {
    expect(billedTogether([usageDay, taxDay])).toEqual({ usage: '0.3', other: '2', until: 20, at: 30 });
    expect(billedTogether([])).toBeNull();
  });
});
