import type { FocusVersion } from '../../../../schemas/chargeback/focus.ts';

/** Column types as FOCUS metadata names them. */
export type ColumnType = 'String' | 'Decimal' | 'Date/Time' | 'JSON';

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  /** Feature level in the specification. `custom` columns are our own (prefix `x_`). */
  readonly level: 'mandatory' | 'conditional' | 'recommended' | 'custom';
  readonly nullable: boolean;
  /** Allowed values; absent: any. */
  readonly values?: readonly string[];
  /** The FOCUS versions that have the column; absent: all versions. */
  readonly only?: readonly FocusVersion[];
}

type ColumnOptions = Partial<Omit<Column, 'name' | 'type' | 'level'>>;

const column =
  (level: Column['level'], nullable: boolean) =>
  (name: string, type: ColumnType = 'String', options: ColumnOptions = {}): Column => ({
    name,
    type,
    level,
    nullable,
    ...options,
  });

const required = column('mandatory', false);
const mandatory = column('mandatory', true);
const conditional = column('conditional', true);
const recommended = column('recommended', true);
const custom = column('custom', true);

/** Order of the specification and of every file: by UTF-16 code units, independent of the locale. */
const byName = (one: Column, other: Column): number => (one.name < other.name ? -1 : 1);

const UNTIL_1_3: readonly FocusVersion[] = ['1.2', '1.3'];
const SINCE_1_3: readonly FocusVersion[] = ['1.3', '1.4', '1.5-draft'];
const SINCE_1_4: readonly FocusVersion[] = ['1.4', '1.5-draft'];

/**
 * Columns of the Cost and Usage dataset: 57 of FOCUS 1.2, 65 each of 1.3 and 1.4, 66 of the draft of 1.5, from the text of the specification
 * (FinOps Open Cost and Usage Specification, CC BY 4.0).
 */
const focusColumns: readonly Column[] = [
  recommended('AllocatedMethodDetails', 'JSON', { only: SINCE_1_3 }),
  conditional('AllocatedMethodId', 'String', { only: SINCE_1_3 }),
  conditional('AllocatedResourceId', 'String', { only: SINCE_1_3 }),
  conditional('AllocatedResourceName', 'String', { only: SINCE_1_3 }),
  conditional('AllocatedServiceName', 'String', { only: ['1.5-draft'] }),
  conditional('AllocatedTags', 'JSON', { only: SINCE_1_3 }),
  recommended('AvailabilityZone'),
  required('BilledCost', 'Decimal'),
  required('BillingAccountId'),
  mandatory('BillingAccountName'),
  conditional('BillingAccountType', 'String', { nullable: false }),
  required('BillingCurrency', 'String', { values: ['USD'] }),
  required('BillingPeriodEnd', 'Date/Time'),
  required('BillingPeriodStart', 'Date/Time'),
  conditional('CapacityReservationId'),
  conditional('CapacityReservationStatus', 'String', { values: ['Used', 'Unused'] }),
  required('ChargeCategory', 'String', { values: ['Usage', 'Purchase', 'Tax', 'Credit', 'Adjustment'] }),
  mandatory('ChargeClass', 'String', { values: ['Correction'] }),
  mandatory('ChargeDescription'),
  recommended('ChargeFrequency', 'String', {
    nullable: false,
    values: ['One-Time', 'Recurring', 'Usage-Based'],
  }),
  required('ChargePeriodEnd', 'Date/Time'),
  required('ChargePeriodStart', 'Date/Time'),
  conditional('CommitmentDiscountCategory', 'String', { values: ['Spend', 'Usage'] }),
  conditional('CommitmentDiscountId'),
  conditional('CommitmentDiscountName'),
  conditional('CommitmentDiscountQuantity', 'Decimal'),
  conditional('CommitmentDiscountStatus', 'String', { values: ['Used', 'Unused'] }),
  conditional('CommitmentDiscountType'),
  conditional('CommitmentDiscountUnit'),
  conditional('CommitmentProgramEligibilityDetails', 'JSON', { only: SINCE_1_4 }),
  conditional('ConsumedQuantity', 'Decimal'),
  conditional('ConsumedUnit'),
  conditional('ContractApplied', 'JSON', { only: SINCE_1_3 }),
  required('ContractedCost', 'Decimal'),
  conditional('ContractedUnitPrice', 'Decimal'),
  required('EffectiveCost', 'Decimal'),
  required('HostProviderName', 'String', { only: SINCE_1_3 }),
  conditional('InvoiceDetailId', 'String', { only: SINCE_1_4 }),
  conditional('InvoiceId'),
  required('InvoiceIssuerName'),
  required('ListCost', 'Decimal'),
  conditional('ListUnitPrice', 'Decimal'),
  conditional('PricingCategory', 'String', { values: ['Standard', 'Dynamic', 'Committed', 'Other'] }),
  conditional('PricingCurrency', 'String', { nullable: false, values: ['USD'] }),
  conditional('PricingCurrencyContractedUnitPrice', 'Decimal'),
  conditional('PricingCurrencyEffectiveCost', 'Decimal', { nullable: false }),
  conditional('PricingCurrencyListUnitPrice', 'Decimal'),
  mandatory('PricingQuantity', 'Decimal'),
  mandatory('PricingUnit'),
  required('ProviderName', 'String', { only: UNTIL_1_3 }),
  required('PublisherName', 'String', { only: UNTIL_1_3 }),
  conditional('RegionId'),
  conditional('RegionName'),
  conditional('ResourceId'),
  conditional('ResourceName'),
  conditional('ResourceType'),
  required('ServiceCategory', 'String', { values: ['AI and Machine Learning'] }),
  required('ServiceName'),
  required('ServiceProviderName', 'String', { only: SINCE_1_3 }),
  recommended('ServiceSubcategory', 'String', { nullable: false, values: ['Generative AI'] }),
  conditional('SkuId'),
  conditional('SkuMeter'),
  conditional('SkuPriceDetails', 'JSON'),
  conditional('SkuPriceId'),
  conditional('SubAccountId'),
  conditional('SubAccountName'),
  conditional('SubAccountType'),
  conditional('Tags', 'JSON'),
];

/** Custom columns. The specification requires documentation of each: see docs/focus-columns.md. */
const customColumns: readonly Column[] = [
  custom('x_CarbonEmissionsGrams', 'Decimal'),
  custom('x_CarbonMethodName'),
  custom('x_ConfidenceLevel', 'Decimal', { nullable: false }),
  custom('x_ConsumingServiceName'),
  custom('x_CostBasis', 'String', { nullable: false, values: ['estimated', 'reconciled'] }),
  custom('x_EnergyMethodName'),
  custom('x_EnergyWattHours', 'Decimal'),
  custom('x_InvocationId'),
  custom('x_ListPriceState', 'String', { values: ['published'] }),
  custom('x_OwnerState', 'String', { values: ['confirmed', 'unassigned', 'hidden'] }),
  custom('x_PathwayCategory'),
  custom('x_PriceListVersion', 'String', { nullable: false }),
  custom('x_RecordId'),
  custom('x_RequestedModelId'),
  custom('x_RollupLevelName', 'String', { values: ['Group', 'Service', 'Provider', 'Tenant'] }),
  custom('x_ServedModelId', 'String', { nullable: false }),
  custom('x_ServiceState', 'String', { values: ['confirmed', 'unassigned', 'hidden'] }),
];

/** All columns of a version, in file order: FOCUS columns by name, then custom columns by name. */
export const columnsOf = (version: FocusVersion): readonly Column[] =>
  [focusColumns, customColumns].flatMap((columns) =>
    columns.filter(({ only }) => only?.includes(version) ?? true).toSorted(byName),
  );

/** The requested columns that a version does not have, in the order of the request. */
export const unknownColumns = (version: FocusVersion, requested: readonly string[]): readonly string[] => {
  const known = new Set(columnsOf(version).map(({ name }) => name));
  return requested.filter((name) => !known.has(name));
};

/** The columns of a file, in file order: the requested ones, or all. Throws a RangeError on an unknown column. */
export const selectColumns = (version: FocusVersion, requested?: readonly string[]): readonly Column[] => {
  if (requested === undefined) return columnsOf(version);
  const [unknown] = unknownColumns(version, requested);
  if (unknown !== undefined) throw new RangeError(`FOCUS ${version} has no column ${unknown}`);
  const requestedNames = new Set(requested);
  return columnsOf(version).filter(({ name }) => requestedNames.has(name));
};
