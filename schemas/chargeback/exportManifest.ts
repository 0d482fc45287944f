import * as z from 'zod';
import { COHORT_MINIMUM, cohortFields, JointRanges } from '../insight/reports.ts';
import { Difference, Total } from '../ledger/rollup.ts';
import { ExportSums } from './exportSums.ts';
import {
  costModes,
  exclusionReasons,
  fileFormats,
  focusVersions,
  granularities,
  importers,
  UNASSIGNED_ACCOUNT,
} from './focus.ts';
import { PeriodStatuses } from './periods.ts';

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
  billed_cost: Difference,
  effective_cost: Difference,
  list_cost: Difference,
  contracted_cost: Difference,
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
    tags: z.array(z.string()),
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
      description:
        'Corrected records of an open period have their current values. What changes in a closed one is in rows with the ChargeClass Correction of the first open period, and its own files stay as they are',
    }),
    billing_periods: PeriodStatuses.optional(),
    corrections: z
      .array(
        z.object({
          period: z.string().meta({ description: 'The closed UTC month', example: '2026-10' }),
          ledger: ExportSums.meta({ description: 'What its records changed by since it was booked before' }),
          idle_nodes: ExportSums.optional(),
          excluded: z.array(ExportSums.extend({ reason: z.enum(exclusionReasons) })),
        }),
      )
      .optional()
      .meta({
        description:
          'Closed periods that this export corrects. Their rows are part of the totals: with all exclusions they sum exactly to the ledger and these changes. The joint ranges are those of the other rows',
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
      consumed: z.array(z.object({ unit: z.string(), quantity: Difference })),
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
        cost_usd: Difference.nullable().meta({ description: 'Null if unpriced: the cost is unknown, not 0' }),
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
