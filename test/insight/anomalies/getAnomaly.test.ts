import * as fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { anomalyDetectionStore, findingReader } from '../../../functions/insight/anomalies/anomaly.store.ts';
import { firstHour } from '../../../functions/insight/anomalies/explain/firstHour.ts';
import getAnomaly from '../../../functions/insight/anomalies/getAnomaly.ts';
import { muteStore } from '../../../functions/insight/anomalies/mutes/mute.store.ts';
import { readChanges } from '../../../functions/insight/reports/changes/readChanges.ts';
import { noContent } from '../../../functions/ledger/records/content.ts';
import { LENGTH } from '../../../functions/ledger/rollups/grain.ts';
import { commit } from '../../../functions/platform/shared/aws/document.store.ts';
import { decimal, sumDecimals } from '../../../functions/platform/shared/decimal.ts';
import { toIso } from '../../../functions/platform/shared/time/toIso.ts';
import { type Anomaly, ExplainedAnomaly } from '../../../schemas/insight/anomalies.ts';
import { callAsTenant } from '../../platform/http/callAsTenant.ts';
import { anAnomaly } from '../../support/anomalies.ts';
import { startTables } from '../../support/tables.ts';
import { newTenant } from '../../support/tenants.ts';
import { type Call, rollupReaderOf, team } from '../reports/calls.ts';
import { publishedPrices } from '../reports/prices.ts';

/** A Wednesday. */
const DAY = Date.parse('2026-05-20');
const WEEK = 7 * LENGTH.day;
const NOW = DAY + 2 * LENGTH.day;
const live = await startTables();
afterAll(() => live.stop());

const tokens = { input_tokens: 1_000, output_tokens: 100 };
const hourly = (day: number, hour: number, members: Partial<Call> = {}): Call[] =>
  team('ads', 6).map((person) => ({
    at: day + hour * LENGTH.hour,
    person,
    owner: 'ads',
    service: 'chat',
    cost: '0.00225',
    tokens,
    ...members,
  }));
const usual = [DAY - 2 * WEEK, DAY - WEEK, DAY].flatMap((day) =>
  [9, 15].flatMap((hour) => hourly(day, hour)),
);

const explain = async (
  calls: readonly Call[],
  members: Partial<Anomaly>,
  residency: string | null = null,
) => {
  const tenant = newTenant({ residency: ['eu', 'us'] });
  const anomaly = anAnomaly(tenant.tag, DAY, members);
  await commit(anomalyDetectionStore('anomalies').put(tenant.tenant_id, anomaly, null));
  const stores = {
    ...publishedPrices,
    findings: findingReader('anomalies'),
    mutes: muteStore('anomalies'),
    rollups: {
      read: async (...query: Parameters<ReturnType<typeof rollupReaderOf>['read']>) =>
        (await rollupReaderOf(calls).read(...query)).map((rollup) => ({ ...rollup, content: noContent })),
    },
    indexLag: {
      totalsLag: async () => ({ isStale: false, incompleteSince: null }),
      areRecordsStale: async () => false,
    },
  };
  const response = await callAsTenant(
    getAnomaly(stores),
    { tenant, id: anomaly.id, residency },
    { scopes: ['read:reporting'], clock: () => NOW },
  );
  return { response, stores, tenant };
};
const day = { grain: 'day' as const, period: { from: toIso(DAY), to: toIso(DAY + LENGTH.day) } };
const service = { dimension: 'service' as const, value: 'chat' };

it('divides the change since the same weekday, names its first hour, and leads to the calls', async () => {
  // From 15:00 on, three times as many calls.
  const more = [15, 16].flatMap((hour) =>
    hourly(DAY, hour, {
      invocations: 3,
      cost: '0.00675',
      tokens: { input_tokens: 3_000, output_tokens: 300 },
    }),
  );
  const { response, stores, tenant } = await explain([...usual, ...more], { ...day, ...service });

  expect(response.status).toBe(200);
  const explained = ExplainedAnomaly.parse(response.body);
  expect(explained).toEqual(response.body);
  // 36 calls for .00225 USD more.
  expect(explained).toMatchObject({
    first_hour: '2026-05-20T15:00:00.000Z',
    change: { change_usd: '0.081', parts: { volume_usd: '0.081', price_usd: '0', mix_usd: '0' } },
    previous: { period: { from: '2026-05-13T00:00:00.000Z' }, complete: true },
    movers: [{ served_model: 'gpt-5', change_usd: '0.081' }],
  });
  expect(explained.links.calls).toBe(
    '/v1/attribution?occurred_at%5Bgte%5D=2026-05-20T00%3A00%3A00.000Z&occurred_at%5Blt%5D=2026-05-21T00%3A00%3A00.000Z&sort=-cost_usd&service=chat',
  );
  const { searchParams } = new URL(explained.links.changes, 'https://api.example.com');
  const { group_by: groupBy, ...query } = Object.fromEntries(searchParams);
  expect(groupBy).toBe('served_model');
  const report = await readChanges(stores, { tenant, residency: null, scopes: new Set() }, query, NOW);
  expect(report.envelope.totals).toEqual(explained.change);
});

it('counts calls of the lane of the anomaly only', async () => {
  const lanes = usual.map((call): Call => ({ ...call, lane: 'eu' }));
  const [none, eu] = await Promise.all(
    [null, 'eu'].map((residency) =>
      explain([...usual, ...lanes, ...lanes], { ...day, ...service, residency }),
    ),
  );

  expect(none?.response.body).toMatchObject({ change: { current: { invocations: 12 } } });
  expect(eu?.response.body).toMatchObject({ change: { current: { invocations: 24 } } });
});

it('shows no anomaly of another lane', async () => {
  const { response } = await explain(usual, { ...day, ...service, residency: 'us' }, 'eu');

  expect(response).toMatchObject({ status: 409, body: { error_code: 'RESIDENCY_BLOCKED' } });
});

it('names nothing of fewer than five people', async () => {
  const secret = hourly(DAY, 12, { person: 'zoe', owner: 'secret', service: 'secret', cost: '9' });
  const { response } = await explain([...usual, ...secret], { ...day, dimension: 'tenant', value: null });

  expect(response.status).toBe(200);
  expect(JSON.stringify(response.body)).not.toContain('secret');
});

it('has parts that sum exactly to the change, whatever the calls are', async () => {
  const call = fc.record({
    day: fc.constantFrom(DAY - WEEK, DAY),
    hour: fc.integer({ min: 0, max: 23 }),
    model: fc.constantFrom('gpt-5', 'gpt-4.1', 'no-such-model'),
    cost: fc.integer({ min: 1, max: 1e9 }).map((units) => decimal(String(units)).div('1000000000').toFixed()),
    input: fc.integer({ min: 0, max: 9_999 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 12 }), async (some) => {
      const calls = some.flatMap(({ day: at, hour, model, cost, input }) =>
        hourly(at, hour, { model, cost, tokens: { input_tokens: input, output_tokens: 7 } }),
      );
      const { response } = await explain(calls, { ...day, ...service });
      const { change } = ExplainedAnomaly.parse(response.body);
      const costOf = (start: number): string =>
        sumDecimals(
          calls.filter(({ at }) => start <= at && at < start + LENGTH.day).map(({ cost }) => cost ?? '0'),
        );
      if (change.change_usd === null || change.parts === null) return;
      expect(sumDecimals(Object.values(change.parts))).toBe(change.change_usd);
      expect(change.change_usd).toBe(
        decimal(costOf(DAY))
          .minus(costOf(DAY - WEEK))
          .toFixed(),
      );
    }),
    { numRuns: 20 },
  );
});

it.each<[string, Record<number, string>, Record<number, string>, number | null]>([
  ['the hour of the jump', { 2: '1', 9: '8', 10: '8' }, { 2: '1' }, 9],
  ['the hour from which all cost more', { 0: '2', 1: '2', 2: '2' }, { 0: '1', 1: '1', 2: '1' }, 0],
  ['no hour if the day costs less', { 3: '1' }, { 3: '2' }, null],
])('finds %s', (_, now, before, expected) => {
  const range = { from: DAY, to: DAY + LENGTH.day };
  const costs = (start: number, hours: Record<number, string>) =>
    new Map(Object.entries(hours).map(([hour, cost]) => [start + Number(hour) * LENGTH.hour, decimal(cost)]));

  expect(firstHour(costs(DAY, now), costs(DAY - WEEK, before), range)).toBe(
    expected === null ? null : DAY + expected * LENGTH.hour,
  );
});
