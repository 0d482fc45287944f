import * as z from 'zod';
import { Interpretation, OutputState } from './attribution/attributionRecord.ts';
import { PathwayCategory } from './ingestion/invocationEvent.ts';
import { Total } from './rollup.ts';

/** Distinct persons a cohort needs to be shown: the contract's k. */
export const COHORT_MINIMUM = 5;

/** Dimensions of a report, in the order in which small groups keep them: the last is given up first. */
export const cohortFields = ['owner', 'service', 'provider', 'served_model', 'pathway_category'] as const;
export type CohortField = (typeof cohortFields)[number];

export const reportFields = [...cohortFields, 'day', 'hour'] as const;
export type ReportField = (typeof reportFields)[number];

export const reportIntervals = ['hour', 'day', 'month'] as const;
export type ReportInterval = (typeof reportIntervals)[number];

export const GROUP_BY_MAXIMUM = 4;
export const TOP_MAXIMUM = 100;
/** The longest range: as long as records are kept. */
export const REPORT_MONTHS_MAXIMUM = 25;
/** The longest range by the hour: hours are read a day at a time. */
export const HOURLY_DAYS_MAXIMUM = 31;
export const REPORT_DAYS_DEFAULT = 30;

/** What a row of calls that are not all in one state, or in states of too few persons, says instead. */
export const MIXED = 'mixed';

const Sum = Total.nullable();
const InvocationTotals = z.object({ invocations: z.int(), cost_usd: Total });
const unknownNote = 'Null where it is known of no call: unknown, not zero';

/** What every row of either report says of where it stands. */
const rowHeader = {
  kind: z.enum(['group', 'folded', 'other']).meta({
    description:
      'group: the group its members name. folded: groups of fewer than five persons, in their parent; the members they differ in are left out. other: the groups behind the largest `top`',
  }),
  interval_start: z.iso
    .datetime()
    .optional()
    .meta({ description: 'Where the interval begins; present with `interval`' }),
  owner: z.string().nullable().optional().meta({ description: 'Null: attributed to nobody' }),
  service: z.string().nullable().optional().meta({ description: 'Null: attributed to no service' }),
  provider: z.string().optional(),
  served_model: z.string().optional(),
  pathway_category: PathwayCategory.optional(),
  day: z.iso.date().optional().meta({ description: 'By UTC' }),
  hour: z.iso.datetime().optional().meta({ description: 'Where the hour begins, by UTC' }),
};

const suppressed = {
  suppressed_groups: z.int().meta({
    description:
      'Groups of `group_by` that are folded here, each counted on every day, or hour where hours are read, on which it is',
  }),
};

const usageSums = {
  invocations: z.int(),
  cost_usd: Sum.meta({ description: unknownNote }),
  cost_usd_low: Sum,
  cost_usd_high: Sum,
  energy_wh: Sum.meta({ description: unknownNote }),
  energy_wh_low: Sum,
  energy_wh_high: Sum,
  carbon_gco2e: Sum.meta({ description: unknownNote }),
  carbon_gco2e_low: Sum,
  carbon_gco2e_high: Sum,
  input_tokens: z.int(),
  cached_input_tokens: z.int(),
  cache_write_tokens: z.int(),
  output_tokens: z.int(),
  reasoning_tokens: z.int(),
  unpriced_invocations: z
    .int()
    .meta({ description: 'Calls whose cost is unknown; they are in no sum of cost' }),
  unknown_energy_invocations: z.int(),
  unknown_carbon_invocations: z.int(),
  output_states: z.partialRecord(z.enum([...OutputState.options, MIXED]), InvocationTotals).meta({
    description: `By output_state; ${MIXED}: cohorts of more than one state, where single states would name fewer than five persons`,
  }),
  confidence_bands: z
    .partialRecord(z.enum([...Interpretation.shape.confidence_band.options, MIXED]), InvocationTotals)
    .meta({ description: 'By confidence_band, in the same way' }),
  ...suppressed,
};

const adoptionSums = {
  persons: z.int().meta({
    description: `Distinct persons, rounded down to a multiple of ${COHORT_MINIMUM}, so that no two counts tell of fewer`,
  }),
  persons_exact: z.boolean().meta({
    description: 'Whether that was counted; beyond 127 persons it is estimated, with a standard error of 9 %',
  }),
  invocations: z.int(),
  ...suppressed,
};

export const UsageTotals = z.object(usageSums).meta({ id: 'UsageTotals' });
export type UsageTotals = z.infer<typeof UsageTotals>;
export const UsageRow = z.object({ ...rowHeader, ...usageSums }).meta({ id: 'UsageRow' });
export type UsageRow = z.infer<typeof UsageRow>;

export const AdoptionTotals = z.object(adoptionSums).meta({ id: 'AdoptionTotals' });
export type AdoptionTotals = z.infer<typeof AdoptionTotals>;
export const AdoptionRow = z
  .object(rowHeader)
  .omit({ day: true, hour: true })
  .extend(adoptionSums)
  .meta({ id: 'AdoptionRow' });
export type AdoptionRow = z.infer<typeof AdoptionRow>;

/** What a report covers. */
export const ReportPeriod = z
  .object({
    from: z.iso.datetime(),
    to: z.iso.datetime().meta({ description: 'Excluded' }),
    exact: z.boolean().meta({
      description:
        'False where the range ends within a month in which calls of too few persons were counted with another hour or day, so that some may have come in or fallen out, and where some cannot be shown in this residency lane',
    }),
  })
  .meta({ id: 'ReportPeriod' });
export type ReportPeriod = z.infer<typeof ReportPeriod>;
