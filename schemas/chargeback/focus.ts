import * as z from 'zod';
import { COHORT_MINIMUM, cohortFields, GROUP_BY_MAXIMUM } from '../insight/reports.ts';
import { TAG_KEYS_MAXIMUM, TagKey } from '../tenants/costAllocationTags.ts';
import { DayOrInstant, distinct } from '../values.ts';
import { DeliveryTarget } from './deliveryTarget.ts';

/** Supported versions of the FinOps Open Cost and Usage Specification (FOCUS). The newest ratified one is the default. */
export const focusVersions = ['1.2', '1.3', '1.4', '1.5-draft'] as const;
export type FocusVersion = (typeof focusVersions)[number];

/** What one row covers: a single call, or all calls of one group in a UTC hour, day or month. */
export const granularities = ['record', 'hour', 'day', 'month'] as const;
export type Granularity = (typeof granularities)[number];

/**
 * `chargeback` is a complete internal bill. `showback` has a billed cost of zero, so that it adds nothing when it is summed
 * with the files of the vendors.
 */
export const costModes = ['chargeback', 'showback'] as const;
export type CostMode = (typeof costModes)[number];

export const fileFormats = ['csv', 'csv.gz', 'parquet'] as const;
export type FileFormat = (typeof fileFormats)[number];

/** Who reads a CSV file. A spreadsheet would execute text that looks like a formula. */
const CsvConsumer = z.enum(['spreadsheet', 'program']);
export type CsvConsumer = z.infer<typeof CsvConsumer>;

/** Products whose importers expect columns that differ from FOCUS. */
export const importers = ['vantage', 'datadog', 'cloudzero'] as const;
export type Importer = (typeof importers)[number];

/** Longest period of one export, in months. */
export const EXPORT_MONTHS_MAXIMUM = 13;

/** Columns of FOCUS are in Pascal case, and custom ones begin with `x_`. */
const ColumnName = z
  .string()
  .regex(/^(?:x_)?[A-Z][A-Za-z0-9]{1,61}$/, 'must be the name of a FOCUS column, such as BilledCost');

const Fields = z.object({
  format: z.literal('focus').default('focus'),
  period: z
    .strictObject({
      from: DayOrInstant.meta({
        description: 'ISO date (UTC) or instant, inclusive. On a whole minute without read:attribution',
        example: '2026-10-01',
      }),
      to: DayOrInstant.meta({
        description: 'ISO date (UTC) or instant, exclusive. On a whole minute without read:attribution',
        example: '2026-11-01',
      }),
    })
    .refine(({ from, to }) => Date.parse(from) < Date.parse(to), {
      path: ['to'],
      error: 'must be later than from',
    }),
  group_by: distinct(z.array(z.enum(cohortFields)), 'must name each field once')
    .default(['service', 'owner'])
    .meta({
      id: 'ExportGrouping',
      description: `Fields to group rows by, at most ${GROUP_BY_MAXIMUM}. Rows also name provider and model, which determine the price, as far as the usage report of the same period shows them. Groups of fewer than ${COHORT_MINIMUM} distinct persons are merged into their parent group`,
    }),
  tags: distinct(z.array(TagKey).max(TAG_KEYS_MAXIMUM), 'must name each key once').optional().meta({
    id: 'ExportTags',
    description: 'Cost allocation tags (env) to group by too',
  }),
  granularity: z.enum(granularities).default('day').meta({
    id: 'Granularity',
    description: 'Time that one row covers, in UTC. record: one row or more for each call',
  }),
  file_format: z.enum(fileFormats).default('csv.gz'),
  focus_version: z.enum(focusVersions).default('1.4'),
  cost_mode: z.enum(costModes).default('chargeback').meta({
    id: 'CostMode',
    description:
      'chargeback: a complete internal bill, not to be summed with files of vendors. showback: BilledCost and EffectiveCost are zero and the cost is in ListCost and ContractedCost, so it can be loaded beside them',
  }),
  columns: distinct(z.array(ColumnName).min(1).max(100), 'must name each column once').optional().meta({
    id: 'ExportColumns',
    description: 'Columns to deliver. The file has its own column order. Default: all columns',
  }),
  // An apostrophe protects what a spreadsheet would run as a formula. Importers are programs.
  consumer: CsvConsumer.optional().meta({ description: 'Reader of CSV. program: original text' }),
  importer: z.enum(importers).optional().meta({
    id: 'Importer',
    description: 'Delivers the columns that this product imports. Only for chargeback, FOCUS 1.4 and CSV',
  }),
  delivery: DeliveryTarget.optional(),
});

/** Importers accept a FOCUS 1.4 chargeback as CSV, with fixed columns. */
const fitsImporter = (
  {
    importer,
    consumer,
    columns,
    cost_mode,
    file_format,
    focus_version,
  }: Omit<z.infer<typeof Fields>, 'period'>,
  issues: z.RefinementCtx,
): void => {
  if (importer === undefined) return;
  const addIssue = (path: string, message: string) =>
    issues.addIssue({ code: 'custom', path: [path], message });
  if (columns !== undefined) addIssue('columns', 'must not be given with importer');
  if (consumer === 'spreadsheet') addIssue('consumer', 'must be program for an importer, or omitted');
  if (focus_version !== '1.4') addIssue('focus_version', 'must be 1.4 for an importer');
  if (cost_mode !== 'chargeback') addIssue('cost_mode', 'must be chargeback: importers read billed costs');
  if (file_format === 'parquet') addIssue('file_format', 'must be csv or csv.gz for an importer');
};

/** Request for an export. Limits of the period and fields, and the column names, are checked separately. */
export const ExportRequest = z
  .strictObject(Fields.shape)
  .superRefine(fitsImporter)
  .meta({
    id: 'ExportRequest',
    example: {
      format: 'focus',
      period: { from: '2026-10-01', to: '2026-11-01' },
      group_by: ['service', 'owner'],
    },
  });
export type ExportRequest = z.infer<typeof ExportRequest>;

/** An export request without a period, as a schedule stores it. */
export const ExportTerms = z
  .strictObject(Fields.omit({ period: true }).shape)
  .superRefine(fitsImporter)
  .meta({ id: 'ExportTerms' });
export type ExportTerms = z.infer<typeof ExportTerms>;

/** Why a record was excluded from all rows. */
export const exclusionReasons = [
  'residency_excluded',
  'below_floor',
  'mixed_confidence',
  'unpriced',
  'structural',
] as const;
export type ExclusionReason = (typeof exclusionReasons)[number];

/** The payer of calls whose owner is not confirmed, in a file with rows by owner. */
export const UNASSIGNED_ACCOUNT = '(unassigned)';
