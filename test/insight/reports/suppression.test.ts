import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LENGTH } from '../../../functions/ledger/rollups/grain.ts';
import { reportFields, reportIntervals } from '../../../schemas/insight/reports.ts';
import {
  askReconciliation,
  type Comparing,
  groupings,
  zeroBill,
} from '../../chargeback/reconciliation/inquiry.ts';
import { runs } from '../../support/properties.ts';
import { rollupReaderOf, smallTenant } from './calls.ts';
import { askReports, breaches, type ReportQuestion, runDifferencingAttack } from './differencingAttack.ts';

const FROM = Date.parse('2026-03-01');
const TO = Date.parse('2026-05-01');

/** Range boundaries: of months, of days, of hours, of half hours, and within a quarter of an hour that has calls. */
const ENDS = [
  FROM,
  Date.parse('2026-03-01T10:00Z'),
  Date.parse('2026-03-02'),
  Date.parse('2026-03-31'),
  Date.parse('2026-03-31T10:20Z'),
  Date.parse('2026-04-01'),
  Date.parse('2026-04-01T09:30Z'),
  Date.parse('2026-04-02'),
  TO,
];
const ranges = ENDS.flatMap((from) => ENDS.filter((to) => to > from).map((to) => ({ from, to })));
const intervals = [undefined, ...reportIntervals] as const;
const tops = [undefined, 1, 2] as const;
const lanes = [null, 'eu', 'us'] as const;
const fields = [...reportFields, 'tag:env'] as const;
const filters = [
  {},
  { owner: 'ads' },
  { 'owner[ne]': 'ads' },
  { 'owner[exists]': 'false' },
  { 'service[in]': ['ranking', 'chat'] },
  { provider: 'openai', 'served_model[ne]': 'large' },
  { 'region[ne]': 'us-east-1' },
  { tags: ['env:prod'] },
] as const;

/** Adjacent and overlapping ranges, each with the same queries. */
const questions: fc.Arbitrary<ReportQuestion[]> = fc
  .record({
    ends: fc.subarray(ENDS, { minLength: 2, maxLength: 3 }),
    queries: fc.array(
      fc.record({
        group_by: fc.subarray([...fields], { maxLength: 4 }),
        interval: fc.constantFrom(...intervals),
        top: fc.constantFrom(...tops),
        lane: fc.constantFrom(...lanes),
        filters: fc.constantFrom(...filters),
      }),
      { minLength: 3, maxLength: 3 },
    ),
  })
  .map(({ ends, queries }) =>
    ranges
      .filter(({ from, to }) => ends.includes(from) && ends.includes(to))
      .flatMap((range) => queries.map((query) => ({ range, ...query }))),
  );

/** Boundaries of periods of whole days. */
const DAY_ENDS = ENDS.filter((end) => end % LENGTH.day === 0);
const periods = ranges.filter(({ from, to }) => DAY_ENDS.includes(from) && DAY_ENDS.includes(to));
/** Bills that match the calls of a small tenant. */
const bills = ['2026-03-01', '2026-03-02', '2026-03-31', '2026-04-01'].flatMap((day) =>
  ['openai', 'anthropic'].flatMap((provider) =>
    ['large', 'small'].map((model) => zeroBill(provider, model, day)),
  ),
);

/** Adjacent and overlapping periods, with bills that the attacker imported. */
const comparisons: fc.Arbitrary<Comparing[]> = fc
  .record({
    ends: fc.subarray(DAY_ENDS, { minLength: 2, maxLength: 3 }),
    bys: fc.array(fc.constantFrom(...groupings), { minLength: 2, maxLength: 2 }),
    bills: fc.subarray(bills),
  })
  .map(({ ends, bys, bills }) =>
    periods
      .filter(({ from, to }) => ends.includes(from) && ends.includes(to))
      .flatMap((period) => bys.map((by) => ({ period, by, bills }))),
  );

const fieldSets = [
  ...fc.sample(fc.subarray([...fields], { maxLength: 4 }), { numRuns: 200, seed: 1 }),
  ...fields.map((field) => [field]),
];
const distinctFieldSets = [...new Map(fieldSets.map((fields) => [fields.join(), fields])).values()];

/** Small tenants that are attacked. */
const TENANTS = runs(1_000);
const TENANTS_WITH_BILLS = runs(200);

describe('a differencing attack', () => {
  it('cannot isolate the calls of one to four persons with report queries', async () => {
    await fc.assert(
      fc.asyncProperty(smallTenant(24), questions, async (calls, queries) => {
        const atoms = await runDifferencingAttack(rollupReaderOf(calls), queries.map(askReports));

        expect(breaches(calls, atoms)).toEqual([]);
      }),
      { numRuns: TENANTS },
    );
  });

  it('cannot isolate them with report queries and bill comparisons', async () => {
    await fc.assert(
      fc.asyncProperty(smallTenant(24), questions, comparisons, async (calls, queries, compared) => {
        const inquiries = [...queries.map(askReports), ...compared.map(askReconciliation)];

        const atoms = await runDifferencingAttack(rollupReaderOf(calls), inquiries);

        expect(breaches(calls, atoms)).toEqual([]);
      }),
      { numRuns: TENANTS_WITH_BILLS },
    );
  });

  it('cannot isolate them with all possible queries (5 small tenants)', async () => {
    const everything = ranges.flatMap((range) =>
      distinctFieldSets.flatMap((group_by) =>
        lanes.flatMap((lane) => [{ range, group_by, lane, interval: undefined, top: undefined }]),
      ),
    );
    const compared = periods.flatMap((period) =>
      groupings.flatMap((by) =>
        [[], bills, bills.filter((_, index) => index % 3 === 0)].map((sent) => ({ period, by, bills: sent })),
      ),
    );
    const inquiries = [...everything.map(askReports), ...compared.map(askReconciliation)];
    await fc.assert(
      fc.asyncProperty(smallTenant(30), async (calls) => {
        const atoms = await runDifferencingAttack(rollupReaderOf(calls), inquiries);

        expect(breaches(calls, atoms)).toEqual([]);
      }),
      { numRuns: 5, seed: 5 },
    );
  });
});
