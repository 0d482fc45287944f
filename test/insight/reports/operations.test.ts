import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { closingsRead, periodsRead } from '../../../functions/entries/stores/chargeback/periods.ts';
import readAdoption from '../../../functions/insight/reports/getAdoptionReport.ts';
import readChanges from '../../../functions/insight/reports/getChangesReport.ts';
import readForecast from '../../../functions/insight/reports/getForecastReport.ts';
import readUnitCosts from '../../../functions/insight/reports/getUnitCostsReport.ts';
import readUsage from '../../../functions/insight/reports/getUsageReport.ts';
import readSavings from '../../../functions/insight/savings/getSavingsReport.ts';
import { type TotalsLag, UNKNOWN } from '../../../functions/ledger/freshness/totalsLag.ts';
import { LENGTH, startOf } from '../../../functions/ledger/rollups/grain.ts';
import { rollupReader } from '../../../functions/ledger/rollups/rollup.store.ts';
import { rollupWriter } from '../../../functions/ledger/rollups/rollupWriter.store.ts';
import { resultStore } from '../../../functions/platform/http/pages/result.store.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import type { RollupGrain } from '../../../schemas/ledger/rollup.ts';
import { pageOf } from '../../../schemas/page.ts';
import { getChangesReport } from '../../../schemas/routes/insight/changes.ts';
import {
  getAdoptionReport,
  getForecastReport,
  getUsageReport,
} from '../../../schemas/routes/insight/reports.ts';
import { getSavingsReport } from '../../../schemas/routes/insight/savings.ts';
import { getUnitCostsReport } from '../../../schemas/routes/insight/unitCosts.ts';
import { aTenant } from '../../attribution/engine/events.ts';
import { caller, serve, type TestResponse } from '../../platform/http/harness.ts';
import { type LiveTables, startTables } from '../../support/tables.ts';
import { newTenant } from '../../support/tenants.ts';
import { type Call, rollupReaderOf, team } from './calls.ts';

const NOW = Date.parse('2026-05-14T10:37:00Z');
const TODAY = startOf('day', NOW);

let live: LiveTables;
const NO_LAG: TotalsLag = { isStale: false, incompleteSince: null };
let lag = NO_LAG;
const stores = {
  rollups: rollupReader('rollups'),
  ...closingsRead('rollups'),
  ...periodsRead('rollups'),
  cursorKey: async () => new Uint8Array(32),
  results: resultStore('results', randomUUID),
  nodeHourLines: {
    list: async () => {
      throw new Error('only with read:attribution');
    },
  },
  indexLag: { totalsLag: async () => lag, areRecordsStale: async () => lag.isStale },
};
const operations = {
  usage: readUsage(stores),
  adoption: readAdoption(stores),
  forecast: readForecast(stores),
  changes: readChanges(stores),
  unitCosts: readUnitCosts(stores),
  savings: readSavings(stores),
};

beforeAll(async () => {
  live = await startTables();
});
afterAll(() => live.stop());

/** Days of which the day rollups are enough. */
const WHOLE_DAYS = {
  from: new Date(TODAY - 2 * LENGTH.day).toISOString(),
  to: new Date(TODAY + LENGTH.day).toISOString(),
};
const Rows = pageOf(z.unknown(), 'Rows');

/** Writes the rollups of these calls over those of others. */
const writeCalls = async (
  tenant: Tenant,
  calls: readonly Call[],
  grains: readonly RollupGrain[] = ['hour', 'day'],
): Promise<void> => {
  const reader = rollupReaderOf(calls);
  const writer = rollupWriter('rollups');
  for (const grain of grains) {
    for (const rollup of await reader.read(tenant.tenant_id, { grain, from: 0, to: NOW + LENGTH.day })) {
      const revision = await writer.readRevision(tenant.tenant_id, grain, rollup.start);
      await writer.put(tenant.tenant_id, rollup, revision);
    }
  }
};

/** Creates a tenant with the rollups of these calls. */
const tenantWith = async (calls: readonly Call[]): Promise<Tenant> => {
  const tenant = newTenant({ residency: ['eu', 'us'] });
  await writeCalls(tenant, calls);
  return tenant;
};

const ask = (
  name: keyof typeof operations,
  tenant: Tenant,
  query: Record<string, string> = {},
  residency: string | null = null,
): Promise<TestResponse> => {
  const { route, run } = operations[name];
  return serve(
    route,
    run,
    { headers: { 'x-api-key': 'ask_good' }, query },
    {
      clock: () => NOW,
      authenticator: async () => ({ ...caller, tenant, residency, scopes: new Set(['read:reporting']) }),
    },
  );
};

const days = [TODAY - 2 * LENGTH.day, TODAY - LENGTH.day, TODAY];
const busy: Call[] = days.flatMap((day) =>
  ['ads', 'search', 'legal'].flatMap((owner) =>
    team(owner, 6).map(
      (person): Call => ({ at: day + 9 * LENGTH.hour, person, owner, service: `${owner}-chat` }),
    ),
  ),
);

describe('GET /v1/reports/usage', () => {
  it('returns the last thirty days and today, in the documented schema', async () => {
    const { status, body } = await ask('usage', await tenantWith(busy));

    expect(status).toBe(200);
    expect(getUsageReport.replies[200].body.parse(body)).toEqual(body);
    expect(body).toMatchObject({
      data: [{ kind: 'group', invocations: 54, cost_usd: '54' }],
      totals: { invocations: 54 },
      period: { from: '2026-04-14T00:00:00.000Z', to: '2026-05-14T11:00:00.000Z', exact: true },
      as_of: new Date(TODAY + 10 * LENGTH.hour).toISOString(),
    });
  });

  it.each([true, false])('says whether calls of the tenant are missing: %s', async (stale) => {
    lag = { isStale: stale, incompleteSince: null };
    const { body } = await ask('usage', await tenantWith(busy));
    lag = NO_LAG;

    expect(body).toMatchObject({ stale, as_of: expect.any(String) });
  });

  it('is as old as the oldest change of the ledger that it lacks', async () => {
    lag = { isStale: true, incompleteSince: TODAY + 8 * LENGTH.hour };
    const { body } = await ask('usage', await tenantWith(busy));
    lag = NO_LAG;

    expect(body).toMatchObject({ stale: true, as_of: new Date(TODAY + 8 * LENGTH.hour).toISOString() });
  });

  it('does not claim to be complete when nothing is known about pending changes', async () => {
    lag = { isStale: true, incompleteSince: UNKNOWN };
    const { body } = await ask('usage', await tenantWith(busy));
    lag = NO_LAG;

    expect(body).toMatchObject({ stale: true, as_of: '2026-04-14T00:00:00.000Z' });
  });

  it('returns empty data for a tenant without calls', async () => {
    const { status, body } = await ask('usage', await tenantWith([]), { group_by: 'owner', interval: 'day' });

    expect([status, body['data']]).toEqual([200, []]);
    expect(body).toMatchObject({
      totals: { invocations: 0, cost_usd: '0' },
      as_of: new Date(NOW).toISOString(),
    });
  });

  it('compares with the period before, in the documented schema', async () => {
    const query = {
      from: new Date(TODAY).toISOString(),
      to: new Date(TODAY + LENGTH.day).toISOString(),
      group_by: 'owner',
      compare: 'previous_period',
    };
    const { status, body } = await ask('usage', await tenantWith(busy), query);

    expect(status).toBe(200);
    expect(getUsageReport.replies[200].body.parse(body)).toEqual(body);
    expect(body).toMatchObject({
      data: [{ previous: { invocations: 6 } }, {}, {}],
      previous: { totals: { invocations: 18 }, days_with_calls: 1 },
    });
  });

  it.each([{ interval: 'hour' }, { group_by: 'day' }, { group_by: 'owner,hour' }])(
    'rejects a comparison by hours or days: %o',
    async (members) => {
      const { status, body } = await ask('usage', await tenantWith(busy), {
        compare: 'previous_period',
        ...members,
      });

      expect([status, body['error_code']]).toEqual([400, 'INVALID_FILTER']);
    },
  );

  it('returns each row once over all pages, with the same totals on each page', async () => {
    const tenant = await tenantWith(busy);
    const query = { group_by: 'service,owner', interval: 'day' };
    const whole = getUsageReport.replies[200].body.parse((await ask('usage', tenant, query)).body);

    const collected: unknown[] = [];
    let cursor: string | null = null;
    do {
      const page: Record<string, string> = cursor === null ? { limit: '2' } : { limit: '2', cursor };
      const answer = await ask('usage', tenant, { ...query, ...page });
      const { data, page: place, totals } = getUsageReport.replies[200].body.parse(answer.body);
      expect(totals).toEqual(whole.totals);
      collected.push(...data);
      cursor = place.next_cursor;
    } while (cursor !== null);

    expect(collected).toEqual(whole.data);
    expect(collected).toHaveLength(9);
  });

  // About three seconds.
  it('shows one state on all its pages, whatever is written between them', async () => {
    const someCalls = fc.array(
      fc.record({
        at: fc.integer({ min: 0, max: 47 }).map((hour) => TODAY - hour * LENGTH.hour),
        person: fc.constantFrom(...team('person', 9)),
        owner: fc.constantFrom('alpha', 'beta', 'mid', 'zeta'),
        cost: fc.constantFrom('1', '0.000000000003', null),
      }),
      { minLength: 8, maxLength: 40, size: 'max' },
    );
    const name = fc.constantFrom('usage' as const, 'adoption' as const);
    await fc.assert(
      fc.asyncProperty(
        name,
        someCalls,
        someCalls,
        fc.integer({ min: 1, max: 3 }),
        async (asked, before, after, size) => {
          const tenant = newTenant();
          await writeCalls(tenant, before, ['day']);
          const query = { ...WHOLE_DAYS, group_by: 'owner', interval: 'day' };
          const whole = (await ask(asked, tenant, query)).body;
          const collected: unknown[] = [];
          let page: Record<string, string> = { limit: String(size) };
          for (let written = 0; ; written += 1) {
            const { body } = await ask(asked, tenant, { ...query, ...page });
            expect(body['totals']).toEqual(whole['totals']);
            const { data, page: place } = Rows.parse(body);
            collected.push(...data);
            if (place.next_cursor === null) break;
            page = { limit: String(size), cursor: place.next_cursor };
            // Calls come and go.
            await writeCalls(tenant, written % 2 === 0 ? [...before, ...after] : after, ['day']);
          }

          expect(collected).toEqual(whole['data']);
        },
      ),
      { numRuns: 12 },
    );
  });

  it('rejects a cursor with a different query', async () => {
    const tenant = await tenantWith(busy);
    const first = await ask('usage', tenant, { group_by: 'owner', limit: '1' });
    const { next_cursor: cursor } = getUsageReport.replies[200].body.parse(first.body).page;

    const { body } = await ask('usage', tenant, { group_by: 'service', limit: '1', cursor: cursor ?? '' });

    expect(body['error_code']).toBe('INVALID_CURSOR');
  });

  it('rejects a cursor of another tenant and a cursor with a changed character', async () => {
    const [tenant, other] = [await tenantWith(busy), await tenantWith(busy)];
    const query = { group_by: 'owner', limit: '1' };
    const first = await ask('usage', tenant, query);
    const cursor = getUsageReport.replies[200].body.parse(first.body).page.next_cursor ?? '';

    const elsewhere = await ask('usage', other, { ...query, cursor });
    const codes = new Set<unknown>();
    for (let index = 0; index < cursor.length; index += 11) {
      const changed = cursor.slice(0, index) + (cursor[index] === 'A' ? 'B' : 'A') + cursor.slice(index + 1);
      codes.add((await ask('usage', tenant, { ...query, cursor: changed })).body['error_code']);
    }

    expect([elsewhere.status, elsewhere.body['error_code']]).toEqual([403, 'TENANT_MISMATCH']);
    expect([...codes]).toEqual(['INVALID_CURSOR']);
  });

  it('returns short cursors for long group names', async () => {
    const long = busy.map((call): Call => ({ ...call, owner: `${call.owner}-${'長'.repeat(250)}` }));
    const tenant = await tenantWith(long);

    const first = await ask('usage', tenant, { group_by: 'owner', limit: '1' });
    const cursor = getUsageReport.replies[200].body.parse(first.body).page.next_cursor ?? '';
    const second = await ask('usage', tenant, { group_by: 'owner', limit: '2', cursor });

    expect(second.body['data']).toHaveLength(2);
  });

  it('returns only calls of the lane of the caller', async () => {
    const lanes: Call[] = busy.map((call) => ({ ...call, lane: call.owner === 'legal' ? 'us' : 'eu' }));
    const tenant = await tenantWith(lanes);

    const { body } = await ask('usage', tenant, { group_by: 'owner' }, 'us');

    expect(body).toMatchObject({
      data: [{ owner: 'legal' }],
      totals: { invocations: 18 },
      period: { exact: true },
    });
  });

  it.each<[string, Record<string, string>]>([
    ['INVALID_REQUEST', { from: '2026-05-01T00:00:30Z' }],
    ['INVALID_REQUEST', { from: '2020-01-01' }],
    ['INVALID_REQUEST', { limit: '0' }],
    ['INVALID_FILTER', { person: 'ada' }],
    ['INVALID_FILTER', { 'owner[contains]': 'ads' }],
    ['INVALID_FILTER', { pathway_category: 'elsewhere' }],
    ['INVALID_FILTER', { top_by: 'energy_wh' }],
    ['INVALID_FILTER', { top: '3', top_by: 'output_tokens' }],
    ['INVALID_FILTER', { group_by: 'person' }],
    ['INVALID_FILTER', { group_by: '' }],
    ['INVALID_FILTER', { group_by: 'owner,owner' }],
    ['INVALID_FILTER', { group_by: 'owner,service,provider,served_model,day' }],
    ['INVALID_FILTER', { interval: 'week' }],
    ['INVALID_FILTER', { top: '0' }],
    ['INVALID_FILTER', { top: '101' }],
  ])('refuses with %s: %o', async (code, query) => {
    const { status, body } = await ask('usage', aTenant(), query);

    expect([status, body['error_code']]).toEqual([400, code]);
  });
});

describe('GET /v1/reports/adoption', () => {
  it('returns persons by cohort and day, in the documented schema', async () => {
    const { status, body } = await ask('adoption', await tenantWith(busy), {
      group_by: 'owner',
      interval: 'day',
    });

    expect(status).toBe(200);
    expect(getAdoptionReport.replies[200].body.parse(body)).toEqual(body);
    expect(body['data']).toHaveLength(9);
    expect(body).toMatchObject({ totals: { persons: 15, persons_estimated: false, invocations: 54 } });
  });

  it('rejects hourly grouping and top', async () => {
    for (const query of [{ group_by: 'hour' }, { top: '3' }]) {
      const { body } = await ask('adoption', aTenant(), query);

      expect(body['error_code']).toBe('INVALID_FILTER');
    }
  });
});

describe('GET /v1/reports/unit-costs', () => {
  it('returns unit costs by owner and day at the list prices of the model, in the documented schema', async () => {
    const tokens = { input_tokens: 1_000, cached_input_tokens: 200, output_tokens: 100 };
    const calls = busy.map((call): Call => ({ ...call, model: 'gpt-5', cost: '0.002025', tokens }));
    const { status, body } = await ask('unitCosts', await tenantWith(calls), {
      group_by: 'owner',
      interval: 'day',
    });

    expect(status).toBe(200);
    const { data, totals } = getUnitCostsReport.replies[200].body.parse(body);
    expect(body).toEqual({ ...body, data, totals });
    expect(data).toHaveLength(9);
    // 800 × 1.25 + 200 × .125 + 100 × 10 millionths of a USD: each kind of token costs its list price.
    expect(totals).toMatchObject({
      cost_per_invocation_usd: '0.002025',
      token_costs: {
        uncached_input: { usd_per_million: '1.25' },
        cached_input: { usd_per_million: '0.125' },
        output: { usd_per_million: '10' },
        undivided_usd: '0',
      },
      // 200 × 1.125 millionths, 54 times.
      cache: { share: '0.2', saving_usd: '0.01215' },
    });
  });
});

describe('GET /v1/reports/savings', () => {
  it('suggests the largest saving of the last thirty days first, in the documented schema', async () => {
    const tokens = { input_tokens: 1_000, cached_input_tokens: 0, output_tokens: 100 };
    const calls = busy
      .filter(({ owner }) => owner === 'ads')
      .map((call): Call => ({ ...call, model: 'gpt-4.1', cost: '0.028', invocations: 10, tokens }));
    const { status, body } = await ask('savings', await tenantWith(calls));

    expect(status).toBe(200);
    const { data } = getSavingsReport.replies[200].body.parse(body);
    expect(body['data']).toEqual(data);
    // 18 × .028 USD in 30 days and 10:37 hours. The replacement costs .00015 instead of .0028 by the list.
    expect(data).toMatchObject([
      { saving: 'replacement_model', owner: 'ads', service: 'ads-chat', cost_usd: '0.504', invocations: 180 },
    ]);
    expect(Number(data[0]?.high_usd)).toBeCloseTo((0.477 * 30) / (30 + 10.6167 / 24), 4);
  });

  it('covers as many days as a report by the hour', async () => {
    const { body } = await ask('savings', aTenant(), { from: '2026-03-01', to: '2026-04-02' });

    expect(body['error_code']).toBe('INVALID_REQUEST');
  });
});

describe('GET /v1/reports/forecast', () => {
  /** Each person makes one call of one USD on each of so many days before today. */
  const daily = (owner: string, count: number, call: Partial<Call> = {}): Call[] =>
    Array.from({ length: count }, (_, index) => TODAY - (index + 1) * LENGTH.day).flatMap((day) =>
      team(owner, 6).map((person): Call => ({ at: day + 9 * LENGTH.hour, person, owner, ...call })),
    );
  // Thirteen days of May are over, and 13 h 23 min of the 14th and 17 days are left.
  const rest = (13 + 23 / 60) / 24 + 17;

  it('shows the spend, the expected spend and its range by group, in the documented schema', async () => {
    const tenant = await tenantWith([...daily('ads', 56), ...daily('search', 2)]);

    const { status, body } = await ask('forecast', tenant, { group_by: 'owner' });

    expect(status).toBe(200);
    const { data, totals, period } = getForecastReport.replies[200].body.parse(body);
    expect(period).toEqual({
      from: '2026-05-01T00:00:00.000Z',
      to: '2026-06-01T00:00:00.000Z',
      exact: true,
    });
    expect(data).toEqual([
      expect.objectContaining({ kind: 'group', owner: 'ads', spent_usd: '78' }),
      // Two days are too few.
      expect.objectContaining({
        owner: 'search',
        spent_usd: '12',
        forecast_usd: null,
        forecast_range_usd: null,
        forecast_unknown: 'too_few_days',
      }),
    ]);
    const [ads] = data;
    expect(Number(ads?.forecast_usd)).toBeCloseTo(78 + 6 * rest, 6);
    expect(Number(ads?.forecast_range_usd?.low)).toBeLessThan(Number(ads?.forecast_usd));
    expect(Number(ads?.forecast_range_usd?.high)).toBeGreaterThan(Number(ads?.forecast_usd));
    expect(totals).toMatchObject({ spent_usd: '90', unpriced_invocations: 0 });
  });

  it('forecasts the current quarter, of the calls that match the filters', async () => {
    const tenant = await tenantWith([...daily('ads', 56), ...daily('search', 56)]);

    const { body } = await ask('forecast', tenant, { period: 'quarter', owner: 'ads' });

    expect(body).toMatchObject({
      data: [{ spent_usd: String(6 * 43) }],
      period: { from: '2026-04-01T00:00:00.000Z', to: '2026-07-01T00:00:00.000Z' },
    });
    expect(Number(getForecastReport.replies[200].body.parse(body).totals.forecast_usd)).toBeCloseTo(
      6 * (43 + rest + 30),
      6,
    );
  });

  it('is unknown, not zero, if no call of the period has a known price', async () => {
    const { body } = await ask('forecast', await tenantWith(daily('ads', 20, { cost: null })));

    expect(body).toMatchObject({
      totals: {
        spent_usd: null,
        forecast_usd: null,
        forecast_range_usd: null,
        forecast_unknown: 'unpriced_calls',
        unpriced_invocations: 6 * 13,
      },
    });
  });

  it('is unknown, not zero, if no call of the days before has a known price and the period has no call', async () => {
    const april = daily('ads', 40, { cost: null }).filter(({ at }) => at < Date.parse('2026-05-01'));

    const { body } = await ask('forecast', await tenantWith(april));

    expect(body).toMatchObject({
      totals: { spent_usd: '0', forecast_usd: null, forecast_unknown: 'unpriced_calls' },
    });
  });

  it('begins the period in the time zone of the tenant', async () => {
    // Eleven in the evening of 30 April in UTC is the first of May in Berlin.
    const evening = Date.parse('2026-04-30T23:00:00Z');
    const tenant = await tenantWith(
      team('ads', 6).map((person): Call => ({ at: evening, person, owner: 'ads' })),
    );
    const local = { ...tenant, time_zone: 'Europe/Berlin' };

    const spentIn = async (one: Tenant) =>
      getForecastReport.replies[200].body.parse((await ask('forecast', one)).body).totals.spent_usd;

    expect([await spentIn(tenant), await spentIn(local)]).toEqual(['0', '6']);
  });
});

describe('GET /v1/reports/changes', () => {
  const MARCH = Date.parse('2026-03-10T09:00:00Z');
  const APRIL = Date.parse('2026-04-10T09:00:00Z');
  const PERIODS = { from: '2026-04-01', to: '2026-05-01' };
  const calls = (owner: string, at: number, count: number, call: Partial<Call> = {}): Call[] =>
    team(owner, count).map((person): Call => ({ at, person, owner, ...call }));
  const read = async (given: readonly Call[], query: Record<string, string>) => {
    const { status, body } = await ask('changes', await tenantWith(given), query);
    expect(status).toBe(200);
    return getChangesReport.replies[200].body.parse(body);
  };

  it('divides the change of each group, the largest first, and of all calls', async () => {
    const { data, totals, previous, period } = await read(
      [
        ...calls('ads', MARCH, 6),
        ...calls('ads', APRIL, 8),
        ...calls('legal', MARCH, 5),
        ...calls('search', APRIL, 7, { cost: '3' }),
        ...calls('search', MARCH, 7),
      ],
      { ...PERIODS, group_by: 'owner' },
    );

    expect(period.from).toBe('2026-04-01T00:00:00.000Z');
    expect(previous.period).toEqual({
      from: '2026-03-01T00:00:00.000Z',
      to: '2026-04-01T00:00:00.000Z',
      exact: true,
    });
    expect(
      data.map(({ owner, change_usd: change, parts }) => [
        owner,
        change,
        parts?.volume_usd,
        parts?.price_usd,
      ]),
    ).toEqual([
      ['search', '14', '0', '14'],
      ['legal', '-5', '-5', '0'],
      ['ads', '2', '2', '0'],
    ]);
    expect(totals).toMatchObject({
      current: { invocations: 15, cost_usd: '29' },
      previous: { invocations: 18, cost_usd: '18' },
      change_usd: '11',
      parts: { volume_usd: '-3', price_usd: '14' },
    });
  });

  it('compares with any period', async () => {
    const { previous, totals } = await read([...calls('ads', MARCH, 6), ...calls('ads', APRIL, 8)], {
      ...PERIODS,
      previous_from: '2026-03-10',
      previous_to: '2026-03-11',
    });

    expect(previous.period.from).toBe('2026-03-10T00:00:00.000Z');
    expect(totals.change_usd).toBe('2');
  });

  it('is unknown, not a saving, if no call of one of the periods has a known cost', async () => {
    const { totals, data } = await read(
      [...calls('ads', MARCH, 6), ...calls('ads', APRIL, 8, { cost: null })],
      PERIODS,
    );

    expect(totals).toMatchObject({ change_usd: null, parts: null, current: { unpriced_invocations: 8 } });
    expect(data).toHaveLength(1);
  });

  it('shows hidden groups as one, and does not divide what calls of hidden models changed', async () => {
    const few = (at: number, count: number): Call[] =>
      team('rare', 2).map(
        (person): Call => ({
          at,
          person,
          owner: 'ads',
          model: 'rare',
          invocations: count,
          cost: String(count),
        }),
      );
    const { data } = await read(
      [...calls('ads', MARCH, 6), ...few(MARCH, 1), ...calls('ads', APRIL, 6), ...few(APRIL, 4)],
      { ...PERIODS, group_by: 'served_model' },
    );

    expect(data.map(({ kind, change_usd: change, parts }) => [kind, change, parts?.undivided_usd])).toEqual([
      ['folded', '6', '6'],
    ]);
  });

  it.each([
    ['one end of the period to compare with', { previous_from: '2026-03-01' }, 'previous_to'],
    [
      'a period that ends before it begins',
      { previous_from: '2026-03-02', previous_to: '2026-03-01' },
      'previous_from',
    ],
  ])('refuses %s', async (_, query, parameter) => {
    const { status, body } = await ask('changes', aTenant(), query);

    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain(parameter);
  });
});
