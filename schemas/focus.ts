import * as z from 'zod';
import { COHORT_MINIMUM, GROUP_BY_MAXIMUM } from './reports.ts';
import { Total } from './rollup.ts';
import { Timestamp } from './values.ts';

/** Versions of the FinOps Open Cost and Usage Specification that a file can follow; the newest is the default. */
export const focusVersions = ['1.3', '1.4'] as const;
export type FocusVersion = (typeof focusVersions)[number];

/** What one row covers: a single call, or all alike of an hour, day or month of UTC. */
export const granularities = ['record', 'hour', 'day', 'month'] as const;
export type Granularity = (typeof granularities)[number];

/**
 * Whose bill a file is. `chargeback` is an internal bill of its own; `showback` lies beside the vendors' files and adds
 * nothing to their sums.
 */
export const costModes = ['chargeback', 'showback'] as const;
export type CostMode = (typeof costModes)[number];

export const fileFormats = ['csv', 'csv.gz', 'parquet'] as const;
export type FileFormat = (typeof fileFormats)[number];

/** What rows can be told apart by, beside what their price tells apart. */
export const exportFields = [
  'owner',
  'service',
  'provider',
  'served_model',
  'pathway_category',
  'region',
] as const;
export type ExportField = (typeof exportFields)[number];

/** Importers that take other columns than FOCUS has. */
export const importers = ['vantage', 'datadog', 'cloudzero'] as const;
export type Importer = (typeof importers)[number];

/** The longest period of one export. */
export const EXPORT_MONTHS_MAXIMUM = 13;

const hasNoRepeats = <Item>(items: readonly Item[]): boolean => new Set(items).size === items.length;

/** A day of UTC, or an instant. */
const Bound = z.union([z.iso.date(), Timestamp]);

const Fields = z.object({
  format: z.literal('focus').default('focus'),
  period: z
    .strictObject({
      from: Bound.meta({ description: 'ISO date (UTC) or instant', example: '2026-10-01' }),
      to: Bound.meta({ description: 'Likewise, excluded', example: '2026-11-01' }),
    })
    .refine(({ from, to }) => Date.parse(from) < Date.parse(to), {
      path: ['to'],
      error: 'must be later than from',
    }),
  group_by: z
    .array(z.enum(exportFields))
    .refine(hasNoRepeats, 'must name each field once')
    .default(['service', 'owner'])
    .meta({
      description: `What rows are told apart by, at most ${GROUP_BY_MAXIMUM}. Provider and model are always told: the price is theirs. Groups of fewer than ${COHORT_MINIMUM} distinct persons come in their parent`,
    }),
  granularity: z.enum(granularities).default('day').meta({ description: 'What one row covers, by UTC' }),
  file_format: z.enum(fileFormats).default('csv.gz'),
  focus_version: z.enum(focusVersions).default('1.4'),
  cost_mode: z.enum(costModes).default('chargeback').meta({
    description:
      'chargeback: an internal bill of its own, never to be summed with files of the vendors. showback: nothing is billed, the cost stands in ListCost and ContractedCost, and the vendors can lie beside it',
  }),
  columns: z
    .array(z.string().max(64))
    .min(1)
    .max(100)
    .refine(hasNoRepeats, 'must name each column once')
    .optional()
    .meta({
      description: 'The columns to deliver, in the order of the file whatever the order here; default all',
    }),
  importer: z.enum(importers).optional().meta({
    description: 'Columns as this product takes them, instead of all of FOCUS. CSV of a chargeback only',
  }),
});

/** Importers take what they take: a chargeback as text, with columns of their own. */
const fitsImporter = (
  { importer, columns, cost_mode, file_format, focus_version }: Omit<z.infer<typeof Fields>, 'period'>,
  issues: z.RefinementCtx,
): void => {
  if (importer === undefined) return;
  const refuse = (path: string, message: string) =>
    issues.addIssue({ code: 'custom', path: [path], message });
  if (columns !== undefined) refuse('columns', 'must not be given with importer');
  if (focus_version !== '1.4') refuse('focus_version', 'must be 1.4 for an importer');
  if (cost_mode !== 'chargeback') refuse('cost_mode', 'must be chargeback: importers read billed costs');
  if (file_format === 'parquet') refuse('file_format', 'must be csv or csv.gz for an importer');
};

/** What somebody asks to be exported. Whether it is too much, and whether the columns exist, is asked apart. */
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

/** The same for whatever period it is made for. */
export const ExportTerms = z.strictObject(Fields.omit({ period: true }).shape).superRefine(fitsImporter);
export type ExportTerms = z.infer<typeof ExportTerms>;

/** Why a record is in no row. */
export const exclusionReasons = ['residency_excluded', 'below_floor', 'unpriced', 'structural'] as const;
export type ExclusionReason = (typeof exclusionReasons)[number];

/** What some records sum to; what is not known is in no sum. */
export const ExportSums = z.object({
  records: z.int(),
  cost_usd: Total,
  energy_wh: Total,
  carbon_gco2e: Total,
});
export type ExportSums = z.infer<typeof ExportSums>;

export const ExportFile = z.object({
  key: z.string(),
  billing_period: z.string().meta({ description: 'Month of UTC', example: '2026-10' }),
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

/** What lies beside the files and says what they hold. It is written last: where it is, everything is. */
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
    granularity: z.enum(granularities),
    group_by: z.array(z.enum(exportFields)),
    residency: z.string().nullable().meta({ description: 'The lane it was made in; null: all lanes' }),
    cost_mode: z.enum(costModes),
    file_format: z.enum(fileFormats),
    delivery: z.literal('Overwrite').meta({
      description: 'Complete for its period and tenant: it takes the place of earlier exports of the same',
    }),
    correction_style: z.literal('Replacement').meta({
      description: 'What was corrected stands as it is now; there are no rows that correct others',
    }),
    double_counting_note: z.string(),
    as_of: z.iso.datetime().meta({ description: 'Instant of the ledger that all files show' }),
    data_available_through: z.iso.datetime().meta({ description: 'Behind this nothing could be there yet' }),
    created_at: z.iso.datetime(),
    finished_at: z.iso.datetime(),
    columns: z.array(z.string()),
    row_count: z.int(),
    files: z.array(ExportFile),
    totals: z.object({
      costs: z.array(Money),
      consumed: z.array(z.object({ unit: z.string(), quantity: Total })),
      ...ExportSums.omit({ cost_usd: true }).shape,
    }),
    excluded: z.array(ExportSums.extend({ reason: z.enum(exclusionReasons) })),
    ledger: ExportSums.meta({
      description: 'What the totals and what was excluded sum to, to the last digit',
    }),
    cohorts: z.object({
      minimum: z.literal(COHORT_MINIMUM),
      folded_groups: z
        .int()
        .meta({ description: 'Groups that come in their parent; of each month by itself' }),
      folded_cost_usd: Total.meta({ description: 'Their cost: a part of the totals' }),
    }),
  })
  .meta({ id: 'ExportManifest' });
export type ExportManifest = z.infer<typeof ExportManifest>;
