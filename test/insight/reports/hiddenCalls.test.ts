import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { sumChange } from '../../../functions/insight/reports/changes/sumChange.ts';
import { possibleCallsOf } from '../../../functions/insight/reports/hiddenCalls.ts';
import { selectCohorts } from '../../../functions/insight/reports/report.ts';
import { addPrevious, buildRows } from '../../../functions/insight/reports/reportRows.ts';
import { readCohorts } from '../../../functions/ledger/cohorts/readCohorts.ts';
import { calendarIn } from '../../../functions/platform/shared/time/calendar.ts';
import { type Call, rollupReaderOf, TENANT, team } from './calls.ts';

const MARCH = { from: Date.parse('2026-03-01'), to: Date.parse('2026-04-01') };
const APRIL = { from: MARCH.to, to: Date.parse('2026-05-01') };
const DAY = 24 * 60 * 60 * 1_000;
const GROUP = ['owner'] as const;

/** The changes by owner from March to April, of the calls that match a filter. */
const changesOf = async (
  calls: readonly Call[],
  filter: { readonly service?: string; readonly tags?: readonly string[] } = {},
) => {
  const [before, now] = await Promise.all(
    [MARCH, APRIL].map(async (period) => {
      const { cohorts } = await readCohorts(rollupReaderOf(calls), TENANT, period);
      return selectCohorts(cohorts, filter, period, null);
    }),
  );
  if (before === undefined || now === undefined) throw new Error('two periods');
  const [earlier, own] = [before, now].map(({ matching }) =>
    buildRows(matching, GROUP, null, calendarIn('UTC')),
  );
  return addPrevious(own ?? [], earlier ?? []).map((row) => ({
    kind: row.kind,
    owner: row.values.owner,
    ...sumChange(
      { shown: row.previous ?? [], possible: possibleCallsOf(row, before) },
      { shown: row.cohorts, possible: possibleCallsOf(row, now) },
      () => null,
    ),
  }));
};

const of = (owner: string, period: typeof MARCH, persons: readonly string[]): Call[] =>
  persons.map((person): Call => ({ at: period.from, person, owner, service: 'chat' }));

it('does not take calls of a group that suppression hides before as none', async () => {
  const rows = await changesOf([
    ...of('ads', MARCH, ['ann', 'bo']),
    ...of('search', MARCH, team('search', 6)),
    ...of('ads', APRIL, team('ads', 6)),
    ...of('search', APRIL, team('search', 6)),
  ]);

  expect(rows.find(({ owner }) => owner === 'ads')).toMatchObject({
    previous: { invocations: 0, cost_usd: null },
    change_usd: null,
    parts: null,
  });
});

const drawnCall = fc.record({
  at: fc.integer({ min: 0, max: 60 }).map((day) => MARCH.from + day * DAY),
  person: fc.option(fc.constantFrom(...team('staff', 9)), { nil: undefined }),
  owner: fc.constantFrom('ads', 'search', null),
  service: fc.constantFrom('chat', 'rank'),
  cost: fc.constantFrom('1', '3'),
});

it('holds the true amounts and the true change of each group in its ranges', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(drawnCall, { minLength: 1, maxLength: 40 }),
      fc.constantFrom({}, { service: 'chat' }),
      async (calls, filter) => {
        const costIn = (period: typeof MARCH, owner: string | null | undefined): number =>
          calls
            .filter(({ service }) => !('service' in filter) || filter.service === service)
            .filter((call) => call.owner === owner && period.from <= call.at && call.at < period.to)
            .reduce((sum, { cost }) => sum + Number(cost), 0);
        for (const { kind, owner, current, previous, change_range_usd: range } of await changesOf(
          calls,
          filter,
        )) {
          if (kind !== 'group') continue;
          const [before, now] = [costIn(MARCH, owner), costIn(APRIL, owner)];
          for (const [side, cost] of [
            [previous, before],
            [current, now],
          ] as const) {
            expect(Number(side.cost_usd ?? 0)).toBeLessThanOrEqual(cost);
            expect(Number(side.cost_usd_maximum)).toBeGreaterThanOrEqual(cost);
          }
          expect(Number(range?.low)).toBeLessThanOrEqual(now - before);
          expect(Number(range?.high)).toBeGreaterThanOrEqual(now - before);
        }
      },
    ),
    { numRuns: 60 },
  );
});
