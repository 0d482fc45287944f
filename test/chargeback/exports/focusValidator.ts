import { parse } from 'csv-parse/sync';
import { columnsOf } from '../../../functions/chargeback/exports/focus/columns.ts';
import { type Decimal, decimal } from '../../../functions/platform/shared/decimal.ts';
import type { FocusVersion } from '../../../schemas/chargeback/focus.ts';

type Row = ReadonlyMap<string, string>;
type Rule = readonly [name: string, holds: (row: Row) => boolean];

const NUMBER = /^-?\d+\.\d+$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
const PLACEHOLDER = /^(?:n\/a|na|null|none|nil|nan|undefined|unknown|-+|tbd)$/i;
const UNIT = /^(?:[1-9]\d* )?[A-Z][A-Za-z]*s$/;

const cell = (row: Row, name: string): string => row.get(name) ?? '';
const isNull = (row: Row, name: string): boolean => cell(row, name) === '';
const together = (row: Row, one: string, other: string): boolean => isNull(row, one) === isNull(row, other);

const read = (row: Row, name: string): Decimal | null => {
  const text = cell(row, name);
  return NUMBER.test(text) ? decimal(text) : null;
};

const isProduct = (row: Row, result: string, price: string): boolean => {
  const [product, unit, quantity] = [result, price, 'PricingQuantity'].map((name) => read(row, name));
  return !product || !unit || !quantity || unit.times(quantity).eq(product);
};

const isFlatObject = (text: string, keyMay: RegExp = /./): boolean => {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    return Object.entries(value).every(
      ([key, member]) => keyMay.test(key) && (typeof member !== 'object' || member === null),
    );
  } catch {
    return false;
  }
};

const isObject = (text: string): boolean => {
  try {
    return /^\{.*\}$/.test(text) && JSON.parse(text) !== null;
  } catch {
    return false;
  }
};

const UNIT_PRICES = [
  'ListUnitPrice',
  'ContractedUnitPrice',
  'PricingCurrencyListUnitPrice',
  'PricingCurrencyContractedUnitPrice',
];
const COMMITMENT_MEMBERS = ['Category', 'Name', 'Quantity', 'Status', 'Type', 'Unit'].map(
  (member) => `CommitmentDiscount${member}`,
);

const isUsage = (row: Row): boolean =>
  cell(row, 'ChargeCategory') === 'Usage' && cell(row, 'ChargeFrequency') === 'Usage-Based';

/**
 * Rules of the FOCUS specification for each row. The machine-readable rules of 1.2 of the official validator (finopsfoundation/
 * focus_validator) find no fault in the files beyond those of its own data, and none that these rules overlook.
 */
const rules: readonly Rule[] = [
  ['ListCost is price times quantity', (row) => isProduct(row, 'ListCost', 'ListUnitPrice')],
  [
    'ContractedCost is price times quantity',
    (row) => isProduct(row, 'ContractedCost', 'ContractedUnitPrice'),
  ],
  ['EffectiveCost is BilledCost', (row) => cell(row, 'EffectiveCost') === cell(row, 'BilledCost')],
  ['unit prices are not negative', (row) => UNIT_PRICES.every((name) => !cell(row, name).startsWith('-'))],
  ['every charge is usage, with its frequency', isUsage],
  ['usage has a SKU and its price', (row) => !isNull(row, 'SkuId') && !isNull(row, 'SkuPriceId')],
  [
    'usage has unit prices and a pricing category, unless it is a correction',
    (row) =>
      cell(row, 'ChargeClass') === 'Correction' ||
      [...UNIT_PRICES, 'PricingCategory'].every((name) => !isNull(row, name)),
  ],
  ['a SKU price has a list price', (row) => together(row, 'SkuPriceId', 'ListUnitPrice')],
  [
    'only a commitment has members of one',
    (row) => COMMITMENT_MEMBERS.every((name) => together(row, 'CommitmentDiscountId', name)),
  ],
  [
    'only a capacity reservation has a status',
    (row) => together(row, 'CapacityReservationId', 'CapacityReservationStatus'),
  ],
  ['a billing account has a name', (row) => together(row, 'BillingAccountId', 'BillingAccountName')],
  ['usage has quantities', (row) => !isNull(row, 'ConsumedQuantity') && !isNull(row, 'PricingQuantity')],
  ['a consumed quantity has a unit', (row) => together(row, 'ConsumedQuantity', 'ConsumedUnit')],
  ['a priced quantity has a unit', (row) => together(row, 'PricingQuantity', 'PricingUnit')],
  [
    'units have FOCUS spelling',
    (row) => UNIT.test(cell(row, 'ConsumedUnit')) && UNIT.test(cell(row, 'PricingUnit')),
  ],
  ['a region has a name', (row) => together(row, 'RegionId', 'RegionName')],
  [
    'a sub-account has a name and a type',
    (row) =>
      together(row, 'SubAccountId', 'SubAccountName') && together(row, 'SubAccountId', 'SubAccountType'),
  ],
  ['a resource has a type', (row) => together(row, 'ResourceId', 'ResourceType')],
  [
    'an allocated resource has a name',
    (row) => together(row, 'AllocatedResourceId', 'AllocatedResourceName'),
  ],
  [
    'invoice and detail are both present or both absent',
    (row) => !row.has('InvoiceDetailId') || together(row, 'InvoiceId', 'InvoiceDetailId'),
  ],
  ['the charge period has a length', (row) => cell(row, 'ChargePeriodStart') < cell(row, 'ChargePeriodEnd')],
  [
    'the charge is in its billing period, and a correction in one before it',
    (row) =>
      cell(row, 'ChargeClass') === 'Correction'
        ? cell(row, 'ChargePeriodEnd') <= cell(row, 'BillingPeriodStart')
        : cell(row, 'BillingPeriodStart') <= cell(row, 'ChargePeriodStart') &&
          cell(row, 'ChargePeriodEnd') <= cell(row, 'BillingPeriodEnd'),
  ],
  ['tags are flat', (row) => isNull(row, 'Tags') || isFlatObject(cell(row, 'Tags'))],
];

/** Members of price details that the draft of 1.5 defines, with their allowed values. */
const DETAILS: Readonly<Record<string, RegExp>> = {
  ModelDeveloper: /./,
  ModelFamily: /./,
  ModelId: /./,
  ModelVersion: /./,
  TokenCacheAction: /^(?:Uncached|Read|Write|Other)$/,
  TokenDirection: /^(?:Input|Output)$/,
};

/** Rules that differ between versions. */
const rulesOf = (version: FocusVersion): readonly Rule[] => {
  if (version !== '1.5-draft')
    return [
      [
        'only the issuer of the invoice bills, in 1.2',
        (row) =>
          version !== '1.2' ||
          cell(row, 'ProviderName') === cell(row, 'InvoiceIssuerName') ||
          Number(cell(row, 'BilledCost')) === 0,
      ],
      [
        'price details have custom names',
        (row) => isNull(row, 'SkuPriceDetails') || isFlatObject(cell(row, 'SkuPriceDetails'), /^x_[A-Z]/),
      ],
    ];
  const details = (row: Row): Record<string, unknown> => JSON.parse(cell(row, 'SkuPriceDetails') || '{}');
  return [
    [
      'price details have defined names and values',
      (row) =>
        Object.entries(details(row)).every(
          ([name, value]) =>
            (/^x_[A-Z]/.test(name) && !(name.slice(2) in DETAILS)) || DETAILS[name]?.test(String(value)),
        ),
    ],
    [
      'only tokens of requests have a cache action',
      (row) => !('TokenCacheAction' in details(row)) || details(row)['TokenDirection'] === 'Input',
    ],
    [
      'only tokens have a direction',
      (row) => !('TokenDirection' in details(row)) || /Tokens/.test(cell(row, 'SkuMeter')),
    ],
  ];
};

/** SKU, meter and price of a SkuPriceId as one text. */
const PRICED_ONCE = ['SkuId', 'SkuMeter', 'ListUnitPrice', 'PricingUnit'] as const;

const findCellViolations = (
  text: string,
  { type, nullable, values }: ReturnType<typeof columnsOf>[number],
): string[] => {
  if (text === '') return nullable ? [] : ['is null'];
  if (PLACEHOLDER.test(text)) return ['holds a placeholder'];
  if (values !== undefined && !values.includes(text)) return ['has a value that is not allowed'];
  if (type === 'Decimal') return NUMBER.test(text) ? [] : ['is not a decimal'];
  if (type === 'Date/Time')
    return INSTANT.test(text) && !Number.isNaN(Date.parse(text)) ? [] : ['is not a timestamp'];
  if (type === 'JSON') return isObject(text) ? [] : ['is not a JSON object'];
  return /^[=+\-@\t\r]/.test(text) ? ['is a spreadsheet formula'] : [];
};

/** Violations of the specification by a file with all columns. Empty if the file is valid. */
export const findFocusViolations = (text: string, version: FocusVersion): string[] => {
  if (text.startsWith('\uFEFF')) return ['the file starts with a byte order mark'];
  if (text.includes('\r')) return ['lines do not end with LF'];
  const [header = [], ...body] = parse(text, { relax_column_count: true, relax_quotes: false });
  const columns = columnsOf(version);
  const expected = columns.map(({ name }) => name);
  const violations = new Set<string>();
  if (new Set(header).size < header.length) violations.add('a column is repeated');
  for (const name of expected) if (!header.includes(name)) violations.add(`${name} is missing`);
  for (const name of header) if (!expected.includes(name)) violations.add(`${name} is not a column`);
  if (violations.size === 0 && header.join() !== expected.join()) violations.add('columns are not in order');
  const lines = new Set<string>();
  const priced = new Map<string, string>();
  for (const values of body) {
    if (values.length !== header.length) {
      violations.add('a row has a different number of cells than the header');
      continue;
    }
    const line = JSON.stringify(values);
    if (lines.has(line)) violations.add('a row is repeated');
    lines.add(line);
    const row = new Map(header.map((name, index) => [name, values[index] ?? '']));
    for (const column of columns) {
      if (row.has(column.name)) {
        for (const violation of findCellViolations(cell(row, column.name), column))
          violations.add(`${column.name} ${violation}`);
      }
    }
    for (const [name, holds] of [...rules, ...rulesOf(version)])
      if (!holds(row)) violations.add(`violated rule: ${name}`);
    const price = JSON.stringify(PRICED_ONCE.map((name) => cell(row, name)));
    const id = cell(row, 'SkuPriceId');
    if ((priced.get(id) ?? price) !== price) violations.add('a SkuPriceId has two prices');
    priced.set(id, price);
  }
  return [...violations];
};

/** Differences between a file and its metadata. */
export const findMetadataViolations = (
  header: readonly string[],
  metadata: {
    readonly Schema: readonly { readonly ColumnDefinition: readonly { readonly ColumnName: string }[] }[];
  },
): string[] => {
  const defined = metadata.Schema.flatMap((schema) =>
    schema.ColumnDefinition.map(({ ColumnName }) => ColumnName),
  );
  const missing = header.filter((name) => !defined.includes(name)).map((name) => `${name} is not defined`);
  const beyond = defined.filter((name) => !header.includes(name)).map((name) => `${name} is not delivered`);
  return [...missing, ...beyond];
};
