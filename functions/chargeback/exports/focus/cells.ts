import { type CostMode, UNASSIGNED_ACCOUNT } from '../../../../schemas/chargeback/focus.ts';
import { parseFixedPoint } from '../../../../schemas/fixedPoint.ts';
import { billingPeriodOf } from './chargePeriod.ts';
import type { Column } from './columns.ts';
import type { Line } from './line.ts';
import { meters } from './meter.ts';
import { type Vendor, vendorOf } from './vendor.ts';

/** Text, a decimal in units of 1e-12, an instant in epoch milliseconds, or null for an empty cell. */
export type Cell = string | bigint | number | null;
/** Cells in the order of a file's columns. */
export type Row = readonly Cell[];

/** The billing party of an export. */
export interface Biller {
  readonly mode: CostMode;
  readonly tenantId: string;
  readonly tenantName: string;
  /** Invoice issuer of a chargeback. */
  readonly issuer: string;
}

interface Source extends Line {
  readonly biller: Biller;
  readonly vendor: Vendor;
  readonly skuId: string;
}

type Cells = Readonly<Record<string, (source: Source) => Cell>>;

const always = (text: string) => () => text;

/** JSON object of the members that are not null; null when there are none. */
const json = (members: Readonly<Record<string, string | null>>): string | null => {
  const known = Object.entries(members).filter(([, value]) => value !== null);
  return known.length === 0 ? null : JSON.stringify(Object.fromEntries(known));
};

const billed = ({ biller, amounts }: Source): bigint => (biller.mode === 'chargeback' ? amounts.cost : 0n);
const cost = ({ amounts }: Source): bigint => amounts.cost;
const unitPrice = ({ key }: Source): bigint => parseFixedPoint(key.price.unit);
const provider = ({ vendor }: Source): string => vendor.providerName;

/** A meter name in sentence case. */
const sentenceCase = (name: string): string => name.charAt(0) + name.slice(1).toLowerCase();

const account: Cells = {
  BillingAccountId: ({ biller }) => biller.tenantId,
  BillingAccountName: ({ biller }) => biller.tenantName,
  BillingAccountType: always('Tenant'),
  SubAccountId: ({ key }) => (key.ownerState === 'unassigned' ? UNASSIGNED_ACCOUNT : key.owner),
  SubAccountName: ({ key }) => (key.ownerState === 'unassigned' ? 'Unassigned' : key.owner),
  SubAccountType: ({ key }) => (key.ownerState === 'unassigned' ? 'Unassigned' : key.owner && 'Owner'),
  InvoiceIssuerName: ({ biller, vendor }) =>
    biller.mode === 'chargeback' ? biller.issuer : vendor.providerName,
  Tags: ({ key }) => json({ owner: key.owner, pathway: key.pathway, service: key.service }),
};

const time: Cells = {
  BillingPeriodStart: ({ key }) => billingPeriodOf(key.start).start,
  BillingPeriodEnd: ({ key }) => billingPeriodOf(key.start).end,
  ChargePeriodStart: ({ key }) => key.start,
  ChargePeriodEnd: ({ key }) => key.end,
};

const charge: Cells = {
  BilledCost: billed,
  EffectiveCost: billed,
  ListCost: cost,
  ContractedCost: cost,
  ListUnitPrice: unitPrice,
  ContractedUnitPrice: unitPrice,
  BillingCurrency: always('USD'),
  PricingCurrency: always('USD'),
  PricingCurrencyContractedUnitPrice: unitPrice,
  PricingCurrencyEffectiveCost: billed,
  PricingCurrencyListUnitPrice: unitPrice,
  PricingCategory: ({ key }) => (key.price.terms === 'other' ? 'Other' : 'Standard'),
  PricingQuantity: ({ amounts }) => amounts.priced,
  PricingUnit: ({ key }) => (key.price.per === 'millions' ? '1000000 Tokens' : 'Requests'),
  ConsumedQuantity: ({ amounts }) => amounts.consumed,
  ConsumedUnit: ({ key }) => key.consumed,
  ChargeCategory: always('Usage'),
  ChargeFrequency: always('Usage-Based'),
  ChargeDescription: ({ key, vendor }) =>
    `${sentenceCase(meters[key.price.meter].name)}, ${key.servedModel} via ${vendor.serviceName}`,
};

const product: Cells = {
  HostProviderName: provider,
  ServiceProviderName: provider,
  ProviderName: provider,
  PublisherName: provider,
  ServiceName: ({ vendor }) => vendor.serviceName,
  ServiceCategory: always('AI and Machine Learning'),
  ServiceSubcategory: always('Generative AI'),
  RegionId: ({ key }) => key.region,
  RegionName: ({ key }) => key.region,
  SkuId: ({ skuId }) => skuId,
  SkuMeter: ({ key }) => meters[key.price.meter].name,
  SkuPriceId: ({ key: { price }, skuId }) => `${skuId}/${price.terms}/${price.list}/${price.unit}`,
  SkuPriceDetails: ({ key }) => {
    const { side, cacheAction } = meters[key.price.meter];
    return json({
      x_ModelId: key.model,
      x_TokenCacheAction: cacheAction,
      x_TokenDirection: side === null ? null : side === 'read' ? 'Input' : 'Output',
    });
  },
};

const split: Cells = {
  AllocatedMethodId: ({ key }) => key.split?.method ?? null,
  // A ratio string is already a valid JSON number. Inserting it as text avoids a conversion to float.
  AllocatedMethodDetails: ({ key }) =>
    key.split === null ? null : `{"Elements":[{"AllocatedRatio":${key.split.ratio}}]}`,
  AllocatedResourceId: ({ key }) => key.split?.recipient ?? null,
  AllocatedResourceName: ({ key }) => key.split?.recipient ?? null,
};

const custom: Cells = {
  x_CarbonEmissionsGrams: ({ key, amounts }) => (key.carbonMethod === null ? null : amounts.carbon),
  x_CarbonMethodName: ({ key }) => key.carbonMethod,
  x_ConfidenceLevel: ({ amounts }) => parseFixedPoint(amounts.confidence.toFixed(12)),
  x_ConsumingServiceName: ({ key }) => key.service,
  x_CostBasis: always('estimated'),
  x_EnergyMethodName: ({ key }) => key.energyMethod,
  x_EnergyWattHours: ({ key, amounts }) => (key.energyMethod === null ? null : amounts.energy),
  x_InvocationId: ({ key }) => key.invocationId,
  x_OwnerState: ({ key }) => key.ownerState,
  x_PathwayCategory: ({ key }) => key.pathway,
  x_PriceListVersion: ({ key }) => key.price.list,
  x_RecordId: ({ key }) => key.recordId,
  x_RequestedModelId: ({ key }) => key.requestedModel,
  x_RollupLevelName: ({ key }) => key.rollup,
  x_ServedModelId: ({ key }) => key.servedModel,
  x_ServiceState: ({ key }) => key.serviceState,
};

/** Value of each column. Columns that are not listed are always empty. */
const cells: ReadonlyMap<string, (source: Source) => Cell> = new Map(
  Object.entries({ ...account, ...time, ...charge, ...product, ...split, ...custom }),
);

const empty = (): Cell => null;

/** Returns a function that turns lines into rows of the given columns. */
export const rowBuilder = (columns: readonly Column[], biller: Biller): ((line: Line) => Row) => {
  const fill = columns.map(({ name }) => cells.get(name) ?? empty);
  return ({ key, amounts }) => {
    const skuId = `${key.provider}/${key.model}/${meters[key.price.meter].slug}`;
    const source: Source = { key, amounts, biller, vendor: vendorOf(key.provider), skuId };
    return fill.map((cell) => cell(source));
  };
};
