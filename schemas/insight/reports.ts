import * as z from 'zod';
import { AnswerState, Interpretation, OutputState } from '../attribution/attributionRecord.ts';
import { PathwayCategory } from '../ingest/invocationEvent.ts';
import { Total } from '../ledger/rollup.ts';
import { RECORD_RETENTION_MONTHS } from '../platform/retention.ts';
import { SEVERAL, type TagField } from '../tenants/costAllocationTags.ts';
import { DecimalString } from '../values.ts';

/** Distinct persons that a cohort must have to be shown (k of k-anonymity). */
export const COHORT_MINIMUM = 5;

/** Dimensions of a report, and of the rows of an export besides the fields that determine the price. */
export const cohortFields = [
  'owner',
  'service',
  'provider',
  'served_model',
  'pathway_category',
  'region',
] as const;
export type CohortField = (typeof cohortFields)[number];

export const reportFields = [...cohortFields, 'day', 'hour'] as const;
export type ReportField = (typeof reportFields)[number] | TagField;

export const reportIntervals = ['hour', 'day', 'month'] as const;
export type ReportInterval = (typeof reportIntervals)[number];

export const GROUP_BY_MAXIMUM = 4;
export const TOP_MAXIMUM = 100;

/** Sums by which `top` can rank groups. */
export const topMeasures = [
  'cost_usd',
  'energy_wh',
  'carbon_gco2e',
  'invocations',
  'unpriced_invocations',
] as const;
export type TopMeasure = (typeof topMeasures)[number];

/** Longest range of a report. */
export const REPORT_MONTHS_MAXIMUM = RECORD_RETENTION_MONTHS;
/** Longest range of an hourly report, in days. Hourly rollups are read one day at a time. */
export const HOURLY_DAYS_MAXIMUM = 31;
/** Longest range of a report by day in a time zone other than UTC, in days. Each is read by the hour. */
export const LOCAL_DAYS_MAXIMUM = 93;
export const REPORT_DAYS_DEFAULT = 30;

/** Label for cohorts whose calls have more than one state, or states of too few persons. */
export const MIXED = 'mixed';

/** What nobody used of own nodes. */
export const IdleNodes = z.object({ cost_usd: DecimalString, energy_wh: DecimalString.nullable() }).meta({
  id: 'IdleNodes',
  description: `Unused time of own nodes, in no row or total. Only with read:attribution, for all lanes, without filters and for at most ${HOURLY_DAYS_MAXIMUM} days. energy_wh is null if the power of a pool is unknown`,
});
export type IdleNodes = z.infer<typeof IdleNodes>;

export const Sum = Total.nullable().meta({ id: 'SumOrNull' });
/** Number of records, the sum of their known costs, and the number of records with unknown cost. */
const InvocationTotals = z
  .object({
    invocations: z.int(),
    cost_usd: Total,
    unpriced_invocations: z.int().meta({ description: 'Calls whose cost is unknown' }),
  })
  .meta({ id: 'InvocationTotals' });
export type InvocationTotals = z.infer<typeof InvocationTotals>;

export const unknownNote = 'Null, not zero, if it is unknown for all calls';
const KnownSum = Sum.meta({ id: 'KnownSum', description: unknownNote });

const named = z.string().nullable();

/** Members that identify a row, common to all reports. */
export const rowHeader = {
  kind: z.enum(['group', 'folded', 'other']).meta({
    id: 'RowKind',
    description:
      'group: one group, identified by the members of the row. folded: groups of fewer than five persons, merged into their parent group. Members in which they differ are omitted. other: all groups except the largest `top`',
  }),
  interval_start: z.iso
    .datetime()
    .meta({
      id: 'IntervalStart',
      description: 'Start of the interval, a day or month of `time_zone`. Present if `interval` is given',
    })
    .optional(),
  owner: named.meta({ id: 'RowOwner', description: 'Null: not attributed to an owner' }).optional(),
  service: named.meta({ id: 'RowService', description: 'Null: not attributed to a service' }).optional(),
  provider: z.string().optional(),
  served_model: z.string().optional(),
  pathway_category: PathwayCategory.optional(),
  region: named
    .meta({ id: 'RowRegion', description: 'Cloud region that served the calls. Null: not reported' })
    .optional(),
  tags: z
    .record(z.string(), z.string().nullable())
    .meta({
      id: 'RowTags',
      description: `Values of the tags in \`group_by\`, by key. Null: the calls have no such tag. ${SEVERAL}: several tags of the key. A key is absent if suppression hides its value, or if it was not a cost allocation tag on the day of the calls`,
      example: { env: 'prod' },
    })
    .optional(),
  day: z.iso.date().optional().meta({ description: 'Day in `time_zone`' }),
  hour: z.iso.datetime().optional().meta({ description: 'Start of the UTC hour' }),
};

export const suppressed = {
  suppressed_groups: z.int().meta({
    id: 'SuppressedGroups',
    description:
      'Number of groups of `group_by` that are folded into this row. A group counts once for each day on which it occurs, or for each hour if the report is hourly',
  }),
};

const JointEnds = { low: Sum, high: Sum };
export const JointSpread = z.object(JointEnds).meta({ id: 'JointSpread' });
export type JointSpread = z.infer<typeof JointSpread>;
export const JointRange = z
  .object({
    ...JointEnds,
    mean: Sum.meta({
      description:
        'Expected value. The centre is the sum of the medians of the records, so the mean exceeds it',
    }),
  })
  .meta({ id: 'JointRange' });
export type JointRange = z.infer<typeof JointRange>;

/** The ranges of a sum, where errors of different models partly cancel out. */
export const JointRanges = z
  .object({
    cost_usd: JointSpread,
    energy_wh: JointRange,
    carbon_gco2e: JointRange,
  })
  .meta({
    id: 'JointRanges',
    description:
      'Ranges of the sum as a whole. Errors are shared by the calls of a model and independent between models, so these ranges are narrower than `_low` and `_high`, which add up the ends of all records. Energy and carbon: 90 % range of a log-normal total. Cost: ends of known prices, combined as the root of the sum of squares. Ranges of rows do not add up to those of totals',
  });
export type JointRanges = z.infer<typeof JointRanges>;

export const AnswerStates = z.partialRecord(z.enum([...AnswerState.options, MIXED]), InvocationTotals).meta({
  id: 'AnswerStates',
  description:
    'By the state of the owner or the service, with the rule of output_states. `confirmed` can be charged to it',
});

const usageSums = {
  invocations: z.int(),
  cost_usd: KnownSum,
  cost_usd_low: Sum,
  cost_usd_high: Sum,
  energy_wh: KnownSum,
  energy_wh_low: Sum,
  energy_wh_high: Sum,
  carbon_gco2e: KnownSum,
  carbon_gco2e_low: Sum,
  carbon_gco2e_high: Sum,
  joint_ranges: JointRanges,
  input_tokens: z.int(),
  cached_input_tokens: z.int(),
  cache_write_tokens: z.int(),
  output_tokens: z.int(),
  reasoning_tokens: z.int(),
  unpriced_invocations: z
    .int()
    .meta({ description: 'Calls whose cost is unknown. No cost sum includes them' }),
  unknown_energy_invocations: z.int(),
  unknown_carbon_invocations: z.int(),
  output_states: z.partialRecord(z.enum([...OutputState.options, MIXED]), InvocationTotals).meta({
    description: `By output_state. ${MIXED}: cohorts with more than one state. Their states are not shown, because one state could have fewer than five persons`,
    id: 'OutputStateTotals',
  }),
  confidence_bands: z
    .partialRecord(z.enum([...Interpretation.shape.confidence_band.options, MIXED]), InvocationTotals)
    .meta({
      id: 'ConfidenceBandTotals',
      description: 'By confidence_band, with the same rule as output_states',
    }),
  owner_states: AnswerStates,
  service_states: AnswerStates,
  ...suppressed,
};

export const UsageTotals = z.object(usageSums).meta({ id: 'UsageTotals' });
export type UsageTotals = z.infer<typeof UsageTotals>;

/** The sums of the period before that a report can show beside its own. */
export const PreviousTotals = UsageTotals.pick({
  invocations: true,
  cost_usd: true,
  energy_wh: true,
  carbon_gco2e: true,
  unpriced_invocations: true,
  unknown_energy_invocations: true,
  unknown_carbon_invocations: true,
}).meta({ id: 'PreviousTotals' });
export type PreviousTotals = z.infer<typeof PreviousTotals>;

export const UsageRow = z
  .object({
    ...rowHeader,
    ...usageSums,
    previous: PreviousTotals.optional().meta({
      description:
        'The sums of the same groups in the period before. Present with `compare`, if `interval` is not given. A group that has calls only in the period before has a row with sums of zero',
    }),
  })
  .meta({ id: 'UsageRow' });
export type UsageRow = z.infer<typeof UsageRow>;

/** The period that a report covers. */
export const ReportPeriod = z
  .object({
    from: z.iso.datetime(),
    to: z.iso.datetime().meta({ description: 'Exclusive' }),
    exact: z.boolean().meta({
      description:
        'True if the report includes exactly the calls of the range. False if the range ends within a month in which suppression moved calls to another day, hour or part of an hour, so that calls may be added or missing. Also false if some calls cannot be shown in this residency lane',
    }),
  })
  .meta({ id: 'ReportPeriod' });
export type ReportPeriod = z.infer<typeof ReportPeriod>;

/** The period before that of a report, as far as the report has elapsed. */
export const PreviousPeriod = z
  .object({
    period: ReportPeriod,
    totals: PreviousTotals,
    undetermined_invocations: z.int(),
    days_with_calls: z.int().meta({
      description: 'Number of days of the period before with calls, whatever the filters',
    }),
    complete: z.boolean().meta({
      description:
        'Whether the tenant already sent calls in the 31 days before that period. If not, it began within the period or later, and the two periods cannot be compared',
    }),
  })
  .meta({ id: 'PreviousPeriod' });
export type PreviousPeriod = z.infer<typeof PreviousPeriod>;
