import { expect, it } from 'vitest';
import { columnsOf } from '../../../../functions/chargeback/exports/focus/columns.ts';
import { focusVersions } from '../../../../schemas/chargeback/focus.ts';

/**
 * The columns of Cost and Usage as the specification tables them (FinOps Open Cost and Usage Specification, CC BY 4.0), typed
 * from two states of its repository: the ratified 1.2 of 29 May 2025, and the table of 1.4 in the work on 1.5. Each line has
 * name, whether nulls are allowed, type, and the versions, if these are not all.
 */
const PUBLISHED = `
AllocatedMethodDetails null JSON 1.3+
AllocatedMethodId null String 1.3+
AllocatedResourceId null String 1.3+
AllocatedResourceName null String 1.3+
AllocatedTags null JSON 1.3+
AvailabilityZone null String
BilledCost value Decimal
BillingAccountId value String
BillingAccountName null String
BillingAccountType value String
BillingCurrency value String
BillingPeriodEnd value Date/Time
BillingPeriodStart value Date/Time
CapacityReservationId null String
CapacityReservationStatus null String
ChargeCategory value String
ChargeClass null String
ChargeDescription null String
ChargeFrequency value String
ChargePeriodEnd value Date/Time
ChargePeriodStart value Date/Time
CommitmentDiscountCategory null String
CommitmentDiscountId null String
CommitmentDiscountName null String
CommitmentDiscountQuantity null Decimal
CommitmentDiscountStatus null String
CommitmentDiscountType null String
CommitmentDiscountUnit null String
CommitmentProgramEligibilityDetails null JSON 1.4+
ConsumedQuantity null Decimal
ConsumedUnit null String
ContractApplied null JSON 1.3+
ContractedCost value Decimal
ContractedUnitPrice null Decimal
EffectiveCost value Decimal
HostProviderName value String 1.3+
InvoiceDetailId null String 1.4+
InvoiceId null String
InvoiceIssuerName value String
ListCost value Decimal
ListUnitPrice null Decimal
PricingCategory null String
PricingCurrency value String
PricingCurrencyContractedUnitPrice null Decimal
PricingCurrencyEffectiveCost value Decimal
PricingCurrencyListUnitPrice null Decimal
PricingQuantity null Decimal
PricingUnit null String
ProviderName value String -1.3
PublisherName value String -1.3
RegionId null String
RegionName null String
ResourceId null String
ResourceName null String
ResourceType null String
ServiceCategory value String
ServiceName value String
ServiceProviderName value String 1.3+
ServiceSubcategory value String
SkuId null String
SkuMeter null String
SkuPriceDetails null JSON
SkuPriceId null String
SubAccountId null String
SubAccountName null String
SubAccountType null String
Tags null JSON
`;

/** The draft of 1.5 still changes. What it adds for split costs is always empty here. */
const DRAFT = ['AllocatedServiceName null String'];

const isIn = (version: string, versions: string | undefined): boolean => {
  if (versions === undefined) return true;
  return versions.startsWith('-') ? version <= versions.slice(1) : version >= versions.slice(0, -1);
};

it.each(focusVersions)('has the columns of FOCUS %s, with their types and no more nulls', (version) => {
  const published = [...PUBLISHED.trim().split('\n'), ...(version === '1.5-draft' ? DRAFT : [])].flatMap(
    (line) => {
      const [name, nulls, type, versions] = line.split(' ');
      return isIn(version, versions) ? [`${name} ${nulls} ${type}`] : [];
    },
  );

  const written = columnsOf(version)
    .filter(({ level }) => level !== 'custom')
    .map(({ name, nullable, type }) => `${name} ${nullable ? 'null' : 'value'} ${type}`);

  expect(written).toEqual(published.sort());
});
