import type { FocusVersion, Importer } from '../../../schemas/focus.ts';
import { type CsvColumn, cellText, instantText } from '../files/csv.ts';
import type { Limits } from '../files/files.ts';
import type { Cell } from './cells.ts';
import { type Column, columnsOf } from './columns.ts';

/** A column of an importer and the column of FOCUS it is made from. */
export interface ImporterColumn extends Pick<CsvColumn, 'header' | 'format'> {
  readonly column: string;
}

export interface ImporterProfile {
  /** Whose columns they are made from: the version that has them all. */
  readonly version: FocusVersion;
  readonly columns: readonly ImporterColumn[];
  readonly limits: Limits;
}

const asIs = (...names: readonly string[]): ImporterColumn[] =>
  names.map((name) => ({ header: name, column: name }));

/** A whole file at once, unless the importer says otherwise. */
const MANY: Limits = { rows: 500_000 };

const dayOf = (milliseconds: number): string => instantText(milliseconds).slice(0, 10);

/** The day an instant lies in. */
const day = (cell: Cell): string => (typeof cell === 'number' ? dayOf(cell) : '');
/** The last day before an instant: the importer counts an end as included. */
const dayBefore = (cell: Cell): string => (typeof cell === 'number' ? dayOf(cell - 1) : '');

const LONGEST_TEXT = 1_000;

/** Text for a reader that takes no blank cell, and none longer than a thousand characters. */
const notBlank = (cell: Cell): string =>
  cell === null ? 'unattributed' : cellText(cell, 'String').slice(0, LONGEST_TEXT);

export const importerProfiles: Readonly<Record<Importer, ImporterProfile>> = {
  // Takes FOCUS columns, drops those of our own, and reads dimensions from Tags.
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
  // The required columns in the order it demands, behind them one for each tag. https://docs.datadoghq.com/cloud_cost_management/custom
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
    limits: MANY,
  },
  // Its Common Bill Format. https://docs.cloudzero.com/docs/anycost-common-bill-format-cbf
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
    limits: MANY,
  },
};

/** The columns of an importer, as rows are made for them and as its file spells them. */
export const importerColumns = (
  importer: Importer,
): { readonly columns: readonly Column[]; readonly csv: readonly CsvColumn[] } => {
  const { version, columns } = importerProfiles[importer];
  const byName = new Map(columnsOf(version).map((column) => [column.name, column]));
  const found = columns.flatMap(({ column: name, ...rest }) => {
    const column = byName.get(name);
    return column === undefined ? [] : [{ column, csv: { ...rest, type: column.type } }];
  });
  return { columns: found.map(({ column }) => column), csv: found.map(({ csv }) => csv) };
};
