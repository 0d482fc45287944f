import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LENGTH } from '../../../functions/ledger/rollups/grain.ts';
import { addDecimals } from '../../../functions/platform/shared/decimal.ts';
import { reportFields, reportIntervals, type UsageTotals } from '../../../schemas/insight/reports.ts';
import { team } from './calls.ts';
import { nameOfRow, runUsageReport } from './runReport.ts';

const FROM = Date.parse('2026-02-26');
const DAYS = 8;

const COUNTS = ['invocations', 'input_tokens', 'unpriced_invocations', 'unknown_energy_invocations'] as const;
const SUMS = ['cost_usd', 'cost_usd_low', 'energy_wh', 'carbon_gco2e_high'] as const;

/** Sum of rows. Unknown values are not added. */
const sumRows = (rows: readonly Partial<UsageTotals>[]): Record<string, number | string> => ({
  ...Object.fromEntries(
    COUNTS.map((name) => [name, rows.reduce((total, row) => total + (row[name] ?? 0), 0)]),
  ),
  ...Object.fromEntries(
    SUMS.map((name) => [name, rows.reduce((total, row) => addDecimals(total, row[name] ?? '0'), '0')]),
  ),
});

const calls = fc.array(
  fc.record({
    at: fc.integer({ min: 0, max: DAYS * 24 - 1 }).map((hour) => FROM + hour * LENGTH.hour),
    person: fc.option(fc.constantFrom(...team('person', 12)), { nil: undefined, freq: 4 }),
    owner: fc.constantFrom('ads', 'search', null, 'person-1'),
    service: fc.constantFrom('ranking', null),
    provider: fc.constantFrom('openai', 'anthropic'),
    lane: fc.constantFrom('eu', 'us'),
    state: fc.constantFrom('deterministically_resolved' as const, 'unresolved' as const),
    cost: fc.option(
      fc.bigInt({ min: 0n, max: 10n ** 24n }).map((units) => {
        const digits = String(units).padStart(13, '0');
        return `${digits.slice(0, -12)}.${digits.slice(-12)}`;
      }),
    ),
  }),
  { maxLength: 60, size: 'max' },
);
const hour = fc.integer({ min: 0, max: DAYS * 24 }).map((hours) => FROM + hours * LENGTH.hour);
const ends = fc.tuple(hour, hour, hour).map((all) => all.sort((one, other) => one - other));
const asked = fc.record({
  group_by: fc.subarray([...reportFields], { maxLength: 4 }),
  interval: fc.constantFrom(undefined, ...reportIntervals),
  top: fc.constantFrom(undefined, 1, 2),
  lane: fc.constantFrom(null, 'eu'),
});

describe('the usage report', () => {
  it('has rows that sum exactly to its totals for any query', async () => {
    await fc.assert(
      fc.asyncProperty(calls, ends, asked, async (some, [from = 0, , to = 0], question) => {
        const { rows, totals } = await runUsageReport(some, from, to, question);

        expect(sumRows(rows)).toEqual(sumRows([totals]));
        expect(new Set(rows.map(nameOfRow)).size).toBe(rows.length);
      }),
    );
  });

  it('sums with the report of the next range to the report of both ranges', async () => {
    await fc.assert(
      fc.asyncProperty(calls, ends, async (some, [a = 0, b = 0, c = 0]) => {
        const [first, second, both] = await Promise.all([
          runUsageReport(some, a, b),
          runUsageReport(some, b, c),
          runUsageReport(some, a, c),
        ]);

        expect(sumRows([first.totals, second.totals])).toEqual(sumRows([both.totals]));
      }),
    );
  });

  it('has totals by state and by band that sum to the totals', async () => {
    await fc.assert(
      fc.asyncProperty(calls, async (some) => {
        const { totals } = await runUsageReport(some, FROM, FROM + DAYS * LENGTH.day);

        for (const tallies of [totals.output_states, totals.confidence_bands]) {
          expect(Object.values(tallies).reduce((total, { invocations }) => total + invocations, 0)).toBe(
            totals.invocations,
          );
          expect(
            Object.values(tallies).reduce((total, { cost_usd }) => addDecimals(total, cost_usd), '0'),
          ).toBe(totals.cost_usd ?? '0');
        }
      }),
    );
  });

  it('contains exactly the calls of whole months', async () => {
    await fc.assert(
      fc.asyncProperty(calls, async (some) => {
        const { totals, period } = await runUsageReport(
          some,
          Date.parse('2026-02-01'),
          Date.parse('2026-04-01'),
        );

        expect(totals.invocations).toBe(some.length);
        expect(totals.cost_usd ?? '0').toBe(
          some.reduce((total, { cost }) => addDecimals(total, cost ?? '0'), '0'),
        );
        expect(period.exact).toBe(true);
      }),
    );
  });

  it('sets exact to false when it does not contain exactly the calls of its range', async () => {
    await fc.assert(
      fc.asyncProperty(calls, ends, async (some, [from = 0, , to = 0]) => {
        const { totals, period } = await runUsageReport(some, from, to);

        const own = some.filter(({ at }) => from <= at && at < to);
        if (period.exact) {
          expect(totals.invocations).toBe(own.length);
          expect(totals.cost_usd ?? '0').toBe(
            own.reduce((total, { cost }) => addDecimals(total, cost ?? '0'), '0'),
          );
        }
      }),
    );
  });
});
