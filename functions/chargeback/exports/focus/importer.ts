import type { FocusVersion, Importer } from '../../../../schemas/chargeback/focus.ts';
import type { CsvColumn } from '../files/csv.ts';
import type { Limits } from '../files/fileRanges.ts';
import { literal, type Sql } from '../lines/sql.ts';
import { type Column, columnsOf } from './columns.ts';
import { tagMember } from './shownDimensions.ts';

/** A column of an importer's format and the FOCUS column that supplies its value. */
export interface ImporterColumn extends Pick<CsvColumn, 'header' | 'format'> {
  readonly column: string;
}

export interface ImporterProfile {
  /** A FOCUS version that has all source columns. */
  readonly version: FocusVersion;
  readonly columns: readonly ImporterColumn[];
  /** The column of a cost allocation tag. Absent: the product reads `Tags`. */
  readonly tag?: (member: string) => Omit<ImporterColumn, 'column'>;
  readonly limits: Limits;
}

const asIs = (...names: readonly string[]): ImporterColumn[] =>
  names.map((name) => ({ header: name, column: name }));

/** Used when the importer documents no limit of its own. */
const DEFAULT_LIMITS: Limits = { rows: 500_000 };

/** The UTC day of an instant. */
const day = (cell: Sql): Sql => `left(instant_text(${cell}), 10)`;
/** The last day of a period with an excluded end. The importer expects an included end. */
const dayBefore = (cell: Sql): Sql => day(`(${cell} - 1)`);

const MAX_TEXT_LENGTH = 1_000;

/** Text for an importer that rejects blank cells and cells longer than 1,000 characters. */
const notBlank = (cell: Sql): Sql => `left(coalesce(${cell}, 'unattributed'), ${MAX_TEXT_LENGTH})`;

/** The value of a member of `Tags`. */
const tagValue =
  (member: string) =>
  (cell: Sql): Sql =>
    `json_extract_string(${cell}, ${literal(`$."${member}"`)})`;

export const importerProfiles: Readonly<Record<Importer, ImporterProfile>> = {
  // Accepts FOCUS columns, drops custom columns, and reads dimensions from Tags.
  vantage: {
    version: '1.4',
    columns: asIs(
      'BilledCost',
      'BillingAccountId',
      'BillingAccountName',
      'BillingCurrency',
      'BillingPeriodEnd',
      'BillingPeriodStart',
      'ChargeCategory',
      'ChargeDescription',
      'ChargeFrequency',
      'ChargePeriodEnd',
      'ChargePeriodStart',
      'ConsumedQuantity',
      'ConsumedUnit',
      'ContractedCost',
      'EffectiveCost',
      'ListCost',
      'RegionId',
      'ServiceCategory',
      'ServiceName',
      'SkuId',
      'SubAccountId',
      'SubAccountName',
      'Tags',
    ),
    limits: { rows: 10_000, bytes: 2_000_000 },
  },
  // Required columns in the documented order, then one column for each tag.
  // https://docs.datadoghq.com/cloud_cost_management/custom
  datadog: {
    version: '1.3',
    columns: [
      ...asIs('ProviderName', 'ChargeDescription'),
      { header: 'ChargePeriodStart', column: 'ChargePeriodStart', format: day },
      { header: 'ChargePeriodEnd', column: 'ChargePeriodEnd', format: dayBefore },
      ...asIs('BilledCost', 'BillingCurrency'),
      { header: 'owner', column: 'SubAccountId', format: notBlank },
      { header: 'service', column: 'x_ConsumingServiceName', format: notBlank },
      { header: 'model', column: 'x_ServedModelId', format: notBlank },
      { header: 'meter', column: 'SkuMeter', format: notBlank },
    ],
    tag: (member) => ({ header: member, format: (cell) => notBlank(tagValue(member)(cell)) }),
    limits: DEFAULT_LIMITS,
  },
  // Common Bill Format. https://docs.cloudzero.com/docs/anycost-common-bill-format-cbf
  cloudzero: {
    version: '1.4',
    columns: [
      { header: 'lineitem/type', column: 'ChargeCategory' },
      { header: 'lineitem/description', column: 'ChargeDescription' },
      { header: 'time/usage_start', column: 'ChargePeriodStart' },
      { header: 'time/usage_end', column: 'ChargePeriodEnd' },
      { header: 'resource/service', column: 'ServiceName' },
      { header: 'resource/id', column: 'SkuId' },
      { header: 'resource/account', column: 'BillingAccountId' },
      { header: 'resource/region', column: 'RegionId' },
      { header: 'usage/amount', column: 'ConsumedQuantity' },
      { header: 'usage/units', column: 'ConsumedUnit' },
      { header: 'cost/cost', column: 'BilledCost' },
      { header: 'resource/tag:owner', column: 'SubAccountId' },
      { header: 'resource/tag:service', column: 'x_ConsumingServiceName' },
      { header: 'resource/tag:model', column: 'x_ServedModelId' },
      { header: 'resource/tag:meter', column: 'SkuMeter' },
    ],
    tag: (member) => ({ header: `resource/tag:${member}`, format: tagValue(member) }),
    limits: DEFAULT_LIMITS,
  },
};

/** The columns of a product, with one for each tag that rows are grouped by. No two columns have one header. */
const allColumns = ({ columns, tag }: ImporterProfile, tags: readonly string[]): ImporterColumn[] => {
  const taken = new Set(columns.map(({ header }) => header));
  const tagColumns = tags.flatMap((key) => {
    const own = tag?.(tagMember(key));
    if (own === undefined) return [];
    return [{ ...own, column: 'Tags', header: taken.has(own.header) ? `tag:${own.header}` : own.header }];
  });
  return [...columns, ...tagColumns];
};

/** The FOCUS columns that supply an importer's values, with what its file makes of them, in the order of its columns. */
export const importerColumns = (
  importer: Importer,
  tags: readonly string[],
): readonly (Pick<CsvColumn, 'header' | 'format'> & { readonly column: Column })[] => {
  const profile = importerProfiles[importer];
  const byName = new Map(columnsOf(profile.version).map((column) => [column.name, column]));
  return allColumns(profile, tags).flatMap(({ column: name, ...rest }) => {
    const column = byName.get(name);
    return column === undefined ? [] : [{ ...rest, column }];
  });
};
