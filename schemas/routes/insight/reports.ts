import * as z from 'zod';
import { PeriodStatuses } from '../../chargeback/periods.ts';
import { Warnings } from '../../fieldError.ts';
import { filterParameters, listOf } from '../../filters.ts';
import { PathwayCategory } from '../../ingest/invocationEvent.ts';
import { AdoptionRow, AdoptionTotals } from '../../insight/adoption.ts';
import { ForecastRow, ForecastTotals } from '../../insight/forecast.ts';
import {
  COHORT_MINIMUM,
  cohortFields,
  GROUP_BY_MAXIMUM,
  HOURLY_DAYS_MAXIMUM,
  IdleNodes,
  LOCAL_DAYS_MAXIMUM,
  PreviousPeriod,
  REPORT_MONTHS_MAXIMUM,
  ReportPeriod,
  reportFields,
  reportIntervals,
  TOP_MAXIMUM,
  topMeasures,
  UsageRow,
  UsageTotals,
} from '../../insight/reports.ts';
import { Cursor, PageLimit, pageOf } from '../../page.ts';
import { TAG_KEYS_MAXIMUM, TagField } from '../../tenants/costAllocationTags.ts';
import { AnsweredTimeZone } from '../../tenants/timeZone.ts';
import { distinct, label, matching, queryInteger } from '../../values.ts';
import { route } from '../route.ts';
import { BOTH_ENDS, comparedRange, hasBothEnds, reportRange } from './reportRange.ts';

export const groupByOf = <const Field extends string>(fields: readonly Field[]) =>
  listOf(
    distinct(z.array(z.union([z.enum(fields), TagField])).max(GROUP_BY_MAXIMUM), 'must name each field once'),
    z.string().max(256),
  ).meta({
    description:
      'Fields, and cost allocation tags of the tenant, such as tag:env. As text: comma-separated. Default: no grouping, one row for each interval',
    example: 'owner,service',
  });

const Tag = matching(label(64), /^[^:]+:./, 'must be a tag with key and value, such as env:prod');
const Label = label(256);
const ShortLabel = label(64);

/** Filters choose among the groups that a report shows anyway, so they disclose nothing more. */
export const reportFilters = {
  ...filterParameters({
    owner: { value: Label, operators: ['ne', 'in', 'exists'] },
    service: { value: Label, operators: ['ne', 'in', 'exists'] },
    provider: { value: ShortLabel, operators: ['ne', 'in'] },
    served_model: { value: Label, operators: ['ne', 'in'] },
    pathway_category: { value: PathwayCategory, operators: ['ne', 'in'] },
    region: { value: ShortLabel, operators: ['ne', 'in', 'exists'] },
  }),
  tags: listOf(z.array(Tag).max(TAG_KEYS_MAXIMUM), z.string().max(512)).optional().meta({
    description:
      'Tags which must all match. As text: comma-separated. Calls of days on which the key was no cost allocation tag are undetermined',
    example: 'env:prod',
  }),
};

export const reportQuery = {
  ...reportRange,
  interval: z
    .enum(reportIntervals)
    .optional()
    .meta({
      description: `One row for each UTC hour, or day or month in the time zone of the tenant, with calls. Default: one row for the range. By hour: at most ${HOURLY_DAYS_MAXIMUM} days. By day outside UTC: at most ${LOCAL_DAYS_MAXIMUM} days`,
    }),
  ...reportFilters,
  cursor: Cursor.optional(),
  limit: PageLimit.optional(),
};

const SUPPRESSION = `Suppression (k=${COHORT_MINIMUM}): calls of fewer than ${COHORT_MINIMUM} distinct persons are shown only together with other calls, in rows of kind folded. Such a row omits the owner first, then the service, provider, model and pathway. Suppression is decided once for each day. If fewer than ${COHORT_MINIMUM} persons of a residency lane called on a day, it is decided for several days together. It does not depend on the query, so no two responses differ by the calls of fewer than ${COHORT_MINIMUM} persons. A month with fewer than ${COHORT_MINIMUM} named persons is one sum. A person is the attributed_identity of a call or of its trace; spellings of one name are one person. A call that names nobody counts as one unknown person for each api_key_name, or else for each workload, unless an identity mapping declares it a service: one that reads the key or workload and sets a service but no owner. Other calls without a person are not suppressed. An owner that is the identity of a person is always folded. A credential bound to a residency lane sees only that lane, as far as the lane can be shown separately.`;

export const PAGES =
  'The report is computed for the first page. The other pages show the same result, for one hour.';

export const AS_USAGE = 'Filters and suppression: as in the usage report.';

const FILTERS =
  'Rows and totals include only calls that match all filters. `[ne]` also matches calls without a value. Calls of which suppression hides the filtered member are only counted in `undetermined_invocations`.';

const UsageQuery = z
  .strictObject({
    ...reportQuery,
    group_by: groupByOf(reportFields).optional(),
    top: queryInteger(1, TOP_MAXIMUM, 10).optional().meta({
      description:
        'Only the groups with the highest `top_by` in the range. All others are one row of kind other',
    }),
    top_by: z.enum(topMeasures).optional().meta({ description: 'What `top` ranks by. Default: cost_usd' }),
    compare: z.enum(['previous_period']).optional().meta({
      description:
        'Adds the sums of the period before: to the totals, and to rows without `interval`. Whole months or days are compared with as many, any other period with an equally long one. Of a period that has not ended, also one without `to` from the start of the current month, quarter, year or week, the same part is compared. Not by hour, nor with `day` in `group_by`',
    }),
    ...comparedRange,
  })
  .refine(hasBothEnds, BOTH_ENDS)
  .refine(({ top, top_by }) => top_by === undefined || top !== undefined, {
    message: 'needs `top`',
    path: ['top_by'],
  })
  .refine(
    ({ compare, previous_from, interval, group_by = [] }) =>
      (compare === undefined && previous_from === undefined) ||
      (interval !== 'hour' && !group_by.includes('day') && !group_by.includes('hour')),
    { message: 'is not possible for hourly reports, or with day or hour in `group_by`', path: ['compare'] },
  );
export type UsageQuery = z.infer<typeof UsageQuery>;

const AdoptionQuery = z.strictObject({ ...reportQuery, group_by: groupByOf(cohortFields).optional() });
export type AdoptionQuery = z.infer<typeof AdoptionQuery>;

const ForecastQuery = z.strictObject({
  period: z
    .enum(['month', 'quarter'])
    .optional()
    .meta({ description: 'The current month or quarter in the time zone of the tenant. Default: month' }),
  ...reportFilters,
  group_by: groupByOf(cohortFields).optional(),
  cursor: Cursor.optional(),
  limit: PageLimit.optional(),
});
export type ForecastQuery = z.infer<typeof ForecastQuery>;

export const reportMembers = {
  period: ReportPeriod,
  time_zone: AnsweredTimeZone,
  undetermined_invocations: z.int().meta({
    id: 'UndeterminedInvocations',
    description:
      'Number of calls of the range that match or do not match the filters: suppression hides a member that a filter tests. Neither rows nor totals include them. 0 without filters',
  }),
  warnings: Warnings,
  as_of: z.iso.datetime().meta({
    id: 'ReportAsOf',
    description:
      'When the newest total of this report was computed. If a change of the records is not in the totals yet, the time of that change: totals are complete up to then. If nothing is known about pending changes, the last time that is known, or the start of the range',
  }),
  stale: z.boolean().meta({
    id: 'ReportStale',
    description:
      'Whether calls that were accepted, or records that were changed, more than 90 seconds ago may be missing from this report, in any period. Read it again later',
  }),
};

/** Of reports by time. */
export const REPORT_LIMITS = {
  period_months: REPORT_MONTHS_MAXIMUM,
  hourly_days: HOURLY_DAYS_MAXIMUM,
  daily_days: LOCAL_DAYS_MAXIMUM,
} as const;

export const getUsageReport = route({
  method: 'GET',
  path: '/v1/reports/usage',
  operation: 'getUsageReport',
  limits: REPORT_LIMITS,
  authority: {
    effect: 'none',
    reveals: [],
    withholds: ['read:attribution'],
    internal: ['admin:config'],
    lanes: 'own',
  },
  unit: 'reports',
  summary: 'Report cost, energy, carbon and tokens by group and time',
  description: `Rows sum exactly to \`totals\`, and totals of adjacent ranges to those of the whole range. ${PAGES}\n\n${FILTERS}\n\n${SUPPRESSION}`,
  access: 'read:reporting',
  discloses: 'cohorts',
  rate: 'read',
  needs: [
    'rollups.read',
    'periods.read',
    'closings.read',
    'nodeHours.read',
    'progress.read',
    'cursor.derive',
    'results.page',
  ],
  query: UsageQuery,
  replies: {
    200: {
      description: 'A page of rows in order of time and names, with the totals of the whole range',
      body: pageOf(UsageRow, 'UsageReport')
        .extend({
          totals: UsageTotals,
          billing_periods: PeriodStatuses,
          idle_nodes: IdleNodes.optional(),
          previous: PreviousPeriod.optional().meta({
            description: 'Present with `compare` or `previous_from`',
          }),
          ...reportMembers,
        })
        .meta({ id: 'UsageReport' }),
    },
  },
});

export const getAdoptionReport = route({
  method: 'GET',
  path: '/v1/reports/adoption',
  operation: 'getAdoptionReport',
  limits: REPORT_LIMITS,
  authority: { effect: 'none', reveals: [], internal: ['admin:config'], lanes: 'own' },
  unit: 'reports',
  summary: 'Report the number of persons who use inference, by group and time',
  description: `A person can be counted in several rows, so the counts of rows must not be summed. ${PAGES}\n\n${AS_USAGE}`,
  access: 'read:reporting',
  discloses: 'cohorts',
  rate: 'read',
  needs: ['rollups.read', 'progress.read', 'cursor.derive', 'results.page'],
  query: AdoptionQuery,
  replies: {
    200: {
      description: 'A page of rows in order of time and names, with the totals of the whole range',
      body: pageOf(AdoptionRow, 'AdoptionReport')
        .extend({ totals: AdoptionTotals, ...reportMembers })
        .meta({ id: 'AdoptionReport' }),
    },
  },
});

export const getForecastReport = route({
  method: 'GET',
  path: '/v1/reports/forecast',
  operation: 'getForecastReport',
  authority: { effect: 'none', reveals: [], internal: ['admin:config'], lanes: 'own' },
  unit: 'reports',
  summary: 'Forecast the cost of the current month or quarter, by group',
  description: `The amounts spent so far sum exactly to \`totals\`. The forecast of the totals is made from all calls, so it is not the sum of those of the rows. ${PAGES}\n\n${AS_USAGE}`,
  access: 'read:reporting',
  discloses: 'cohorts',
  rate: 'read',
  needs: ['rollups.read', 'progress.read', 'cursor.derive', 'results.page'],
  query: ForecastQuery,
  replies: {
    200: {
      description: 'A page of rows in order of names, with the totals of all calls',
      body: pageOf(ForecastRow, 'ForecastReport')
        .extend({ totals: ForecastTotals, ...reportMembers })
        .meta({ id: 'ForecastReport' }),
    },
  },
});
