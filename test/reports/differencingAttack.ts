import type { Cohort } from '../../functions/reports/cohorts.ts';
import { isHourly, type Range } from '../../functions/reports/range.ts';
import { readCohorts } from '../../functions/reports/readCohorts.ts';
import { reportOf } from '../../functions/reports/report.ts';
import { sumAdoption, sumUsage } from '../../functions/reports/reportTotals.ts';
import type { RollupReader } from '../../functions/rollups/rollup.store.ts';
import { monthOf } from '../../functions/shared/month.ts';
import type { ReportField, ReportInterval } from '../../schemas/reports.ts';
import { type Call, isBelowMinimum, personOf, TENANT } from './calls.ts';

export interface ReportQuestion {
  readonly range: Range;
  readonly group_by: readonly ReportField[];
  readonly interval?: ReportInterval | undefined;
  readonly top?: number | undefined;
  readonly lane: string | null;
}

/**
 * One request for what a tenant is shown: all sums of its answer, as sets of calls in bits, since call i was counted 2 to
 * the i times. Every endpoint that shows sums has one.
 */
export type Inquiry = (reader: RollupReader) => Promise<readonly number[]>;

const answersTo = (cohorts: readonly Cohort[], { range, lane, ...query }: ReportQuestion): number[] => {
  const usage = reportOf(cohorts, query, range, lane, sumUsage);
  const isTimed = query.group_by.some((field) => field === 'day' || field === 'hour');
  const adoption = isTimed
    ? undefined
    : reportOf(cohorts, { ...query, top: undefined }, range, lane, sumAdoption);
  const sums: readonly object[] = [usage, ...(adoption === undefined ? [] : [adoption])].flatMap(
    ({ rows, totals }): object[] => [...rows, totals],
  );
  return sums.flatMap(countsIn);
};

type Cohorts = Promise<{ readonly cohorts: readonly Cohort[] }>;
const readings = new WeakMap<RollupReader, Map<string, Cohorts>>();

/** The cohorts of a question; each range is read once. */
const cohortsFor = (reader: RollupReader, question: ReportQuestion): Cohorts => {
  const { from, to } = question.range;
  const hourly = isHourly(question);
  const key = `${from} ${to} ${hourly}`;
  const known = readings.get(reader) ?? new Map<string, Cohorts>();
  readings.set(reader, known);
  const found = known.get(key) ?? readCohorts(reader, TENANT, question.range, hourly);
  known.set(key, found);
  return found;
};

/** Asks both reports. */
export const askReports =
  (question: ReportQuestion): Inquiry =>
  async (reader) =>
    answersTo((await cohortsFor(reader, question)).cohorts, question);

/** Every count of calls in a row, those by state and band too. */
const countsIn = (sums: object): number[] =>
  Object.entries(sums).flatMap(([name, value]: [string, unknown]) =>
    name === 'invocations' && typeof value === 'number'
      ? [value]
      : typeof value === 'object' && value !== null
        ? countsIn(value)
        : [],
  );

/**
 * Asks everything and finds the finest sets of calls that the answers, together, could ever tell apart: two calls that
 * are in the same sums stay together in every linear combination of them.
 */
export const runDifferencingAttack = async (
  reader: RollupReader,
  inquiries: readonly Inquiry[],
): Promise<number[]> => {
  let [atoms, seen]: [number[], number] = [[], 0];
  for (const inquiry of inquiries) {
    for (const sum of new Set(await inquiry(reader))) {
      const parted = atoms.flatMap((atom) => [atom & sum, atom & ~sum]);
      atoms = [...parted, sum & ~seen].filter((atom) => atom !== 0);
      seen |= sum;
    }
  }
  return atoms;
};

const among = (calls: readonly Call[], atom: number): Call[] =>
  calls.filter((_, index) => (atom >> index) & 1);

/**
 * The sets of calls that give one to four persons away. A month of fewer than five is its tenant's own sum: there is
 * nobody to hide among.
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
