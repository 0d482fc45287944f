import * as z from 'zod';
import { COHORT_MINIMUM, cohortFields, GROUP_BY_MAXIMUM, JointRanges } from '../insight/reports.ts';
import { Total } from '../ledger/rollup.ts';
import { DayOrInstant, distinct } from '../values.ts';

/** Supported versions of the FinOps Open Cost and Usage Specification (FOCUS). The newest is the default. */
export const focusVersions = ['1.3', '1.4'] as const;
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
      description: `Fields to group rows by, at most ${GROUP_BY_MAXIMUM}. Rows also name provider and model, because these determine the price, as far as the usage report of the same period shows them. Groups of fewer than ${COHORT_MINIMUM} distinct persons are merged into their parent group`,
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
      'chargeback: a complete internal bill. Do not sum it with the files of the vendors. showback: BilledCost and EffectiveCost are zero and the cost is in ListCost and ContractedCost, so it can be loaded together with the files of the vendors',
  }),
  columns: distinct(z.array(ColumnName).min(1).max(100), 'must name each column once').optional().meta({
    id: 'ExportColumns',
    description: 'Columns to deliver. The file has its own column order. Default: all columns',
  }),
  // An apostrophe protects what a spreadsheet would run as a formula. Importers are programs.
  consumer: CsvConsumer.optional().meta({ description: 'Reader of CSV. program: original text' }),
  importer: z.enum(importers).optional().meta({
    id: 'Importer',
    description:
      'Delivers the columns that this product imports instead of all FOCUS columns. Only for chargeback, FOCUS 1.4 and CSV',
  }),
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
export const ExportTerms = z.strictObject(Fields.omit({ period: true }).shape).superRefine(fitsImporter);
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

/** Sums of a set of records. Unknown quantities are not included. */
export const ExportSums = z.object({
  records: z.int(),
  cost_usd: Total,
  energy_wh: Total,
  carbon_gco2e: Total,
});
export type ExportSums = z.infer<typeof ExportSums>;

export const ExportFile = z.object({
  key: z.string(),
  billing_period: z.string().meta({ description: 'UTC month', example: '2026-10' }),
  rows: z.int(),
  bytes: z.int(),
  sha256: z.string(),
});
export type ExportFile = z.infer<typeof ExportFile>;

const Money = z.object({
  currency: z.literal('USD'),
  billed_cost: Total,
  effective_cost: Total,
  list_cost: Total,
  contracted_cost: Total,
});

/** Describes the files of an export. It is written last: if it exists, all files exist. */
export const ExportManifest = z
  .object({
    export_id: z.string(),
    tenant_id: z.string(),
    generator: z.object({ name: z.string(), version: z.string() }),
    focus_version: z.enum(focusVersions),
    importer: z.enum(importers).nullable(),
    dataset_instance_id: z.string(),
    schema_id: z.string(),
    period: z.object({ from: z.iso.datetime(), to: z.iso.datetime() }),
    basis: z.enum(['records', 'cohorts']).meta({
      description: 'Whether rows are made from records or from cohorts',
    }),
    granularity: z.enum(granularities),
    group_by: z.array(z.enum(cohortFields)),
    residency: z
      .string()
      .nullable()
      .meta({ description: 'The residency lane of the exported records. Null: all lanes' }),
    cost_mode: z.enum(costModes),
    file_format: z.enum(fileFormats),
    delivery: z.literal('Overwrite').meta({
      description:
        'The export is complete for its period and tenant. It replaces earlier exports of the same period and tenant',
    }),
    correction_style: z.literal('Replacement').meta({
      description: 'Corrected records have their current values. There are no correction rows',
    }),
    double_counting_note: z.string(),
    as_of: z.iso.datetime().meta({
      description:
        'All files show the ledger as of this instant. In an export of cohorts, the time up to which the totals were complete, if that is earlier. The start of the period if that time is not known',
    }),
    stale: z.boolean().meta({
      description:
        'Whether calls that were accepted, or in an export of cohorts records that were changed, more than 90 seconds before the export began may be missing. Repeat the export later',
    }),
    data_available_through: z.iso.datetime().meta({
      description: 'The end of the period or as_of, whichever is earlier. There can be no data after it',
    }),
    created_at: z.iso.datetime(),
    finished_at: z.iso.datetime(),
    columns: z.array(z.string()),
    row_count: z.int(),
    files: z.array(ExportFile),
    totals: z.object({
      costs: z.array(Money),
      consumed: z.array(z.object({ unit: z.string(), quantity: Total })),
      ...ExportSums.omit({ cost_usd: true }).shape,
      joint_ranges: JointRanges,
    }),
    unassigned: z.object({ owner: ExportSums.nullable(), service: ExportSums.nullable() }).meta({
      description: `Exported calls without a confirmed owner, in rows with the SubAccountId ${UNASSIGNED_ACCOUNT}, and those without a confirmed service. The totals include them. Calls whose owner or service is hidden are not among them. Null if rows are not grouped by it`,
    }),
    idle_nodes: ExportSums.optional().meta({
      description:
        'What own nodes cost while nobody used them, in rows of nobody with the ServiceName Own nodes. Part of the totals, and of no record. Absent if there is none, and in exports of cohorts or of one lane',
    }),
    excluded: z.array(
      ExportSums.extend({
        cost_usd: Total.nullable().meta({ description: 'Null if unpriced: the cost is unknown, not 0' }),
        reason: z.enum(exclusionReasons).meta({
          description:
            'mixed_confidence: cohorts with records above and below the confidence floor, in an export of cohorts. To separate them would show sums of fewer than five persons',
        }),
      }),
    ),
    ledger: ExportSums.meta({
      description: 'Exact sum of the totals and the excluded records',
    }),
    cohorts: z.object({
      minimum: z.literal(COHORT_MINIMUM),
      folded_groups: z.int().meta({
        description: 'Groups that are merged into their parent group, counted for each month separately',
      }),
      folded_cost_usd: Total.meta({ description: 'Cost of these groups. The totals include it' }),
    }),
  })
  .meta({ id: 'ExportManifest' });
export type ExportManifest = z.infer<typeof ExportManifest>;
