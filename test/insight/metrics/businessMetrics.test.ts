import * as fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { businessMetricsRead, businessMetricsWrite } from '../../../functions/entries/stores/insight.ts';
import { type Environment, storesIn } from '../../../functions/entries/stores/provider.ts';
import deleteBusinessMetric from '../../../functions/insight/metrics/deleteBusinessMetric.ts';
import getMetricCosts from '../../../functions/insight/metrics/getMetricCosts.ts';
import listBusinessMetrics from '../../../functions/insight/metrics/listBusinessMetrics.ts';
import { mergeNumbers } from '../../../functions/insight/metrics/metricNumbers.ts';
import postBusinessMetric from '../../../functions/insight/metrics/postBusinessMetric.ts';
import { noContent } from '../../../functions/ledger/records/content.ts';
import { Big } from '../../../functions/platform/shared/decimal.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import { roles } from '../../../schemas/identity/roles.ts';
import { BUSINESS_METRICS_MAXIMUM, METRIC_DAYS_MAXIMUM } from '../../../schemas/insight/businessMetrics.ts';
import { getMetricCosts as reportRoute } from '../../../schemas/routes/insight/metricCosts.ts';
import type { TenantRequest } from '../../platform/http/callAsTenant.ts';
import { startOperations } from '../../platform/http/startOperations.ts';
import { runs } from '../../support/properties.ts';
import { type Call, rollupReaderOf, team } from '../reports/calls.ts';

const NOW = Date.parse('2026-05-20T12:00:00Z');
const dayOf = (day: number): string => `2026-05-${String(day).padStart(2, '0')}`;

/** A call of each of six persons of a team on a day. */
const calls6 = (day: number, owner: string, service: string, cost: string | null, more: Partial<Call> = {}) =>
  team(owner, 6).map(
    (person): Call => ({
      at: Date.parse(`${dayOf(day)}T09:00:00Z`),
      person,
      owner,
      service,
      cost,
      ...more,
    }),
  );
let calls: readonly Call[];
let tenant: Tenant;

const world = await startOperations(
  {
    post: postBusinessMetric,
    list: listBusinessMetrics,
    remove: deleteBusinessMetric,
    costs: getMetricCosts,
  },
  (environment: Environment) => ({
    ...storesIn(environment, { businessMetricsRead, businessMetricsWrite }),
    rollups: {
      read: async (...query: Parameters<ReturnType<typeof rollupReaderOf>['read']>) =>
        (await rollupReaderOf(calls).read(...query)).map((rollup) => ({ ...rollup, content: noContent })),
    },
    indexLag: {
      totalsLag: async () => ({ isStale: false, incompleteSince: null }),
      areRecordsStale: async () => false,
    },
  }),
  { now: NOW, allScopes: roles.finops },
);
afterAll(() => world.live.stop());
beforeEach(() => {
  tenant = world.newTenant({ residency: ['eu', 'us'] });
  calls = [
    ...calls6(1, 'ads', 'chat', '1'),
    ...calls6(2, 'ads', 'chat', '2'),
    ...calls6(2, 'ops', 'bot', '4'),
  ];
});

const send = (
  name: Parameters<typeof world.call>[0],
  sent: Omit<TenantRequest, 'tenant'> = {},
  role: keyof typeof roles = 'finops',
) => world.call(name, { tenant, ...sent }, roles[role]);
const numbers = (values: Readonly<Record<number, string | null>>) =>
  Object.entries(values).map(([day, value]) => ({ date: dayOf(Number(day)), value }));
const post = (
  values: Readonly<Record<number, string | null>>,
  members: object = {},
  residency: string | null = null,
) => send('post', { residency, body: { name: 'tickets', numbers: numbers(values), ...members } });
const costs = async (query: Record<string, string> = {}, residency: string | null = null) => {
  const { body, status } = await send('costs', { query: { from: dayOf(1), ...query }, residency }, 'viewer');
  expect(status).toBe(200);
  return reportRoute.replies[200].body.parse(body);
};

describe('GET /v1/reports/metric-costs', () => {
  it.each([
    ['2026-05-02', '2026-05-04', '2026-05-02', '2026-05-04'],
    ['2026-05-02T12:00:00Z', '2026-05-04T12:00:00Z', '2026-05-03', '2026-05-04'],
    ['2026-05-02T02:00:00+02:00', '2026-05-05T00:00Z', '2026-05-02', '2026-05-05'],
  ])('from %s to %s covers whole days', async (from, to, first, end) => {
    const { period } = await costs({ from, to });

    expect(period).toMatchObject({ from: `${first}T00:00:00.000Z`, to: `${end}T00:00:00.000Z` });
  });

  it.each([
    ['2026-05-02T01:00:00Z', '2026-05-02T23:00:00Z'],
    ['2026-05-02T01:00:00Z', '2026-05-03T23:00:00Z'],
  ])('refuses from %s to %s, which has no whole day', async (from, to) => {
    expect(await send('costs', { query: { from, to } }, 'viewer')).toMatchObject({ status: 400 });
  });

  it('divides the cost of the days that have a number by their sum, and counts the other days apart', async () => {
    await post({ 2: '3', 5: '1.5' });
    const { data, period } = await costs();

    expect(period).toMatchObject({ from: '2026-05-01T00:00:00.000Z', to: '2026-05-20T00:00:00.000Z' });
    // 6 × 2 + 6 × 4 USD of the second. The first has calls, but no number, and the fifth the reverse.
    expect(data).toMatchObject([
      {
        name: 'tickets',
        owner: null,
        service: null,
        units: '4.5',
        days: 2,
        days_without_number: 17,
        invocations: 12,
        cost_usd: '36',
        cost_per_unit_usd: '8',
        cost_per_unit_range_usd: { low: '8', high: '8' },
      },
    ]);
  });

  it('counts only calls of the owner and service of a metric, in order of names', async () => {
    await post({ 1: '3', 2: '6' }, { owner: 'ads' });
    await post({ 2: '2' }, { service: 'bot' });
    await post({ 2: '12' }, { name: 'orders' });

    expect(
      (await costs()).data.map(({ name, cost_usd, cost_per_unit_usd }) => [
        name,
        cost_usd,
        cost_per_unit_usd,
      ]),
    ).toEqual([
      ['orders', '36', '3'],
      ['tickets', '18', '2'],
      ['tickets', '24', '12'],
    ]);
    expect((await costs({ name: 'orders' })).data).toHaveLength(1);
  });

  it('shows each day or month', async () => {
    await post({ 1: '3', 2: '9' });

    expect((await costs({ interval: 'day', to: dayOf(4) })).data).toMatchObject([
      { interval_start: '2026-05-01T00:00:00.000Z', days: 1, cost_per_unit_usd: '2' },
      { interval_start: '2026-05-02T00:00:00.000Z', days: 1, cost_per_unit_usd: '4' },
      {
        interval_start: '2026-05-03T00:00:00.000Z',
        days: 0,
        units: null,
        cost_usd: null,
        cost_per_unit_usd: null,
      },
    ]);
    expect((await costs({ interval: 'month', from: '2026-04-01' })).data).toMatchObject([
      { interval_start: '2026-04-01T00:00:00.000Z', units: null, cost_per_unit_usd: null },
      { interval_start: '2026-05-01T00:00:00.000Z', units: '12', cost_usd: '42', cost_per_unit_usd: '3.5' },
    ]);
  });

  it.each([
    [
      'no number',
      {},
      { units: null, cost_usd: null, cost_per_unit_usd: null, cost_per_unit_range_usd: null },
    ],
    [
      'units of zero',
      { 2: '0' },
      { units: '0', cost_usd: '36', cost_per_unit_usd: null, cost_per_unit_range_usd: null },
    ],
    ['no calls', { 4: '5' }, { units: '5', cost_usd: '0', cost_per_unit_usd: '0' }],
  ])('is unknown, or nothing, for a period with %s', async (_, values, expected) => {
    await post({ 19: '1', ...values });
    if (!Object.hasOwn(values, 19)) await post({ 19: null });

    expect((await costs()).data).toMatchObject([expected]);
  });

  it('knows no cost of calls without a price, and no high end beside some of them', async () => {
    calls = calls6(2, 'ads', 'chat', null);
    await post({ 2: '3' });
    expect((await costs()).data).toMatchObject([
      { cost_usd: null, cost_per_unit_usd: null, unpriced_invocations: 6 },
    ]);

    calls = [...calls, ...calls6(2, 'ads', 'chat', '1', { model: 'priced' })];
    expect((await costs()).data).toMatchObject([
      { cost_usd: '6', cost_per_unit_usd: '2', cost_per_unit_range_usd: { low: '2', high: null } },
    ]);
  });

  it('adds hidden calls that may be of the owner to the high end only', async () => {
    // Three persons of another owner are shown only together with others, so their owner is hidden.
    calls = [
      ...calls6(2, 'ads', 'chat', '1'),
      ...calls6(2, 'ops', 'bot', '1').slice(0, 3),
      ...calls6(2, 'legal', 'x', '1').slice(3),
    ];
    await post({ 2: '6' }, { owner: 'ads' });

    const [row] = (await costs()).data;
    expect(row).toMatchObject({
      cost_usd: '6',
      invocations: 6,
      invocations_maximum: 12,
      cost_per_unit_usd: '1',
    });
    expect(row?.cost_per_unit_range_usd).toEqual({ low: '1', high: '2' });
  });

  it('leaves out the day that has not ended', async () => {
    calls = calls6(20, 'ads', 'chat', '1');
    await post({ 20: '6' });

    expect((await costs({ to: '2026-06-01' })).data).toMatchObject([{ days: 0, units: null }]);
  });

  it('shows the metrics of the lane of the credential, with its calls only', async () => {
    calls = [
      ...calls6(2, 'ads', 'chat', '1', { lane: 'eu' }),
      ...calls6(2, 'ops', 'bot', '9', { lane: 'us' }),
    ];
    await post({ 2: '3' }, {}, 'eu');
    await post({ 2: '6' });

    expect((await costs({}, 'eu')).data).toMatchObject([{ cost_usd: '6', cost_per_unit_usd: '2' }]);
    expect((await costs({}, 'us')).data).toEqual([]);
    expect((await costs()).data).toMatchObject([{ cost_usd: '60', cost_per_unit_usd: '10' }]);
  });

  it('equals the exact quotient over the calls and numbers of the same days, whatever they are', async () => {
    const cents = fc
      .integer({ min: 0, max: 10_000 })
      .map((value) => Big(String(value)).div('1000').toFixed());
    const day = fc.integer({ min: 1, max: 19 });
    const sent = fc.array(fc.tuple(day, fc.constantFrom('ads', 'ops'), cents), { maxLength: 20 });
    const counted = fc.uniqueArray(fc.tuple(day, cents), { selector: ([at]) => at, minLength: 1 });
    await fc.assert(
      fc.asyncProperty(sent, counted, fc.constantFrom(null, 'ads'), async (made, values, owner) => {
        tenant = world.newTenant();
        calls = made.flatMap(([at, by, cost]) => calls6(at, by, `${by}-chat`, cost));
        await post(Object.fromEntries(values), { owner });

        const days = new Set(values.map(([at]) => at));
        const cost = made
          .filter(([at, by]) => days.has(at) && (owner === null || by === owner))
          .reduce((sum, [, , each]) => sum.plus(Big(each).times('6')), Big('0'));
        const units = values.reduce((sum, [, value]) => sum.plus(value), Big('0'));
        const quotient = units.eq('0') ? null : cost.div(units).round(12).toFixed();
        expect((await costs()).data).toMatchObject([
          {
            units: units.toFixed(),
            cost_usd: cost.toFixed(),
            cost_per_unit_usd: quotient,
            days: values.length,
          },
        ]);
      }),
      { numRuns: runs(20) },
    );
  });
});

describe('the numbers of a business metric', () => {
  it('replace those of their days, keep others, and are removed by null', async () => {
    const first = await post({ 1: '3', 2: '4' });
    const second = await post({ 2: null, 3: '5' });

    expect(first).toMatchObject({ status: 200, body: { days: 2, first_day: dayOf(1), last_day: dayOf(2) } });
    expect(second.body).toMatchObject({ id: first.body['id'], days: 2, last_day: dayOf(3) });
    expect((await costs()).data).toMatchObject([{ units: '8', days: 2 }]);
    expect((await world.auditOf(tenant)).map(({ action }) => action)).toEqual(
      Array(2).fill('business_metric.write'),
    );
  });

  it('are deleted with their metric', async () => {
    const id = String((await post({ 1: '3' })).body['id']);

    expect((await send('list', {}, 'viewer')).body['data']).toMatchObject([{ id, name: 'tickets', days: 1 }]);
    expect((await send('remove', { id })).status).toBe(204);
    expect((await costs()).data).toEqual([]);
    expect((await send('remove', { id })).body['error_code']).toBe('NOT_FOUND');
  });

  it('cannot be sent by who may not configure, nor removed from another lane', async () => {
    const body = { name: 'tickets', numbers: numbers({ 1: '3' }) };
    expect((await send('post', { body }, 'viewer')).body['error_code']).toBe('INSUFFICIENT_SCOPE');

    const { id } = (await post({ 1: '3' }, {}, 'eu')).body;
    expect((await send('list', { residency: 'us' })).body['data']).toEqual([]);
    expect((await send('remove', { residency: 'us', id: String(id) })).body['error_code']).toBe(
      'RESIDENCY_BLOCKED',
    );
  });

  it('are refused for a day that is named twice, a negative number and one metric too many', async () => {
    const twice = [...numbers({ 1: '3' }), ...numbers({ 1: '4' })];
    expect((await send('post', { body: { name: 'tickets', numbers: twice } })).status).toBe(422);
    expect((await post({ 1: '-3' })).status).toBe(422);

    for (let index = 0; index < BUSINESS_METRICS_MAXIMUM; index += 1)
      await post({ 1: '3' }, { name: `m${index}` });
    expect((await post({ 1: '3' })).body['error_code']).toBe('VALIDATION_FAILED');
    expect((await post({ 2: '3' }, { name: 'm0' })).status).toBe(200);
  });

  it('have at most so many days', () => {
    const days = Array.from({ length: METRIC_DAYS_MAXIMUM }, (_, index) => ({
      date: new Date(NOW - index * 86_400_000).toISOString().slice(0, 10),
      value: '1',
    }));
    const full = mergeNumbers({}, days);

    expect(() => mergeNumbers(full, [{ date: '2027-01-01', value: '1' }])).toThrow('Too many days');
    expect(
      Object.keys(
        mergeNumbers(full, [
          { date: '2026-05-20', value: null },
          { date: '2027-01-01', value: '1' },
        ]),
      ),
    ).toHaveLength(METRIC_DAYS_MAXIMUM);
  });
});
