import { expect, it } from 'vitest';
import { readReport } from '../../../functions/insight/subscriptions/readReport.ts';
import type { Scope } from '../../../schemas/identity/scopes.ts';
import { aTenant } from '../../attribution/engine/events.ts';
import { type Call, rollupReaderOf, team } from '../reports/calls.ts';
import { publishedPrices } from '../reports/prices.ts';

const DAY_MS = 86_400_000;
/** A Monday. */
const TO = Date.parse('2026-05-11');
const WEEK = { from: TO - 7 * DAY_MS, to: TO };
const NOW = TO + 3 * 3_600_000;

/** A call a day of each person of a team, from three weeks before the report on. */
const callsOf = (owner: string | null, persons: number, cost: (week: number) => string): Call[] =>
  Array.from({ length: 21 }, (_, day) => day).flatMap((day) =>
    team(owner ?? 'nobody', persons).map((person) => ({
      at: TO - (21 - day) * DAY_MS + 3_600_000,
      person,
      owner,
      service: `${owner}-service`,
      cost: cost(Math.floor(day / 7)),
      state: owner === null ? ('unresolved' as const) : ('deterministically_resolved' as const),
    })),
  );

const read = async (
  calls: readonly Call[],
  owner: string | null = null,
  scopes: readonly Scope[] = ['read:reporting'],
) => {
  const asked: unknown[] = [];
  const stores = {
    ...publishedPrices,
    rollups: rollupReaderOf(calls),
    indexLag: { totalsLag: async () => ({ isStale: false, incompleteSince: null }) },
    dismissals: { list: async () => [] },
    nodeHourLines: {
      list: async (...query: unknown[]) => {
        asked.push(query);
        return [];
      },
    },
  };
  const reader = { tenant: aTenant(), residency: null, scopes: new Set(scopes) };
  const report = await readReport(stores, reader, { owner, every: 'week' }, WEEK, NOW);
  return { ...report, asked };
};
const rowsOf = ({ sections }: Awaited<ReturnType<typeof read>>) =>
  Object.fromEntries(
    sections.map(({ title, rows }) => [title, rows.map(({ name, value }) => `${name}: ${value}`)]),
  );

const CALLS = [
  ...callsOf('ads', 6, (week) => (week === 2 ? '2' : '1')),
  ...callsOf('search', 6, () => '1'),
  ...callsOf(null, 6, () => '0.5'),
];

it('says what the reports of the period say', async () => {
  const report = await read(CALLS);

  expect(report.title).toBe('All owners, week of 2026-05-04: inference spend');
  expect(report.page).toBe('explore?from=2026-05-04&to=2026-05-10');
  const sections = rowsOf(report);
  expect(sections['Spend']).toEqual([
    'Spend: USD 147.00',
    'The period before: USD 105.00',
    'Change: +USD 42.00',
    'Calls: 126',
    'Without an owner: USD 21.00',
  ]);
  expect(sections['Largest changes by owner']?.[0]).toMatch(/^ads: \+USD 42\.00, mostly /);
  expect(sections['Forecast of 2026-05']?.[1]).toMatch(
    /^At its end: USD [\d.,]+ \(USD .+ in nine of ten cases\)$/,
  );
});

it('counts the calls that are divided among owners among those without one', async () => {
  const divided = callsOf(null, 6, () => '0.25').map((call) => ({ ...call, state: 'allocated' as const }));

  expect(rowsOf(await read([...CALLS, ...divided]))['Spend']).toContain('Without an owner: USD 31.50');
});

it('shows the report of an owner by service, without what others spend', async () => {
  const report = await read(CALLS, 'ads');

  expect(rowsOf(report)['Spend']?.slice(0, 3)).toEqual([
    'Spend: USD 84.00',
    'The period before: USD 42.00',
    'Change: +USD 42.00',
  ]);
  expect(JSON.stringify(report.sections)).not.toContain('search');
});

it('names no group of fewer than five persons, and shows an amount with such calls as a range', async () => {
  const few = [...CALLS, ...callsOf('secret-team', 3, (week) => (week === 2 ? '9' : '1'))];

  expect(JSON.stringify(await read(few))).not.toContain('secret-team');
  expect(rowsOf(await read(few, 'ads'))['Spend']?.[0]).toMatch(/^Spend: USD [\d.]+( to USD [\d.]+)?$/);
});

it('shows no amount as 0 that is unknown', async () => {
  const unpriced = [...callsOf('ads', 6, () => '1'), ...callsOf(null, 6, () => '1')].map((call) => ({
    ...call,
    cost: null,
  }));
  const sections = rowsOf(await read(unpriced));

  expect(sections['Spend']).toContain('Spend: unknown');
  expect(sections['Spend']).toContain('Calls of unknown cost, in no amount: 84');
  expect(sections['Spend']).toContain('Without an owner: unknown');
  expect(JSON.stringify(sections)).not.toContain('USD 0.00');
});

it('reads idle nodes of both periods, only for who may read records', async () => {
  expect((await read(CALLS)).asked).toEqual([]);
  expect((await read(CALLS, null, ['read:reporting', 'read:attribution'])).asked).toHaveLength(2);
});
