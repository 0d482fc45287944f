import * as z from 'zod';
import { Cursor, PageLimit, pageOf } from '../page.ts';
import {
  AdoptionRow,
  AdoptionTotals,
  COHORT_MINIMUM,
  cohortFields,
  GROUP_BY_MAXIMUM,
  HOURLY_DAYS_MAXIMUM,
  REPORT_DAYS_DEFAULT,
  REPORT_MONTHS_MAXIMUM,
  ReportPeriod,
  reportFields,
  reportIntervals,
  TOP_MAXIMUM,
  UsageRow,
  UsageTotals,
} from '../reports.ts';
import { route } from './route.ts';

const instant = z.string().max(40);

const groupByOf = <const Field extends string>(fields: readonly Field[]) =>
  z
    .string()
    .max(256)
    .transform((text) => text.split(','))
    .pipe(
      z
        .array(z.enum(fields))
        .max(GROUP_BY_MAXIMUM)
        .refine((named) => new Set(named).size === named.length, 'must name each field once'),
    )
    .meta({
      description: `Comma list of at most ${GROUP_BY_MAXIMUM} of ${fields.join(', ')}; absent: one row for each interval`,
      example: 'owner,service',
    });

const common = {
  from: instant.optional().meta({
    description: `ISO date or instant on a whole minute, by UTC unless it says otherwise; default ${REPORT_DAYS_DEFAULT} whole days before today`,
    example: '2026-03-01',
  }),
  to: instant.optional().meta({
    description: `Likewise, excluded; default now. At most ${REPORT_MONTHS_MAXIMUM} months after from. Both ends are moved on to the next whole hour, as \`period\` shows`,
    example: '2026-04-01',
  }),
  interval: z
    .enum(reportIntervals)
    .optional()
    .meta({
      description: `A row for each interval of UTC in which anything happened; absent: one for the whole range. By the hour at most ${HOURLY_DAYS_MAXIMUM} days`,
    }),
  cursor: Cursor.optional(),
  limit: PageLimit.optional(),
};

const SUPPRESSION = `Suppression (k=${COHORT_MINIMUM}): calls of fewer than ${COHORT_MINIMUM} distinct persons (attributed_identity) are shown only together with others, in rows of kind folded: groups without their owner, then without their service, provider, model and pathway. What is folded is decided once for each day or, where fewer than ${COHORT_MINIMUM} persons of a residency lane called that day, for the days until ${COHORT_MINIMUM} have; never by the query, so no two answers differ by the calls of fewer. A month in which fewer than ${COHORT_MINIMUM} persons were named at all is one sum. Calls that name nobody are shown as they are. An owner that is a person’s own identity is always folded. A credential bound to a residency lane sees that lane, as far as it can be shown by itself.`;

const UsageQuery = z.strictObject({
  ...common,
  group_by: groupByOf(reportFields).optional(),
  top: z
    .string()
    .regex(/^[1-9]\d{0,2}$/)
    .transform(Number)
    .refine((top) => top <= TOP_MAXIMUM, `must be at most ${TOP_MAXIMUM}`)
    .optional()
    .meta({
      description: `Only so many groups, 1 to ${TOP_MAXIMUM}: those that cost most in the whole range. The rest is a row of kind other`,
      example: '10',
    }),
});
export type UsageQuery = z.infer<typeof UsageQuery>;

const AdoptionQuery = z.strictObject({ ...common, group_by: groupByOf(cohortFields).optional() });
export type AdoptionQuery = z.infer<typeof AdoptionQuery>;

const around = {
  period: ReportPeriod,
  as_of: z.iso.datetime().meta({
    description:
      'When the newest of the sums behind this was made. A call is in the sums within about a minute',
  }),
};

export const getUsageReport = route({
  method: 'GET',
  path: '/v1/reports/usage',
  operation: 'getUsageReport',
  unit: 'reports',
  summary: 'Sum cost, energy, carbon and tokens by group and time',
  description: `Rows add up to \`totals\` exactly, whatever they are grouped by, and so do neighbouring ranges. ${SUPPRESSION}`,
  access: 'read:reporting',
  rate: 'read',
  needs: ['rollups.read', 'cursor.derive'],
  query: UsageQuery,
  replies: {
    200: {
      description: 'A page of rows in order of time and names, with the totals of the whole range',
      body: pageOf(UsageRow, 'UsageReport')
        .extend({ totals: UsageTotals, ...around })
        .meta({ id: 'UsageReport' }),
    },
  },
});

export const getAdoptionReport = route({
  method: 'GET',
  path: '/v1/reports/adoption',
  operation: 'getAdoptionReport',
  unit: 'reports',
  summary: 'Count the persons who use inference, by group and time',
  description: `Persons of several rows may be the same, so counts of rows do not add up. ${SUPPRESSION}`,
  access: 'read:reporting',
  rate: 'read',
  needs: ['rollups.read', 'cursor.derive'],
  query: AdoptionQuery,
  replies: {
    200: {
      description: 'A page of rows in order of time and names, with the totals of the whole range',
      body: pageOf(AdoptionRow, 'AdoptionReport')
        .extend({ totals: AdoptionTotals, ...around })
        .meta({ id: 'AdoptionReport' }),
    },
  },
});
