import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LENGTH } from '../../../functions/ledger/rollups/grain.ts';
import { addDecimals } from '../../../functions/platform/shared/decimal.ts';
import { cohortFields, type PreviousTotals, type UsageTotals } from '../../../schemas/insight/reports.ts';
import { type Call, team } from './calls.ts';
import { nameOfRow, runUsageReport } from './runReport.ts';

const FROM = Date.parse('2026-02-26');
const TO = FROM + 4 * LENGTH.day;
const COMPARED = { compare: 'previous_period' } as const;

const by = (owner: string, at: number, count: number): Call[] =>
  team(owner, count).map((person): Call => ({ at, person, owner }));
const now = FROM + LENGTH.day;
const before = FROM - LENGTH.day;
const calls = [
  ...by('ads', now, 6),
  ...by('ads', before, 8),
  ...by('search', now, 9),
  ...by('legal', before, 5),
];

const previousByOwner = (rows: Awaited<ReturnType<typeof runUsageReport>>['rows']) =>
  rows.map(({ kind, owner, invocations, previous }) => [
    owner ?? kind,
    invocations,
    previous?.invocations,
    previous?.cost_usd,
  ]);

describe('a comparison with the period before', () => {
  it('adds the sums of the same group, and rows for groups that have calls only before', async () => {
    const { rows, previous } = await runUsageReport(calls, FROM, TO, { group_by: ['owner'], ...COMPARED });

    expect(previousByOwner(rows)).toEqual([
      ['ads', 6, 8, '8'],
      ['legal', 0, 5, '5'],
      ['search', 9, 0, '0'],
    ]);
    expect(previous).toMatchObject({
      totals: { invocations: 13, cost_usd: '13' },
      days_with_calls: 1,
      period: { from: '2026-02-22T00:00:00.000Z', to: '2026-02-26T00:00:00.000Z' },
    });
  });

  it('compares the same elapsed part of a range that has not ended', async () => {
    const { previous } = await runUsageReport(calls, FROM, TO, COMPARED, FROM + 36 * 3_600_000 + 59_000);

    expect(previous?.period).toMatchObject({
      from: '2026-02-22T00:00:00.000Z',
      to: '2026-02-23T12:00:00.000Z',
    });
  });

  it('is complete if the tenant sent calls before it', async () => {
    const began = await runUsageReport(calls, FROM, TO, COMPARED);
    const earlier = by('ads', Date.parse('2026-02-20T10:00:00Z'), 6);
    const known = await runUsageReport([...calls, ...earlier], FROM, TO, COMPARED);

    expect([began.previous?.complete, known.previous?.complete]).toEqual([false, true]);
  });

  it('compares the row of all other groups with the same groups before', async () => {
    const { rows } = await runUsageReport(calls, FROM, TO, { group_by: ['owner'], top: 1, ...COMPARED });

    expect(previousByOwner(rows)).toEqual([
      ['search', 9, 0, '0'],
      ['other', 6, 13, '13'],
    ]);
  });

  it('compares totals, but no rows, with an interval', async () => {
    const { rows, previous } = await runUsageReport(calls, FROM, TO, { interval: 'day', ...COMPARED });

    expect(previous?.totals.invocations).toBe(13);
    expect(rows.map((row) => 'previous' in row)).toEqual([false]);
  });

  it('counts the days of the whole tenant, whatever the filters', async () => {
    const filters = { owner: 'search' };
    const { previous } = await runUsageReport(calls, FROM, TO, { filters, ...COMPARED });

    expect(previous).toMatchObject({ totals: { invocations: 0, cost_usd: '0' }, days_with_calls: 1 });
  });

  it('says that a sum is unknown when no price is known, which is not zero', async () => {
    const unpriced = by('ads', before, 6).map((call): Call => ({ ...call, cost: null }));
    const { previous } = await runUsageReport([...unpriced, ...by('ads', now, 6)], FROM, TO, COMPARED);

    expect(previous?.totals).toMatchObject({ cost_usd: null, unpriced_invocations: 6 });
  });
});

const someCalls = fc.array(
  fc.record({
    at: fc.integer({ min: -4 * 24, max: 4 * 24 - 1 }).map((hour) => FROM + hour * LENGTH.hour),
    person: fc.option(fc.constantFrom(...team('person', 12)), { nil: undefined, freq: 4 }),
    owner: fc.constantFrom('ads', 'search', null, 'person-1'),
    service: fc.constantFrom('ranking', null),
    lane: fc.constantFrom('eu', 'us'),
  }),
  { maxLength: 60, size: 'max' },
);
const question = fc.record({
  group_by: fc.subarray([...cohortFields], { maxLength: 3 }),
  lane: fc.constantFrom(null, 'eu'),
  filters: fc.constantFrom({}, { owner: 'ads' }, { 'owner[ne]': 'ads' }),
});

const summedCost = (sums: readonly (Pick<PreviousTotals, 'cost_usd'> | undefined)[]): string =>
  sums.reduce((total, sum) => addDecimals(total, sum?.cost_usd ?? '0'), '0');
const shared = ({ invocations, cost_usd, unpriced_invocations }: PreviousTotals | UsageTotals) => ({
  invocations,
  cost_usd,
  unpriced_invocations,
});

// About a second.
it('shows the sums that a report of the period before shows, and no others', async () => {
  await fc.assert(
    fc.asyncProperty(someCalls, question, fc.constantFrom(undefined, 1), async (some, asked, top) => {
      const compared = await runUsageReport(some, FROM, TO, { ...asked, top, ...COMPARED });
      const past = await runUsageReport(some, FROM - (TO - FROM), FROM, asked);
      const pastRows = new Map(past.rows.map((row) => [nameOfRow(row), shared(row)]));
      const { totals, period } = compared.previous ?? {};

      expect([totals && shared(totals), period]).toEqual([shared(past.totals), past.period]);
      expect(summedCost(compared.rows.map(({ previous }) => previous))).toBe(past.totals.cost_usd ?? '0');
      for (const row of compared.rows) {
        const { kind, previous } = row;
        if (kind === 'other' || previous === undefined) continue;
        const none = { invocations: 0, cost_usd: '0', unpriced_invocations: 0 };
        expect(shared(previous)).toEqual(pastRows.get(nameOfRow(row)) ?? none);
      }
    }),
    { numRuns: 60 },
  );
});
