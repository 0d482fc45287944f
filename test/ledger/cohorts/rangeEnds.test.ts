import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LENGTH } from '../../../functions/ledger/rollups/grain.ts';
import { type Call, smallTenant, team } from '../../insight/reports/calls.ts';
import { runUsageReport } from '../../insight/reports/runReport.ts';

const DAY = Date.parse('2026-03-01');

/** Any minute of the two days in which small tenants call most. */
const minute = fc.nat({ max: 2 * 24 * 60 }).map((minutes) => DAY + minutes * LENGTH.minute);
const ends = fc
  .uniqueArray(minute, { minLength: 3, maxLength: 3 })
  .map((three) => three.sort((one, other) => one - other));

const countOf = async (calls: readonly Call[], from = 0, to = 0): Promise<number> =>
  (await runUsageReport(calls, from, to)).totals.invocations;

const namelessCall = minute.map((at): Call => ({ at, owner: 'ads' }));

describe('a report whose ends are on any minute', () => {
  it('has exactly the calls between them, if no person is named', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(namelessCall, { minLength: 1 }), ends, async (calls, [from = 0, to = 0]) => {
        const { totals, period } = await runUsageReport(calls, from, to);

        expect(totals.invocations).toBe(calls.filter(({ at }) => from <= at && at < to).length);
        expect(period.exact).toBe(true);
      }),
    );
  });

  it('sums with the adjacent report to the report of both ranges', async () => {
    await fc.assert(
      fc.asyncProperty(smallTenant(24), ends, async (calls, [from, between, to]) => {
        const parts = [await countOf(calls, from, between), await countOf(calls, between, to)];

        expect(parts.reduce((sum, part) => sum + part, 0)).toBe(await countOf(calls, from, to));
      }),
    );
  });

  it('has the calls of a day in a zone of half hours, however few persons call in each minute', async () => {
    // Five persons in each quarter of an hour, one a minute.
    const calls = team('person', 5).flatMap((person, index) =>
      Array.from({ length: 96 }, (_, quarter) => ({
        at: DAY + quarter * 15 * LENGTH.minute + index * LENGTH.minute,
        person,
      })),
    );
    const at = (text: string) => Date.parse(`2026-03-01T${text}:00Z`);

    const parts = [
      await runUsageReport(calls, DAY, at('18:30')),
      await runUsageReport(calls, at('18:30'), DAY + LENGTH.day),
    ];

    expect(parts.map(({ totals, period }) => [totals.invocations, period.exact])).toEqual([
      [74 * 5, true],
      [22 * 5, true],
    ]);
  });
});
