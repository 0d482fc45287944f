import { endsIn, rangeBefore } from '../../../functions/insight/reports/range.ts';
import { reportOf } from '../../../functions/insight/reports/report.ts';
import { sumAdoption, sumUsage } from '../../../functions/insight/reports/reportTotals.ts';
import type { Cohort } from '../../../functions/ledger/cohorts/cohorts.ts';
import { readCohorts } from '../../../functions/ledger/cohorts/readCohorts.ts';
import type { RollupReader } from '../../../functions/ledger/rollups/rollup.store.ts';
import { calendarIn } from '../../../functions/platform/shared/time/calendar.ts';
import type { Interval } from '../../../functions/platform/shared/time/interval.ts';
import { monthOf } from '../../../functions/platform/shared/time/month.ts';
import type { ReportField, ReportInterval } from '../../../schemas/insight/reports.ts';
import { type Call, isBelowMinimum, personOf, TENANT } from './calls.ts';

export interface ReportQuestion {
  readonly range: Interval;
  readonly group_by: readonly ReportField[];
  readonly interval?: ReportInterval | undefined;
  readonly top?: number | undefined;
  /** Asks for the period before as well. */
  readonly compare?: 'previous_period';
  readonly lane: string | null;
  /** Parameters that filter, such as `owner[in]`. */
  readonly filters?: Readonly<Record<string, string | readonly string[]>>;
}

/**
 * One query. Returns all sums of the response as bit sets of calls: call i is counted 2^i times, so each sum identifies its
 * calls. Every endpoint that shows sums has an inquiry.
 */
export type Inquiry = (reader: RollupReader) => Promise<readonly number[]>;

const UTC_CALENDAR = calendarIn('UTC');

const answersTo = (
  cohorts: readonly Cohort[],
  previous: readonly Cohort[] | undefined,
  { range, lane, filters, ...rest }: ReportQuestion,
): number[] => {
  const query = { ...rest, ...filters };
  const before = previous && {
    range: rangeBefore({ to: '' }, range, UTC_CALENDAR, range.to),
    cohorts: previous,
    ahead: [],
  };
  const usage = reportOf(cohorts, query, range, lane, sumUsage, UTC_CALENDAR, before);
  const isTimed = query.group_by.some((field) => field === 'day' || field === 'hour');
  const adoption = isTimed
    ? undefined
    : reportOf(cohorts, { ...query, top: undefined }, range, lane, sumAdoption, UTC_CALENDAR);
  const { undetermined_invocations: undetermined = 0, totals: earlier = {} } = usage.previous ?? {};
  const sums: readonly object[] = [usage, ...(adoption === undefined ? [] : [adoption])].flatMap(
    ({ rows, totals, undetermined_invocations: invocations }): object[] => [...rows, totals, { invocations }],
  );
  return [...sums, earlier, { invocations: undetermined }].flatMap(countsIn);
};

type Cohorts = Promise<{ readonly cohorts: readonly Cohort[] }>;
const readings = new WeakMap<RollupReader, Map<string, Cohorts>>();

/** The cohorts of a query. Each range is read once. */
const cohortsFor = (reader: RollupReader, question: ReportQuestion, range = question.range): Cohorts => {
  const { from, to } = range;
  const ends = endsIn(question, range, UTC_CALENDAR);
  const key = `${from} ${to} ${ends.join()}`;
  const known = readings.get(reader) ?? new Map<string, Cohorts>();
  readings.set(reader, known);
  const cohorts = known.get(key) ?? readCohorts(reader, TENANT, range, ends);
  known.set(key, cohorts);
  return cohorts;
};

/** Queries both reports. */
export const askReports =
  (question: ReportQuestion): Inquiry =>
  async (reader) =>
    answersTo(
      (await cohortsFor(reader, question)).cohorts,
      question.compare &&
        (
          await cohortsFor(
            reader,
            question,
            rangeBefore({ to: '' }, question.range, UTC_CALENDAR, question.range.to),
          )
        ).cohorts,
      question,
    );

/** All call counts of a row, including counts by state and band. */
const countsIn = (sums: object): number[] =>
  Object.entries(sums).flatMap(([name, value]: [string, unknown]) =>
    name === 'invocations' && typeof value === 'number'
      ? [value]
      : typeof value === 'object' && value !== null
        ? countsIn(value)
        : [],
  );

/**
 * Runs all inquiries and returns the finest sets of calls that their responses can separate. Two calls that are in the same
 * sums have the same weight in every linear combination of them.
 */
export const runDifferencingAttack = async (
  reader: RollupReader,
  inquiries: readonly Inquiry[],
): Promise<number[]> => {
  let [atoms, covered]: [number[], number] = [[], 0];
  for (const inquiry of inquiries) {
    for (const sum of new Set(await inquiry(reader))) {
      const split = atoms.flatMap((atom) => [atom & sum, atom & ~sum]);
      atoms = [...split, sum & ~covered].filter((atom) => atom !== 0);
      covered |= sum;
    }
  }
  return atoms;
};

const among = (calls: readonly Call[], atom: number): Call[] =>
  calls.filter((_, index) => (atom >> index) & 1);

/**
 * The sets of calls that reveal one to four persons. A month with fewer than five persons is allowed as a whole, because it
 * is the tenant's own sum and no larger group exists.
 */
export const breaches = (calls: readonly Call[], atoms: readonly number[]): Call[][] => {
  const byMonth = Map.groupBy(calls, ({ at }) => monthOf(at));
  const knownIn = new Map(
    [...byMonth].map(([month, inside]) => [month, new Set(inside.map(({ person }) => person))]),
  );
  const namedIn = (some: readonly Call[]): number =>
    new Set(some.flatMap((call) => personOf(call, knownIn.get(monthOf(call.at)) ?? new Set()) ?? [])).size;
  const isWhole = (some: readonly Call[]): boolean =>
    [...Map.groupBy(some, ({ at }) => monthOf(at))].every(([month, inside]) => {
      const all = byMonth.get(month) ?? [];
      return isBelowMinimum(namedIn(all)) && inside.length === all.length;
    });
  return atoms
    .map((atom) => among(calls, atom))
    .filter((some) => isBelowMinimum(namedIn(some)) && !isWhole(some));
};
