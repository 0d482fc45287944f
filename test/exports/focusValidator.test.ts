import { parse } from 'csv-parse/sync';
import { expect, it } from 'vitest';
import { findFocusViolations, findMetadataViolations } from './focusValidator.ts';
import { exportInMemory, fileTextOf } from './inMemoryExport.ts';
import { anAllocatedRecord, aRecord, byPersons } from './records.ts';

const file = await exportInMemory(
  [
    ...byPersons(5, { event: { region: 'us-east-1', cached_input_tokens: 300 } }),
    aRecord({ event: { requested_model: 'agent', estimated_cost_usd: '0.75' }, owner: null }),
    anAllocatedRecord(),
  ],
  {
    cost_mode: 'showback',
    period: { from: '2026-10-01', to: '2026-11-01' },
    group_by: ['owner', 'service', 'region'],
  },
  { split: true },
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

it('finds no violation in an exported file', () => {
  expect(rows.length).toBeGreaterThan(5);
  expect(findFocusViolations(text, '1.4')).toEqual([]);
});

it.each([
  ['a mandatory column is missing', withoutColumn('BilledCost'), 'BilledCost is missing'],
  ['a conditional column is missing', withoutColumn('SkuPriceId'), 'SkuPriceId is missing'],
  ['a mandatory value is null', withCell('BilledCost', ''), 'BilledCost is null'],
  ['ChargeCategory is made up', withCell('ChargeCategory', 'Fee'), 'ChargeCategory holds what it must not'],
  ['ServiceCategory is made up', withCell('ServiceCategory', 'AI'), 'ServiceCategory holds what it must not'],
  [
    'ServiceSubcategory is of another category',
    withCell('ServiceSubcategory', 'Block Storage'),
    'ServiceSubcategory holds what it must not',
  ],
  ['ChargeClass is made up', withCell('ChargeClass', 'Regular'), 'ChargeClass holds what it must not'],
  [
    'PricingCategory is made up',
    withCell('PricingCategory', 'Flex'),
    'PricingCategory holds what it must not',
  ],
  [
    'an instant has milliseconds',
    withCell('ChargePeriodStart', '2026-10-14T00:00:00.000Z'),
    'ChargePeriodStart is no instant',
  ],
  [
    'an instant has an offset',
    withCell('ChargePeriodStart', '2026-10-14T00:00:00+00:00'),
    'ChargePeriodStart is no instant',
  ],
  [
    'an instant is no day',
    withCell('BillingPeriodEnd', '2026-13-01T00:00:00Z'),
    'BillingPeriodEnd is no instant',
  ],
  [
    'a currency is in small letters',
    withCell('BillingCurrency', 'usd'),
    'BillingCurrency holds what it must not',
  ],
  ['a number has a comma', withCell('ListCost', '1,000.0'), 'ListCost is no decimal'],
  ['a number has an exponent', withCell('ListCost', '3.6E+3'), 'ListCost is no decimal'],
  ['a number has a currency sign', withCell('ListCost', '$0.0006'), 'ListCost is no decimal'],
  ['a number is a word', withCell('ConsumedQuantity', 'many'), 'ConsumedQuantity is no decimal'],
  ['a number has no decimal point', withCell('ConsumedQuantity', '1500'), 'ConsumedQuantity is no decimal'],
  ['tags are nested', withCell('Tags', '{"owner":{"name":"a"}}'), 'not so: tags are flat'],
  ['tags are a list', withCell('Tags', '["a"]'), 'Tags is no JSON object'],
  ['tags are not JSON', withCell('Tags', 'owner=a'), 'Tags is no JSON object'],
  [
    'a cost is off by the last digit',
    withCell('ListCost', '0.000600000001'),
    'not so: ListCost is price times quantity',
  ],
  [
    'a contracted cost is off',
    withCell('ContractedCost', '9.0'),
    'not so: ContractedCost is price times quantity',
  ],
  ['EffectiveCost differs', withCell('EffectiveCost', '0.1'), 'not so: EffectiveCost is BilledCost'],
  ['a unit price is negative', withCell('ListUnitPrice', '-0.4'), 'not so: unit prices are not negative'],
  ['usage has no SKU price', withCell('SkuPriceId', ''), 'not so: usage has a SKU and its price'],
  ['a unit has no quantity', withCell('ConsumedQuantity', ''), 'not so: a consumed quantity has a unit'],
  ['a quantity has no unit', withCell('PricingUnit', ''), 'not so: a priced quantity has a unit'],
  ['a unit is in small letters', withCell('ConsumedUnit', 'tokens'), 'not so: units are spelled as units'],
  ['a region has no name', withCell('RegionName', ''), 'not so: a region has a name'],
  ['an owner has no name', withCell('SubAccountName', ''), 'not so: a sub-account has a name and a type'],
  ['a resource has no type', withCell('ResourceId', 'r-1'), 'not so: a resource has a type'],
  [
    'an allocated resource has no name',
    withCell('AllocatedResourceName', ''),
    'not so: an allocated resource has a name',
  ],
  ['an invoice has no detail', withCell('InvoiceId', 'in-1'), 'not so: invoice and detail go together'],
  [
    'a charge ends before it starts',
    withCell('ChargePeriodEnd', '2026-10-01T00:00:00Z'),
    'not so: the charge period has a length',
  ],
  [
    'a charge lies in another month',
    withCell('ChargePeriodStart', '2026-09-30T00:00:00Z'),
    'not so: the charge lies in its billing period',
  ],
  ['a placeholder stands for null', withCell('RegionId', 'N/A'), 'RegionId holds a placeholder'],
  [
    'a detail of a price is called as FOCUS may call one',
    withCell('SkuPriceDetails', '{"ModelId":"a"}'),
    'not so: details of a price are our own',
  ],
  [
    'a SKU price has two prices',
    withCell('SkuPriceId', rows.at(-1)?.[at('SkuPriceId')] ?? ''),
    'a SkuPriceId has two prices',
  ],
  [
    'text runs in a spreadsheet',
    withCell('BillingAccountName', '=1+1'),
    'BillingAccountName runs in a spreadsheet',
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
  ['it begins with a byte order mark', `\uFEFF${text}`, 'the file begins with a byte order mark'],
  ['lines end with CRLF', text.replaceAll('\n', '\r\n'), 'lines do not end with LF alone'],
  ['a row is ragged', `${text}a,b\n`, 'a row is not as wide as the header'],
  ['a row comes twice', written([header, ...rows, ...rows.slice(0, 1)]), 'a row comes twice'],
  [
    'a column comes twice',
    written([header, ...rows].map((cells) => [...cells, cells[0] ?? ''])),
    'a column comes twice',
  ],
  [
    'columns are not in order',
    written([header, ...rows].map((cells) => cells.toReversed())),
    'columns are not in order',
  ],
])('notices that %s', (_what, corrupted, fault) => {
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
