import {
  type CostMode,
  type FocusVersion,
  UNASSIGNED_ACCOUNT,
} from '../../../../schemas/chargeback/focus.ts';
import { literal, type Sql } from '../lines/sql.ts';
import type { Column } from './columns.ts';
import { type Meter, meters } from './meter.ts';
import { modelMembers } from './modelMembers.ts';
import { SEVERAL } from './shownDimensions.ts';
import { type Vendor, vendors } from './vendor.ts';

/** The billing party of an export. */
export interface Biller {
  readonly mode: CostMode;
  readonly tenantId: string;
  readonly tenantName: string;
  /** Invoice issuer of a chargeback. */
  readonly issuer: string;
}

/** The value that belongs to the value of a column. */
const lookUp = <Entry>(
  column: string,
  entries: Iterable<readonly [string, Entry]>,
  read: (entry: Entry) => string | null,
  otherwise: Sql = 'NULL',
): Sql => {
  const cases = [...entries].map(([key, entry]) => {
    const value = read(entry);
    return `WHEN ${literal(key)} THEN ${value === null ? 'NULL' : literal(value)}`;
  });
  return `CASE ${column} ${cases.join(' ')} ELSE ${otherwise} END`;
};

const byMeter = (read: (meter: Meter) => string | null): Sql => lookUp('meter', Object.entries(meters), read);
/** An unlisted provider keeps the name that producers use. */
const byVendor = (read: (vendor: Vendor) => string): Sql => lookUp('provider', vendors, read, 'provider');

/** A meter name in sentence case. */
const sentenceCase = (name: string): string => name.charAt(0) + name.slice(1).toLowerCase();

const DIRECTIONS = { read: 'Input', written: 'Output' } as const;

/** JSON object of the members that are not null, and of further ones; null when there are none. */
const json = (members: Readonly<Record<string, Sql>>, ...further: readonly Sql[]): Sql => {
  const texts = Object.entries(members).map(([name, value]) => `'"${name}":' || to_json(${value})::VARCHAR`);
  return `nullif('{' || concat_ws(',', ${[...texts, ...further].join(', ')}) || '}', '{}')`;
};

/** The account of an owner: nobody's without one, and null where suppression hides it. */
const accountOf = (unassigned: string, assigned: Sql): Sql =>
  `CASE ownerState WHEN 'unassigned' THEN ${literal(unassigned)} ELSE ${assigned} END`;

/** The start of the billing month, or of one of the next: that of the charge period, or a later one for a correction. */
const billingMonth = (months: number): Sql =>
  `epoch_ms(coalesce(strptime(billedIn, '%Y-%m'), date_trunc('month', make_timestamp(chargeStart * 1000)))
    + INTERVAL ${months} MONTH)`;

/** Cells that are the same in all rows. */
const constantCells = (
  { mode, tenantId, tenantName, issuer }: Biller,
  version: FocusVersion,
): Readonly<Record<string, Sql>> => ({
  BillingAccountId: literal(tenantId),
  BillingAccountName: literal(tenantName),
  BillingAccountType: `'Tenant'`,
  BillingCurrency: `'USD'`,
  PricingCurrency: `'USD'`,
  ChargeCategory: `'Usage'`,
  ChargeFrequency: `'Usage-Based'`,
  ServiceCategory: `'AI and Machine Learning'`,
  ServiceSubcategory: `'Generative AI'`,
  x_CostBasis: `'estimated'`,
  ...(mode === 'chargeback' && { InvoiceIssuerName: literal(issuer) }),
  // FOCUS 1.2 bills only what the issuer of the invoice provides (BilledCost-C-005-C). The vendor is then the publisher.
  ...(mode === 'chargeback' && version === '1.2' && { ProviderName: literal(issuer) }),
});

/** Functions of texts that SQL calls. */
export const focusFunctions = { model_members: modelMembers };

const CACHE_ACTION = byMeter((meter) => meter.cacheAction);
const DIRECTION = byMeter(({ side }) => (side === null ? null : DIRECTIONS[side]));

/** Cells that follow from the kind of a line, over named kinds. */
const kindCells: Readonly<Record<string, Sql>> = {
  SubAccountId: accountOf(UNASSIGNED_ACCOUNT, 'owner'),
  SubAccountName: accountOf('Unassigned', 'owner'),
  SubAccountType: accountOf('Unassigned', `CASE WHEN owner IS NOT NULL THEN 'Owner' END`),
  InvoiceIssuerName: 'vendor',
  ChargeClass: `CASE WHEN billedIn IS NOT NULL THEN 'Correction' END`,
  Tags: json({ owner: 'owner', pathway: 'pathway', service: 'service' }, 'tags'),

  PricingCategory: `CASE priceTerms WHEN 'other' THEN 'Other' ELSE 'Standard' END`,
  PricingUnit: `CASE pricedPer WHEN 'millions' THEN '1000000 Tokens' ELSE 'Requests' END`,
  ConsumedUnit: 'consumedUnit',
  ChargeDescription: `${byMeter(({ name }) => sentenceCase(name))} || ', ' || servedModel || ' via ' || vendorService`,

  HostProviderName: 'vendor',
  ServiceProviderName: 'vendor',
  ProviderName: 'vendor',
  PublisherName: 'vendor',
  ServiceName: 'vendorService',
  RegionId: 'region',
  RegionName: 'region',
  SkuId: 'sku',
  SkuMeter: 'meterName',
  SkuPriceId: `concat_ws('/', sku, priceTerms, priceList)`,
  SkuPriceDetails: json({
    x_ModelId: 'model',
    x_TokenCacheAction: CACHE_ACTION,
    x_TokenDirection: DIRECTION,
  }),
  // Only names that a version defines have no prefix.
  'SkuPriceDetails of 1.5-draft': json(
    {
      ModelId: `CASE WHEN model <> '${SEVERAL}' THEN model END`,
      TokenCacheAction: CACHE_ACTION,
      TokenDirection: DIRECTION,
    },
    `nullif(model_members(model), '')`,
  ),

  x_CarbonMethodName: 'carbonMethod',
  x_ConsumingServiceName: 'service',
  x_EnergyMethodName: 'energyMethod',
  x_OwnerState: 'ownerState',
  x_PathwayCategory: 'pathway',
  x_PriceListVersion: 'priceList',
  x_RequestedModelId: 'requestedModel',
  x_RollupLevelName: 'rollup',
  x_ServedModelId: 'servedModel',
  x_ServiceState: 'serviceState',
};

/** The name of the cell of a column, which can be of one version only. */
const cellFor = (column: string, version: FocusVersion): string => {
  const own = `${column} of ${version}`;
  return own in kindCells ? own : column;
};

const cellName = (column: string): Sql => `"cell ${column}"`;

/**
 * Kinds with the names of their vendors and meters, and with their cells. A text refers to a cell by its name: planning a
 * query takes longer than running it where long expressions repeat.
 */
export const namedKinds = (kinds: Sql): Sql => `
  SELECT *, ${Object.entries(kindCells).map(([column, cell]) => `${cell} AS ${cellName(column)}`)}
  FROM (
    SELECT *,
      ${byVendor(({ providerName }) => providerName)} AS vendor,
      ${byVendor(({ serviceName }) => serviceName)} AS vendorService,
      ${byMeter(({ name }) => name)} AS meterName,
      concat_ws('/', provider, model, ${byMeter(({ slug }) => slug)}) AS sku
    FROM ${kinds})`;

/** FOCUS requires a list price: where none is published, it is the price that is paid. */
const LIST_UNIT: Sql = 'coalesce(listUnit, priceUnit)';

/** Cells that follow from the line, over the rows of merged lines. Instants are epoch milliseconds. */
const lineCells = ({ mode }: Biller): Readonly<Record<string, (textOfKind: Sql) => Sql>> => {
  const billed = mode === 'chargeback' ? 'cost' : '0';
  return {
    BillingPeriodStart: () => billingMonth(0),
    BillingPeriodEnd: () => billingMonth(1),
    ChargePeriodStart: () => 'chargeStart',
    ChargePeriodEnd: () => 'chargeEnd',

    BilledCost: () => billed,
    EffectiveCost: () => billed,
    ListCost: () => 'listCost',
    ContractedCost: () => 'cost',
    ListUnitPrice: () => LIST_UNIT,
    ContractedUnitPrice: () => 'priceUnit',
    PricingCurrencyContractedUnitPrice: () => 'priceUnit',
    PricingCurrencyEffectiveCost: () => billed,
    PricingCurrencyListUnitPrice: () => LIST_UNIT,
    PricingQuantity: () => 'priced',
    ConsumedQuantity: () => 'consumed',
    SkuPriceId: (textOfKind) => `concat_ws('/', ${textOfKind}, amount_text(${LIST_UNIT}))`,

    x_CarbonEmissionsGrams: () => 'carbon',
    x_ConfidenceLevel: () => 'confidence',
    x_EnergyWattHours: () => 'energy',
    x_InvocationId: () => 'invocationId',
    x_ListPriceState: () => `CASE WHEN listUnit IS NOT NULL THEN 'published' END`,
    x_RecordId: () => 'recordId',
  };
};

/** The value of a column. */
export interface Cell {
  /** An expression over named kinds, or a constant. */
  readonly kind: Sql;
  readonly isConstant: boolean;
  /** An expression over the rows of merged lines and the text of the kind; absent: the text of the kind. */
  readonly line?: (textOfKind: Sql) => Sql;
}

/** The cell of a column that is always empty. */
export const EMPTY: Cell = { kind: 'NULL', isConstant: true };

/** The cells of columns, in their order. */
export const cellsOf = (
  columns: readonly Column[],
  biller: Biller,
  version: FocusVersion,
): readonly Cell[] => {
  const constants = constantCells(biller, version);
  const lines = lineCells(biller);
  return columns.map(({ name }) => {
    const line = lines[name];
    // Other columns are always empty.
    const cell = cellFor(name, version);
    const constant = constants[name] ?? (kindCells[cell] === undefined ? EMPTY.kind : undefined);
    return {
      kind: constant ?? cellName(cell),
      isConstant: constant !== undefined,
      ...(line !== undefined && { line }),
    };
  });
};
