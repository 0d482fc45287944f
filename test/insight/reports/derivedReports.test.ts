import { describe, expect, it } from 'vitest';
import { LENGTH } from '../../../functions/ledger/rollups/grain.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import { getChangesReport } from '../../../schemas/routes/insight/changes.ts';
import { getForecastReport } from '../../../schemas/routes/insight/reports.ts';
import { getSavingsReport } from '../../../schemas/routes/insight/savings.ts';
import { getUnitCostsReport } from '../../../schemas/routes/insight/unitCosts.ts';
import { aTenant } from '../../attribution/engine/events.ts';
import { type Call, team } from './calls.ts';
import { ask, busy, TODAY, tenantWith, useReports } from './reportsHarness.ts';

useReports();

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

  it('shows what failed calls cost only to callers that may see single records', async () => {
    const tenant = await tenantWith(
      busy.map((call, index) => (index === 0 ? { ...call, status: 'error' } : call)),
    );
    const asked = [{}, null, ['read:reporting', 'read:attribution']] as const;
    const [{ body: hidden }, { status, body }] = await Promise.all([
      ask('unitCosts', tenant),
      ask('unitCosts', tenant, ...asked),
    ]);

    const { totals } = getUnitCostsReport.replies[200].body.parse(body);
    expect(status).toBe(200);
    expect(totals.outcomes?.error).toMatchObject({ invocations: 1, paid_invocations: 1, cost_usd: '1' });
    expect(getUnitCostsReport.replies[200].body.parse(hidden).totals).not.toHaveProperty('outcomes');
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

  it.each(['previous_from', 'previous_to'])('refuses a period to compare with that has only %s', (name) => {
    const { error } = getChangesReport.query.safeParse({ [name]: '2026-03-10' });

    expect(error?.issues).toMatchObject([{ message: 'belongs to previous_from: give both or neither' }]);
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

  it('says when list prices changed, of the models that it shows only', async () => {
    const deepseek = { provider: 'deepseek', model: 'deepseek-chat' };
    const few = team('rare', 2).map((person): Call => ({ at: APRIL, person, ...deepseek }));
    const prices = (await read([...calls('ads', APRIL, 6, deepseek)], PERIODS)).price_changes;

    // https://api-docs.deepseek.com/quick_start/pricing
    expect(prices).toEqual([
      {
        at: '2026-04-24T00:00:00.000Z',
        ...{ provider: 'deepseek', served_model: 'deepseek-chat' },
        before: { uncached_input: '0.28', cached_input: '0.028', cache_write: '0.28', output: '0.42' },
        now: { uncached_input: '0.14', cached_input: '0.0028', cache_write: '0.14', output: '0.28' },
      },
    ]);
    expect((await read([...calls('ads', APRIL, 6), ...few], PERIODS)).price_changes).toEqual([]);
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
