import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LENGTH } from '../../../functions/ledger/rollups/grain.ts';
import { addDecimals } from '../../../functions/platform/shared/decimal.ts';
import { calendarIn } from '../../../functions/platform/shared/time/calendar.ts';
import { type Call, team } from './calls.ts';
import { runUsageReport } from './runReport.ts';

/** Zones with half hours and quarters, and zones whose clocks change at midnight, by half an hour or backwards. */
const ZONES = [
  'UTC',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'America/St_Johns',
  'America/New_York',
  'America/Santiago',
  'Africa/Cairo',
  'Asia/Beirut',
  'Australia/Adelaide',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
  'Pacific/Kiritimati',
];
/** Local days around the changes of the clocks. */
const FROM = [
  '2026-03-06',
  '2026-03-27',
  '2026-04-03',
  '2026-04-22',
  '2026-09-04',
  '2026-09-25',
  '2026-10-02',
  '2026-10-30',
];
const DAYS = 5;

/** The date of an instant as the platform formats it. */
const dateIn = (timeZone: string, at: number): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(
    at,
  );

const scenario = fc.record({
  timeZone: fc.constantFrom(...ZONES),
  from: fc.constantFrom(...FROM),
  minutes: fc.array(fc.integer({ min: -24 * 60, max: (DAYS + 1) * 24 * 60 - 1 }), {
    minLength: 1,
    maxLength: 40,
    size: 'max',
  }),
  // Calls of nobody, or of a team at once: suppression moves neither.
  size: fc.constantFrom(0, 5),
});

const callsOf = ({
  from,
  minutes,
  size,
}: {
  from: string;
  minutes: readonly number[];
  size: number;
}): Call[] =>
  minutes.flatMap((minute, index): Call[] => {
    const at = Date.parse(from) + minute * LENGTH.minute;
    const cost = `${index}.${String(index + 1).padStart(12, '0')}`;
    return size === 0 ? [{ at, cost }] : team(`team-${index}`, size).map((person) => ({ at, cost, person }));
  });

const costByDay = (calls: readonly (readonly [day: string, cost: string])[]): Record<string, string> => {
  const sums: Record<string, string> = {};
  for (const [day, cost] of calls) sums[day] = addDecimals(sums[day] ?? '0', cost);
  return sums;
};

// About a second each.
describe('the days of a time zone', () => {
  it('have exactly the cost of their calls, as groups and as intervals', async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async (asked) => {
        const { timeZone, from } = asked;
        const calendar = calendarIn(timeZone);
        const range = {
          from: calendar.startOfDate(from),
          to: calendar.shift('day', calendar.startOfDate(from), DAYS),
        };
        const calls = callsOf(asked);
        const inside = calls.filter(({ at }) => range.from <= at && at < range.to);
        const expected = costByDay(inside.map(({ at, cost }) => [dateIn(timeZone, at), cost ?? '0']));

        const grouped = await runUsageReport(calls, range.from, range.to, { timeZone, group_by: ['day'] });
        const timed = await runUsageReport(calls, range.from, range.to, { timeZone, interval: 'day' });

        expect(costByDay(grouped.rows.map(({ day, cost_usd }) => [day ?? '', cost_usd ?? '0']))).toEqual(
          expected,
        );
        expect(
          costByDay(
            timed.rows.map(({ interval_start, cost_usd }) => [
              dateIn(timeZone, Date.parse(interval_start ?? '')),
              cost_usd ?? '0',
            ]),
          ),
        ).toEqual(expected);
      }),
      { numRuns: 80 },
    );
  });

  it('sum to their month, also by month', async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async (asked) => {
        const { timeZone } = asked;
        const calendar = calendarIn(timeZone);
        const start = calendar.startOf('month', Date.parse(asked.from));
        const end = calendar.shift('month', start, 2);
        const calls = callsOf(asked);
        const [first, second, both] = await Promise.all([
          runUsageReport(calls, start, calendar.shift('month', start, 1), { timeZone }),
          runUsageReport(calls, calendar.shift('month', start, 1), end, { timeZone }),
          runUsageReport(calls, start, end, { timeZone, interval: 'month' }),
        ]);
        const expected = [first, second]
          .filter(({ totals }) => totals.invocations > 0)
          .map(({ totals }) => totals.cost_usd);

        expect(both.rows.map(({ cost_usd }) => cost_usd)).toEqual(expected);
      }),
      { numRuns: 40 },
    );
  });

  it.each(['America/New_York', 'Pacific/Honolulu', 'Asia/Kolkata', 'Asia/Tokyo'])(
    'show the sum of a small tenant up to the present hour in %s, at every hour of the day',
    async (timeZone) => {
      for (let hour = 0; hour < 24; hour += 1) {
        const at = Date.parse('2026-05-14') + hour * LENGTH.hour;

        const { totals } = await runUsageReport(
          [{ at, person: 'ada' }],
          calendarIn(timeZone).shift('day', at, -30),
          at + LENGTH.hour,
          { timeZone },
        );

        expect(totals.cost_usd, String(hour)).toBe('1');
      }
    },
  );
});
