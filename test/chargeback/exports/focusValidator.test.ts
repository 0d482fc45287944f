import { parse } from 'csv-parse/sync';
import { expect, it } from 'vitest';
import { findFocusViolations, findMetadataViolations } from './focusValidator.ts';
import { exportInMemory, fileTextOf } from './inMemoryExport.ts';
import { aRecord, byPersons } from './records.ts';

const file = await exportInMemory(
  [
    ...byPersons(5, { event: { region: 'us-east-1', cached_input_tokens: 300 } }),
    aRecord({ event: { requested_model: 'agent', estimated_cost_usd: '0.75' }, owner: null }),
    ...byPersons(5, { owner: 'team-chat', service: 'answers' }, 'chat'),
  ],
  {
    cost_mode: 'showback',
    period: { from: '2026-10-01', to: '2026-11-01' },
    group_by: ['owner', 'service', 'region'],
  },
);
const text = fileTextOf(file);
const [header = [], ...rows] = parse(text);

const quoted = (value: string): string =>
  /[",\n\r]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
const written = (table: readonly (readonly string[])[]): string =>
  table.map((cells) => `${cells.map(quoted).join(',')}\n`).join('');
const at = (name: string): number => header.indexOf(name);

/** The file with one changed cell: in the first row with a value in that column, else in the first row. */
const withCell = (name: string, value: string): string => {
  const found = rows.findIndex((row) => row[at(name)] !== '');
  const chosen = Math.max(found, 0);
  return written([header, ...rows.map((row, index) => (index === chosen ? row.with(at(name), value) : row))]);
};
const withHeader = (change: (name: string) => string): string => written([header.map(change), ...rows]);
const withoutColumn = (name: string): string =>
  written([header, ...rows].map((cells) => cells.toSpliced(at(name), 1)));

type Case = [what: string, corrupted: string, fault: string];

const ruleOf = (rule: string): string => `violated rule: ${rule}`;
const USAGE = 'every charge is usage, with its frequency';
const PRICED = 'usage has unit prices and a pricing category, unless it is a correction';
const COMMITMENT: Readonly<Record<string, string>> = { Category: 'Spend', Quantity: '1.0', Status: 'Used' };

it('finds no violation in an exported file', () => {
  expect(rows.length).toBeGreaterThan(5);
  expect(findFocusViolations(text, '1.4')).toEqual([]);
});

it.each([
  ['a mandatory column is missing', withoutColumn('BilledCost'), 'BilledCost is missing'],
  ['a conditional column is missing', withoutColumn('SkuPriceId'), 'SkuPriceId is missing'],
  ['a mandatory value is null', withCell('BilledCost', ''), 'BilledCost is null'],
  ['an account has no name', withCell('BillingAccountName', ''), ruleOf('a billing account has a name')],
  ['a charge is a purchase', withCell('ChargeCategory', 'Purchase'), ruleOf(USAGE)],
  ['a charge is a tax', withCell('ChargeCategory', 'Tax'), ruleOf(USAGE)],
  ['usage is charged once', withCell('ChargeFrequency', 'One-Time'), ruleOf(USAGE)],
  ['usage has no list price', withCell('ListUnitPrice', ''), ruleOf('a SKU price has a list price')],
  ...['ContractedUnitPrice', 'PricingCategory', 'PricingCurrencyListUnitPrice'].map(
    (name): Case => [`usage has no ${name}`, withCell(name, ''), ruleOf(PRICED)],
  ),
  ...['Category', 'Name', 'Quantity', 'Status', 'Type', 'Unit'].map(
    (member): Case => [
      `a charge without a commitment has a CommitmentDiscount${member}`,
      withCell(`CommitmentDiscount${member}`, COMMITMENT[member] ?? 'id-1'),
      ruleOf('only a commitment has members of one'),
    ],
  ),
  [
    'a charge without a reservation has its status',
    withCell('CapacityReservationStatus', 'Used'),
    ruleOf('only a capacity reservation has a status'),
  ],
  [
    'a price in the pricing currency is negative',
    withCell('PricingCurrencyListUnitPrice', '-1.0'),
    ruleOf('unit prices are not negative'),
  ],
  [
    'ChargeCategory is not a FOCUS value',
    withCell('ChargeCategory', 'Fee'),
    'ChargeCategory has a value that is not allowed',
  ],
  [
    'ServiceCategory is not a FOCUS value',
    withCell('ServiceCategory', 'AI'),
    'ServiceCategory has a value that is not allowed',
  ],
  [
    'ServiceSubcategory belongs to another category',
    withCell('ServiceSubcategory', 'Block Storage'),
    'ServiceSubcategory has a value that is not allowed',
  ],
  [
    'ChargeClass is not a FOCUS value',
    withCell('ChargeClass', 'Regular'),
    'ChargeClass has a value that is not allowed',
  ],
  [
    'PricingCategory is not a FOCUS value',
    withCell('PricingCategory', 'Flex'),
    'PricingCategory has a value that is not allowed',
  ],
  [
    'a timestamp has milliseconds',
    withCell('ChargePeriodStart', '2026-10-14T00:00:00.000Z'),
    'ChargePeriodStart is not a timestamp',
  ],
  [
    'a timestamp has an offset',
    withCell('ChargePeriodStart', '2026-10-14T00:00:00+00:00'),
    'ChargePeriodStart is not a timestamp',
  ],
  [
    'a timestamp has an invalid month',
    withCell('BillingPeriodEnd', '2026-13-01T00:00:00Z'),
    'BillingPeriodEnd is not a timestamp',
  ],
  [
    'a currency is in lower case',
    withCell('BillingCurrency', 'usd'),
    'BillingCurrency has a value that is not allowed',
  ],
  ['a number has a comma', withCell('ListCost', '1,000.0'), 'ListCost is not a decimal'],
  ['a number has an exponent', withCell('ListCost', '3.6E+3'), 'ListCost is not a decimal'],
  ['a number has a currency sign', withCell('ListCost', '$0.0006'), 'ListCost is not a decimal'],
  ['a number is a word', withCell('ConsumedQuantity', 'many'), 'ConsumedQuantity is not a decimal'],
  [
    'a number has no decimal point',
    withCell('ConsumedQuantity', '1500'),
    'ConsumedQuantity is not a decimal',
  ],
  ['tags are nested', withCell('Tags', '{"owner":{"name":"a"}}'), 'violated rule: tags are flat'],
  ['tags are a list', withCell('Tags', '["a"]'), 'Tags is not a JSON object'],
  ['tags are not JSON', withCell('Tags', 'owner=a'), 'Tags is not a JSON object'],
  [
    'a cost is off by the last digit',
    withCell('ListCost', '0.000600000001'),
    'violated rule: ListCost is price times quantity',
  ],
  [
    'a contracted cost is off',
    withCell('ContractedCost', '9.0'),
    'violated rule: ContractedCost is price times quantity',
  ],
  ['EffectiveCost differs', withCell('EffectiveCost', '0.1'), 'violated rule: EffectiveCost is BilledCost'],
  [
    'a unit price is negative',
    withCell('ListUnitPrice', '-0.4'),
    'violated rule: unit prices are not negative',
  ],
  ['usage has no SKU price', withCell('SkuPriceId', ''), 'violated rule: usage has a SKU and its price'],
  [
    'a unit has no quantity',
    withCell('ConsumedQuantity', ''),
    'violated rule: a consumed quantity has a unit',
  ],
  ['a quantity has no unit', withCell('PricingUnit', ''), 'violated rule: a priced quantity has a unit'],
  ['a unit is in lower case', withCell('ConsumedUnit', 'tokens'), 'violated rule: units have FOCUS spelling'],
  ['a region has no name', withCell('RegionName', ''), 'violated rule: a region has a name'],
  [
    'an owner has no name',
    withCell('SubAccountName', ''),
    'violated rule: a sub-account has a name and a type',
  ],
  ['a resource has no type', withCell('ResourceId', 'r-1'), 'violated rule: a resource has a type'],
  [
    'an allocated resource has no name',
    withCell('AllocatedResourceId', 'team-search'),
    'violated rule: an allocated resource has a name',
  ],
  [
    'an invoice has no detail',
    withCell('InvoiceId', 'in-1'),
    'violated rule: invoice and detail are both present or both absent',
  ],
  [
    'a charge ends before it starts',
    withCell('ChargePeriodEnd', '2026-10-01T00:00:00Z'),
    'violated rule: the charge period has a length',
  ],
  [
    'a charge is in another month',
    withCell('ChargePeriodStart', '2026-09-30T00:00:00Z'),
    'violated rule: the charge is in its billing period, and a correction in one before it',
  ],
  ['a placeholder replaces null', withCell('RegionId', 'N/A'), 'RegionId holds a placeholder'],
  [
    'a price detail has no custom prefix',
    withCell('SkuPriceDetails', '{"ModelId":"a"}'),
    'violated rule: price details have custom names',
  ],
  [
    'a SKU price has two prices',
    withCell('SkuPriceId', rows.at(-1)?.[at('SkuPriceId')] ?? ''),
    'a SkuPriceId has two prices',
  ],
  [
    'text is a spreadsheet formula',
    withCell('BillingAccountName', '=1+1'),
    'BillingAccountName is a spreadsheet formula',
  ],
  [
    'a custom column lacks its prefix',
    withHeader((name) => name.replace('x_CostBasis', 'CostBasis')),
    'CostBasis is not a column',
  ],
  [
    '1.4 has a column of 1.3',
    withHeader((name) => name.replace('x_CostBasis', 'ProviderName')),
    'ProviderName is not a column',
  ],
  ['it starts with a byte order mark', `\uFEFF${text}`, 'the file starts with a byte order mark'],
  ['lines end with CRLF', text.replaceAll('\n', '\r\n'), 'lines do not end with LF'],
  ['a row has too few cells', `${text}a,b\n`, 'a row has a different number of cells than the header'],
  ['a row is repeated', written([header, ...rows, ...rows.slice(0, 1)]), 'a row is repeated'],
  [
    'a column is repeated',
    written([header, ...rows].map((cells) => [...cells, cells[0] ?? ''])),
    'a column is repeated',
  ],
  [
    'columns are not in order',
    written([header, ...rows].map((cells) => cells.toReversed())),
    'columns are not in order',
  ],
])('finds that %s', (_what, corrupted, fault) => {
  expect(corrupted).not.toBe(text);
  expect(findFocusViolations(corrupted, '1.4')).toContain(fault);
});

it('finds a column without a definition, and a definition without a column', () => {
  const { metadata } = file;

  expect(findMetadataViolations(header, metadata)).toEqual([]);
  expect(findMetadataViolations([...header, 'x_More'], metadata)).toEqual(['x_More is not defined']);
  expect(findMetadataViolations(header.slice(1), metadata)).toEqual([
    'AllocatedMethodDetails is not delivered',
  ]);
});
