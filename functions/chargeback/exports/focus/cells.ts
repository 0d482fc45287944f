import { type CostMode, UNASSIGNED_ACCOUNT } from '../../../../schemas/chargeback/focus.ts';
import { literal, type Sql } from '../lines/sql.ts';
import type { Column } from './columns.ts';
import { type Meter, meters } from './meter.ts';
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

/**
 * The merged lines with names and prices. A line that tells no model, meter or price list is one request at its cost, which
 * is known only after the merge.
 */
export const pricedLines = (merged: string): Sql => `
  SELECT * REPLACE (
      CASE WHEN price_list = '${SEVERAL}' THEN amount_text(cost) ELSE price_unit END AS price_unit,
      CASE WHEN price_list = '${SEVERAL}' THEN 1 ELSE priced END AS priced
    ),
    ${byVendor(({ providerName }) => providerName)} AS vendor,
    ${byVendor(({ serviceName }) => serviceName)} AS vendor_service,
    ${byMeter(({ name }) => name)} AS meter_name,
    concat_ws('/', provider, model, ${byMeter(({ slug }) => slug)}) AS sku
  FROM ${merged}`;

/** JSON object of the members that are not null; null when there are none. */
const json = (members: Readonly<Record<string, Sql>>): Sql => {
  const texts = Object.entries(members).map(([name, value]) => `'"${name}":' || to_json(${value})::VARCHAR`);
  return `nullif('{' || concat_ws(',', ${texts.join(', ')}) || '}', '{}')`;
};

/** The account of an owner: nobody's without one, and null where suppression hides it. */
const accountOf = (unassigned: string, assigned: Sql): Sql =>
  `CASE owner_state WHEN 'unassigned' THEN ${literal(unassigned)} ELSE ${assigned} END`;

const unitPrice: Sql = 'price_unit::DECIMAL(38, 12)';
const monthOf = (months: number): Sql =>
  `epoch_ms(date_trunc('month', make_timestamp(charge_start * 1000)) + INTERVAL ${months} MONTH)`;

/** The expression of each column over the priced lines. Instants are epoch milliseconds. Other columns are always empty. */
const cellsFor = ({ mode, tenantId, tenantName, issuer }: Biller): Readonly<Record<string, Sql>> => {
  const billed = mode === 'chargeback' ? 'cost' : '0';
  return {
    BillingAccountId: literal(tenantId),
    BillingAccountName: literal(tenantName),
    BillingAccountType: `'Tenant'`,
    SubAccountId: accountOf(UNASSIGNED_ACCOUNT, 'owner'),
    SubAccountName: accountOf('Unassigned', 'owner'),
    SubAccountType: accountOf('Unassigned', `CASE WHEN owner IS NOT NULL THEN 'Owner' END`),
    InvoiceIssuerName: mode === 'chargeback' ? literal(issuer) : 'vendor',
    Tags: json({ owner: 'owner', pathway: 'pathway', service: 'service' }),

    BillingPeriodStart: monthOf(0),
    BillingPeriodEnd: monthOf(1),
    ChargePeriodStart: 'charge_start',
    ChargePeriodEnd: 'charge_end',

    BilledCost: billed,
    EffectiveCost: billed,
    ListCost: 'cost',
    ContractedCost: 'cost',
    ListUnitPrice: unitPrice,
    ContractedUnitPrice: unitPrice,
    BillingCurrency: `'USD'`,
    PricingCurrency: `'USD'`,
    PricingCurrencyContractedUnitPrice: unitPrice,
    PricingCurrencyEffectiveCost: billed,
    PricingCurrencyListUnitPrice: unitPrice,
    PricingCategory: `CASE price_terms WHEN 'other' THEN 'Other' ELSE 'Standard' END`,
    PricingQuantity: 'priced',
    PricingUnit: `CASE price_per WHEN 'millions' THEN '1000000 Tokens' ELSE 'Requests' END`,
    ConsumedQuantity: 'consumed',
    ConsumedUnit: 'consumed_unit',
    ChargeCategory: `'Usage'`,
    ChargeFrequency: `'Usage-Based'`,
    ChargeDescription: `${byMeter(({ name }) => sentenceCase(name))} || ', ' || served_model || ' via ' || vendor_service`,

    HostProviderName: 'vendor',
    ServiceProviderName: 'vendor',
    ProviderName: 'vendor',
    PublisherName: 'vendor',
    ServiceName: 'vendor_service',
    ServiceCategory: `'AI and Machine Learning'`,
    ServiceSubcategory: `'Generative AI'`,
    RegionId: 'region',
    RegionName: 'region',
    SkuId: 'sku',
    SkuMeter: 'meter_name',
    SkuPriceId: `concat_ws('/', sku, price_terms, price_list, price_unit)`,
    SkuPriceDetails: json({
      x_ModelId: 'model',
      x_TokenCacheAction: byMeter(({ cacheAction }) => cacheAction),
      x_TokenDirection: byMeter(({ side }) => (side === null ? null : DIRECTIONS[side])),
    }),

    x_CarbonEmissionsGrams: 'CASE WHEN carbon_method IS NOT NULL THEN carbon END',
    x_CarbonMethodName: 'carbon_method',
    x_ConfidenceLevel: 'confidence',
    x_ConsumingServiceName: 'service',
    x_CostBasis: `'estimated'`,
    x_EnergyMethodName: 'energy_method',
    x_EnergyWattHours: 'CASE WHEN energy_method IS NOT NULL THEN energy END',
    x_InvocationId: 'invocation_id',
    x_OwnerState: 'owner_state',
    x_PathwayCategory: 'pathway',
    x_PriceListVersion: 'price_list',
    x_RecordId: 'record_id',
    x_RequestedModelId: 'requested_model',
    x_RollupLevelName: 'rollup',
    x_ServedModelId: 'served_model',
    x_ServiceState: 'service_state',
  };
};

/** The expressions of columns, in their order. */
export const cellsOf = (columns: readonly Column[], biller: Biller): readonly Sql[] => {
  const cells = cellsFor(biller);
  return columns.map(({ name }) => cells[name] ?? 'NULL');
};
