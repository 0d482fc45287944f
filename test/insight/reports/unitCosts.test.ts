import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NO_CALLS } from '../../../functions/insight/reports/modelCalls.ts';
import { reportOf } from '../../../functions/insight/reports/report.ts';
import { sumUnitCosts } from '../../../functions/insight/reports/unitCosts/sumUnitCosts.ts';
import { divideCost } from '../../../functions/insight/reports/unitCosts/tokenCosts.ts';
import { readCohorts } from '../../../functions/ledger/cohorts/readCohorts.ts';
import { LENGTH } from '../../../functions/ledger/rollups/grain.ts';
import { addDecimals, decimal } from '../../../functions/platform/shared/decimal.ts';
import { calendarIn } from '../../../functions/platform/shared/time/calendar.ts';
import { cohortFields } from '../../../schemas/insight/reports.ts';
import type { UnitCosts } from '../../../schemas/insight/unitCosts.ts';
import { type Call, rollupReaderOf, TENANT, team } from './calls.ts';
import { type ReportQuery, runUsageReport } from './runReport.ts';

const FROM = Date.parse('2026-03-01');
const TO = Date.parse('2026-03-08');

/** USD per million tokens: cached input costs a tenth, writing to the cache a quarter more, output five times as much. */
const WEIGHTS = {
  uncached: decimal('2'),
  cached: decimal('0.2'),
  written: decimal('2.5'),
  output: decimal('10'),
};

const unitCostsOf = async (calls: readonly Call[], asked: ReportQuery = {}) => {
  const { lane = null, filters, ...query } = asked;
  const range = { from: FROM, to: TO };
  const { cohorts } = await readCohorts(rollupReaderOf(calls), TENANT, range);
  const weightsAt = (_provider: string, model: string) => (model === 'unlisted' ? null : WEIGHTS);
  return reportOf(
    cohorts,
    { ...query, ...filters },
    range,
    lane,
    sumUnitCosts(weightsAt, true),
    calendarIn('UTC'),
  );
};

/** The cost of all parts. */
const partsOf = ({ token_costs: { undivided_usd: rest, ...tokens } }: UnitCosts): string =>
  Object.values(tokens).reduce((sum, { cost_usd: cost }) => addDecimals(sum, cost), rest);

describe('the cost of tokens of one model', () => {
  it('is divided in the proportion of list prices, and multiplied by what was paid for them', () => {
    // At list prices: 600 × 2 + 300 × .2 + 100 × 2.5 + 50 × 10 = 2,010 millionths. Half of it was paid.
    const calls = { ...NO_CALLS, priced: 4, input: 1_000, cached: 300, written: 100, output: 50 };
    const divided = divideCost({ ...calls, cost: decimal('0.001005') }, WEIGHTS);

    expect(divided?.amounts).toEqual({
      uncached_input: { tokens: 600, cost: decimal('0.0006') },
      cached_input: { tokens: 300, cost: decimal('0.00003') },
      cache_write: { tokens: 100, cost: decimal('0.000125') },
      output: { tokens: 50, cost: decimal('0.00025') },
    });
    // 300 read for 1.8 less each, 100 written for .5 more, at half of the list price.
    expect(divided?.cacheSaving).toEqual(decimal('0.000245'));
  });

  it.each([
    ['a part of the cost is unknown', { unpriced: 1 }, WEIGHTS],
    ['the model has no list price', {}, null],
    ['a kind has no list price', { output: 5 }, { ...WEIGHTS, output: null }],
    ['there are no tokens', { input: 0 }, WEIGHTS],
  ])('is not divided if %s', (_why, members, weights) => {
    expect(
      divideCost({ ...NO_CALLS, priced: 1, cost: decimal('1'), input: 10, ...members }, weights),
    ).toBeNull();
  });
});

const drawn = fc.record({
  at: fc.integer({ min: 0, max: 6 * 24 }).map((hour) => FROM + hour * LENGTH.hour),
  person: fc.option(fc.constantFrom(...team('person', 12)), { nil: undefined, freq: 4 }),
  owner: fc.constantFrom('ads', 'search', null),
  service: fc.constantFrom('ranking', null),
  model: fc.constantFrom('large', 'small', 'unlisted'),
  lane: fc.constantFrom('eu', 'us'),
  cost: fc.constantFrom('1', '0.000000000007', '0.333333333333', null),
  tokens: fc.record({
    input_tokens: fc.integer({ min: 30, max: 90 }),
    cached_input_tokens: fc.integer({ min: 0, max: 20 }),
    cache_write_tokens: fc.integer({ min: 0, max: 10 }),
    output_tokens: fc.integer({ min: 0, max: 99 }),
  }),
});
const question = fc.record({
  group_by: fc.subarray([...cohortFields], { maxLength: 4 }),
  interval: fc.constantFrom(undefined, 'day' as const),
  lane: fc.constantFrom(null, 'eu'),
});

describe('the report of unit costs', () => {
  it('sums over rows, and over kinds of tokens, exactly to the usage report, for any query', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(drawn, { maxLength: 60, size: 'max' }), question, async (calls, asked) => {
        const { rows, totals } = await unitCostsOf(calls, asked);
        const usage = await runUsageReport(calls, FROM, TO, asked);
        const sum = (amountOf: (row: UnitCosts) => string | null) =>
          rows.reduce((total, row) => addDecimals(total, amountOf(row) ?? '0'), '0');

        expect(totals.cost_usd).toBe(usage.totals.cost_usd);
        expect(sum(({ cost_usd }) => cost_usd)).toBe(totals.cost_usd ?? '0');
        for (const row of [...rows, totals]) expect(partsOf(row)).toBe(row.cost_usd ?? '0');
        for (const kind of ['uncached_input', 'cached_input', 'cache_write', 'output'] as const) {
          expect(sum((row) => row.token_costs[kind].cost_usd)).toBe(totals.token_costs[kind].cost_usd);
        }
        expect(sum((row) => row.token_costs.undivided_usd)).toBe(totals.token_costs.undivided_usd);
      }),
    );
  });

  const call = (person: string, members: Partial<Call> = {}): Call => ({
    at: FROM,
    person,
    owner: 'ads',
    cost: '0.002',
    model: 'large',
    tokens: { input_tokens: 800, cached_input_tokens: 400, output_tokens: 52 },
    ...members,
  });

  it('gives the cost of a call and of each kind of token, and a range of that of a person', async () => {
    const { totals } = await unitCostsOf(team('ads', 6).map((person) => call(person)));

    // Six calls. At list prices, each costs 400 × 2 + 400 × .2 + 52 × 10 = 1,400 millionths, and 2,000 were paid.
    expect(totals).toMatchObject({
      invocations: 6,
      cost_per_invocation_usd: '0.002',
      // Six persons are shown as five to nine.
      person_costs: { persons: 5, low_usd: '0.001333333333', high_usd: '0.0024' },
      token_costs: {
        uncached_input: { tokens: 2_400, cost_usd: '0.006857142857', usd_per_million: '2.857142857083' },
        cache_write: { tokens: 0, cost_usd: '0', usd_per_million: null },
      },
      cache: { share: '0.5', saving_usd: '0.006171428571' },
    });
  });

  it('is unknown for a person if no call of persons has a known cost', async () => {
    const { totals } = await unitCostsOf([
      ...team('ads', 6).map((person) => call(person, { cost: null })),
      { ...call('nobody', { service: 'nightly' }), person: undefined, cost: '100' },
    ]);

    expect(totals.person_costs).toMatchObject({ persons: 5, low_usd: null, high_usd: null });
  });

  it('does not count the cost of groups without a person for the persons', async () => {
    const { totals } = await unitCostsOf([
      ...team('ads', 5).map((person) => call(person)),
      { ...call('nobody', { service: 'nightly' }), person: undefined, cost: '100' },
    ]);

    expect(totals.person_costs).toMatchObject({ low_usd: '0.001111111111', high_usd: '0.002' });
  });

  it('shows a group of which suppression hides all calls as unknown, not as free', async () => {
    const calls = [
      ...team('ads', 6).map((person) => call(person)),
      ...team('search', 6).map((person) => call(person, { owner: 'search' })),
      ...team('legal', 2).map((person) => call(person, { owner: 'legal' })),
    ];
    const { rows, totals } = await unitCostsOf(calls, { group_by: ['owner'], filters: { owner: 'legal' } });

    expect(rows).toEqual([]);
    expect(totals).toMatchObject({
      cost_usd: null,
      cost_per_invocation_usd: null,
      person_costs: { low_usd: null, high_usd: null },
      cache: { share: null, saving_usd: null },
    });
    expect(totals.invocations_maximum).toBeGreaterThanOrEqual(2);
  });
});

describe('the cost of calls that did not end well', () => {
  const call = (members: Partial<Call>): Call => ({ at: FROM, service: 'nightly', ...members });

  it.each<[string, readonly Call[], object]>([
    [
      'counts them and what they cost, apart from calls that were free or have no known cost',
      [
        call({ status: 'error', cost: '0.3' }),
        call({ status: 'error', cost: '0' }),
        call({ status: 'error', cost: null }),
        call({ status: 'incomplete', cost: '0.2' }),
        call({ cost: '5' }),
      ],
      {
        error: { invocations: 3, paid_invocations: 1, unpriced_invocations: 1, cost_usd: '0.3' },
        incomplete: { invocations: 1, paid_invocations: 1, unpriced_invocations: 0, cost_usd: '0.2' },
        unexamined_invocations: 0,
      },
    ],
    ['is zero if every call ended well', [call({})], { error: { invocations: 0, cost_usd: '0' } }],
    [
      'is unknown if the cost of none is known',
      [call({ status: 'error', cost: null }), call({})],
      { error: { invocations: 1, unpriced_invocations: 1, cost_usd: null, cost_usd_low: null } },
    ],
    [
      'is unknown if the status of no call was counted',
      [call({ status: null })],
      { error: { invocations: null, paid_invocations: null, cost_usd: null }, unexamined_invocations: 1 },
    ],
    [
      'says how many calls were counted before the status was',
      [call({ status: null, invocations: 7 }), call({ status: 'error', cost: '0.1' })],
      { error: { invocations: 1, cost_usd: '0.1' }, unexamined_invocations: 7 },
    ],
  ])('%s', async (_title, calls, outcomes) => {
    expect((await unitCostsOf(calls)).totals.outcomes).toMatchObject(outcomes);
  });

  it('is unknown for a group of which suppression hides all calls', async () => {
    const calls = [
      ...team('ads', 6).map((person) => call({ person, owner: 'ads' })),
      ...team('search', 6).map((person) => call({ person, owner: 'search' })),
      ...team('legal', 2).map((person) => call({ person, owner: 'legal', status: 'error' })),
    ];
    const { totals } = await unitCostsOf(calls, { group_by: ['owner'], filters: { owner: 'legal' } });

    expect(totals.outcomes).toMatchObject({
      error: { invocations: null, cost_usd: null },
      unexamined_invocations: totals.invocations_maximum,
    });
  });

  it('is not shown to a caller that may not see single records', async () => {
    const range = { from: FROM, to: TO };
    const { cohorts } = await readCohorts(rollupReaderOf([call({ status: 'error' })]), TENANT, range);
    const sumUp = sumUnitCosts(() => WEIGHTS, false);

    expect(reportOf(cohorts, {}, range, null, sumUp, calendarIn('UTC')).totals).not.toHaveProperty(
      'outcomes',
    );
  });
});
