import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Cohort, cohortsOf } from '../../../functions/ledger/cohorts/cohorts.ts';
import { PersonIndex } from '../../../functions/ledger/cohorts/persons.ts';
import { readCohorts } from '../../../functions/ledger/cohorts/readCohorts.ts';
import { hoursIn, startOf } from '../../../functions/ledger/rollups/grain.ts';
import type { RollupReader } from '../../../functions/ledger/rollups/rollup.store.ts';
import { monthOf } from '../../../functions/platform/shared/time/month.ts';
import { COHORT_MINIMUM } from '../../../schemas/insight/reports.ts';
import {
  type Call,
  hashOf,
  isBelowMinimum,
  rollupReaderOf,
  smallTenant,
  TENANT,
} from '../../insight/reports/calls.ts';
import { runs } from '../../support/properties.ts';
import { realisticLogs } from './realisticLogs.ts';

// The rules of the partition itself, without the reports that add its cohorts. The attacks on those are slower tests.

const MONTHS = { from: Date.parse('2026-03-01'), to: Date.parse('2026-05-01') };
/** Readings of the months: by the day, by the hour, and with ends on other minutes. */
const READINGS = [
  { ...MONTHS, hourly: true },
  { from: Date.parse('2026-03-01T09:20:00Z'), to: Date.parse('2026-04-01T10:25:00Z'), hourly: false },
];
const read = async (reader: RollupReader, { from, to, hourly } = { ...MONTHS, hourly: false }) =>
  (await readCohorts(reader, TENANT, { from, to }, hourly ? hoursIn({ from, to }) : [])).cohorts;

/** The calls of a cohort. Each is counted with a bit of its own. */
const callsOf = ({ parts }: Cohort): number =>
  parts.reduce((bits, { figures }) => bits | figures.invocations, 0);
const personsOf = ({ parts }: Cohort): Set<string> => new Set(parts.flatMap(({ persons }) => persons));
const isPersonal = ({ parts }: Cohort): boolean => parts.some(({ cell }) => cell.isPersonal);
const inMonths = (cohorts: readonly Cohort[]) => [...Map.groupBy(cohorts, ({ at }) => monthOf(at)).values()];

const expectPartition = (cohorts: readonly Cohort[], calls: number): void => {
  expect(cohorts.reduce((all, cohort) => all | callsOf(cohort), 0)).toBe(calls);
  expect(
    cohorts.reduce(
      (sum, cohort) => sum + cohort.parts.reduce((count, { figures }) => count + figures.invocations, 0),
      0,
    ),
  ).toBe(calls);
  for (const month of inMonths(cohorts)) {
    for (const cohort of month) {
      const { size } = personsOf(cohort);
      if (isBelowMinimum(size)) expect(month).toHaveLength(1);
      // Calls that can be those of persons are never shown beside the others as if they were nobody's.
      if (isPersonal(cohort) && month.length > 1 && month.some((one) => personsOf(one).size > 0))
        expect(size).toBeGreaterThanOrEqual(COHORT_MINIMUM);
      for (const { cell, at, length } of cohort.parts) {
        if (cohort.lane !== undefined) expect(cell.lane).toBe(cohort.lane);
        expect(cell.labels).toMatchObject(cohort.labels);
        expect(monthOf(at)).toBe(monthOf(cohort.at));
        expect(length).toBeGreaterThan(0);
      }
    }
  }
};

describe('cohorts', () => {
  it('partition the calls of a month into groups of nobody, of five, or of the whole month', async () => {
    await fc.assert(
      fc.asyncProperty(smallTenant(20), async (calls) => {
        const reader = rollupReaderOf(calls);
        const persons = new Set(calls.flatMap(({ person }) => person ?? []));

        for (const reading of [undefined, ...READINGS]) {
          const cohorts = await read(reader, reading);
          expectPartition(cohorts, 2 ** calls.length - 1);
          for (const { labels, parts } of cohorts) {
            if (!parts.some(({ cell }) => cell.isPersonal)) continue;
            for (const label of Object.values(labels)) expect(persons.has(label ?? '')).toBe(false);
          }
        }
      }),
      { numRuns: runs(40), seed: 20_261_126 },
    );
  });

  it('are split, and never mixed, when a month is read by shorter intervals', async () => {
    const key = ({ at, lane, labels }: Cohort) =>
      JSON.stringify([startOf('day', at), lane ?? 'merged', labels]);
    const sums = (cohorts: readonly Cohort[]) =>
      [...Map.groupBy(cohorts, key)]
        .map(([name, inside]) => [name, inside.reduce((bits, one) => bits | callsOf(one), 0)])
        .toSorted();

    await fc.assert(
      fc.asyncProperty(smallTenant(20), async (calls) => {
        const reader = rollupReaderOf(calls);
        const byDay = sums(await read(reader));

        for (const reading of READINGS) expect(sums(await read(reader, reading))).toEqual(byDay);
      }),
      { numRuns: runs(40), seed: 20_261_127 },
    );
  });

  it('of realistic logs of one to four persons are one sum a month', async () => {
    await fc.assert(
      fc.asyncProperty(realisticLogs(COHORT_MINIMUM - 1), async ({ reader, calls }) => {
        for (const month of inMonths(await read(reader, READINGS[0]))) {
          const inside = calls.filter(({ at }) => monthOf(at) === monthOf(month[0]?.at ?? 0));
          if (inside.some(({ person }) => person !== undefined)) expect(month).toHaveLength(1);
        }
      }),
      { numRuns: runs(40), seed: 20_261_128 },
    );
  });

  it('show a group of five in its own hour, quarter and minute, and count moved calls at the start of theirs', () => {
    const at = Date.parse('2026-03-02T10:16:00Z');
    const calls = (minute: number, count: number): Call[] =>
      Array.from({ length: count }, (_, index) => ({
        at: at + minute * 60_000,
        person: `p${minute}-${index}`,
        owner: 'ads',
      }));

    const shown = async (all: readonly Call[]) =>
      (await read(rollupReaderOf(all), { from: at + 60_000, to: MONTHS.to, hourly: true })).map((cohort) => [
        new Date(cohort.at).toISOString().slice(11, 16),
        cohort.length / 60_000,
        personsOf(cohort).size,
      ]);
    return Promise.all([
      // Five persons in each minute around the start of the range.
      expect(shown([...calls(0, 5), ...calls(1, 5)])).resolves.toEqual([
        ['10:16', 1, 5],
        ['10:17', 1, 5],
      ]),
      // Four persons of a minute are counted with the next one, by which five have called.
      expect(shown([...calls(0, 4), ...calls(1, 5)])).resolves.toEqual([['10:17', 1, 9]]),
      // The last four of a quarter are counted with an earlier minute.
      expect(shown([...calls(0, 5), ...calls(1, 4)])).resolves.toEqual([['10:16', 1, 9]]),
      // Quarters without an end of the range are not divided. A sum keeps as many persons as decide.
      expect(shown([...calls(0, 5), ...calls(15, 5), ...calls(16, 5)])).resolves.toEqual([
        ['10:16', 1, 5],
        ['10:30', 15, 5],
      ]),
    ]);
  });

  it('of a month of few persons is counted on its last day with calls, in any order of its days', async () => {
    const days = ['2026-03-05', '2026-03-20', '2026-03-09'].map((day) => Date.parse(day));
    const [few, many] = [4, 5].map((size) =>
      days.flatMap((at, day) =>
        Array.from(
          { length: size },
          (_, index): Call => ({ at, person: `p${size === 4 ? 0 : day}-${index}` }),
        ),
      ),
    );

    expect((await read(rollupReaderOf(few ?? []))).map(({ at }) => at)).toEqual([days[1]]);
    expect((await read(rollupReaderOf(many ?? []))).map(({ at }) => at)).toEqual([days[0], days[2], days[1]]);
  });

  it('are merged in the order of time, also when the calls of a label lie around those of another', async () => {
    const at = Date.parse('2026-03-02T10:16:00Z');
    const of = (owner: string, minute: number, size: number) =>
      Array.from({ length: size }, (_, index): Call => {
        const person = `${owner}-${minute}-${index}`;
        return { at: at + minute * 60_000, owner, person };
      });
    const reading = { from: at + 60_000, to: MONTHS.to, hourly: true };
    const calls = [...of('ads', 0, 2), ...of('search', 1, 2), ...of('ads', 2, 1)];

    expect(
      (await read(rollupReaderOf(calls), reading)).map((cohort) => [cohort.at, personsOf(cohort).size]),
    ).toEqual([[at + 120_000, 5]]);
  });

  it('of a day that was read as a whole are not shorter because earlier calls, which count there, were read by the hour', async () => {
    const [first, second] = [Date.parse('2026-03-01T10:00:00Z'), Date.parse('2026-03-02')];
    const of = (at: number, size: number) =>
      Array.from({ length: size }, (_, index): Call => ({ at, person: `${at}-${index}` }));
    const cohorts = await read(rollupReaderOf([...of(first, 4), ...of(second, 5)]), READINGS[1]);

    expect(cohorts).toMatchObject([{ at: second, length: 86_400_000 }]);
  });

  it('of a month without a call of a person are as fine as they were read', () => {
    const day = Date.parse('2026-03-02');
    expect(cohortsOf(new PersonIndex(TENANT, [hashOf('ann')]), [])).toEqual([]);
    return expect(
      read(
        rollupReaderOf([
          { at: day, owner: 'ads' },
          { at: day + 3_600_000, owner: 'ads' },
        ]),
      ),
    ).resolves.toMatchObject([{ at: day, length: 86_400_000, labels: { owner: 'ads' } }]);
  });
});
