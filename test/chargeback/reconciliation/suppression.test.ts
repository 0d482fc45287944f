import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import { reportFields } from '../../../schemas/insight/reports.ts';
import { NOW, startCoverageHarness } from '../../insight/coverage/harness.ts';
import { type Call, rollupReaderOf, TENANT, team } from '../../insight/reports/calls.ts';
import {
  askReports,
  breaches,
  type Inquiry,
  runDifferencingAttack,
} from '../../insight/reports/differencingAttack.ts';
import { groupings, recordedSums } from './inquiry.ts';

const MARCH = { from: Date.parse('2026-03-01'), to: Date.parse('2026-04-01') };
const YEAR = { from: Date.parse('2026-01-01'), to: Date.parse('2027-01-01') };

let tenant: Tenant;

const world = await startCoverageHarness();
afterAll(() => world.live.stop());
beforeEach(() => {
  world.time.now = NOW;
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterEach(() => vi.restoreAllMocks());

const compare = async (query: Record<string, string>) => {
  const { status, body, text } = await world.call('getReconciliation', { tenant, query });
  expect(status, text).toBe(200);
  return body;
};
const put = async (calls: readonly Call[]) => {
  const days = await rollupReaderOf(calls).read(TENANT, { grain: 'day', ...YEAR });
  for (const day of days) await world.putRollup(tenant, day);
};
const aBill = (members: Record<string, unknown>) => ({
  BilledCost: '0',
  BillingCurrency: 'USD',
  ServiceProviderName: 'OpenAI',
  ChargePeriodStart: '2026-03-02T00:00:00Z',
  ChargePeriodEnd: '2026-03-03T00:00:00Z',
  SkuId: 'gpt-4o',
  ...members,
});
const sendBills = async (rows: readonly object[]) =>
  expect((await world.call('postBills', { tenant, body: { rows } })).status).toBe(200);
const rowsOf = (body: Readonly<Record<string, unknown>>): object[] =>
  Array.isArray(body['data']) ? body['data'] : [];

describe('a differencing attack with reports and comparisons', () => {
  const periods = [
    { from: '2026-03-01', to: '2026-05-01' },
    { from: '2026-03-01', to: '2026-04-01' },
    { from: '2026-03-01', to: '2026-03-02' },
    { from: '2026-03-02', to: '2026-04-01' },
    { from: '2026-03-31', to: '2026-04-02' },
  ];
  const overHttp =
    (query: Record<string, string>): Inquiry =>
    async () => {
      const body = await compare(query);
      return [...rowsOf(body), Object(body['totals'])].flatMap(recordedSums);
    };

  it('cannot isolate the calls of one to four persons', async () => {
    tenant = world.newTenant({ tenant_id: TENANT });
    const days = ['2026-03-01', '2026-03-02', '2026-03-31', '2026-04-01'];
    const calls = Array.from(
      { length: 30 },
      (_, index): Call => ({
        at: Date.parse(days[index % 4] ?? ''),
        person: `person-${(index * 3) % 8}`,
        owner: index % 3 === 0 ? 'ads' : 'search',
        provider: index % 5 === 0 ? 'anthropic' : 'openai',
        model: index % 7 < 5 ? 'large' : 'small',
        state: index % 11 === 0 ? 'unresolved' : 'deterministically_resolved',
        invocations: 2 ** index,
        cost: String(2 ** index),
      }),
    );
    await put(calls);
    const reports = [[], ...reportFields.map((field) => [field])].map((group_by) =>
      askReports({ range: MARCH, group_by, lane: null }),
    );
    const comparisons = periods.flatMap((period) =>
      groupings.filter((by) => by.length > 0).map((by) => overHttp({ ...period, group_by: by.join() })),
    );

    const atoms = await runDifferencingAttack(rollupReaderOf(calls), [...reports, ...comparisons]);

    expect(atoms.length).toBeGreaterThan(1);
    expect(breaches(calls, atoms)).toEqual([]);
  });
});

describe('records of few persons', () => {
  const monday = Date.parse('2026-03-02');
  const six = team('ads', 6).map((person): Call => ({ at: monday, person, owner: 'ads', model: 'gpt-4o' }));
  // Person hashes contain the tenant id. With another tenant, no label is the identity of a person.
  beforeEach(() => {
    tenant = world.newTenant();
  });

  it('of one model are compared with the bills together with another model', async () => {
    await put([...six, { at: monday, person: 'ads-0', owner: 'ads', model: 'gpt-4o-mini', cost: '0.5' }]);
    await sendBills([aBill({ BilledCost: '6' }), aBill({ SkuId: 'gpt-4o-mini', BilledCost: '0.75' })]);

    const body = await compare({ from: '2026-03-01', to: '2026-04-01' });

    expect(body).toMatchObject({
      data: [
        {
          kind: 'folded',
          provider: 'openai',
          invocations: 7,
          attributed_usd: '6.5',
          billed_usd: '6.75',
          difference_usd: '0.25',
          under_recorded_usd: '0.25',
          not_seen_usd: '0',
          suppressed_groups: 2,
        },
      ],
      totals: { attributed_usd: '6.5', billed_usd: '6.75', suppressed_groups: 2 },
      period: { exact: true },
    });
    expect(rowsOf(body)[0]).not.toHaveProperty('model');
  });

  it('of one day are counted with their bill on the day on which the report counts them', async () => {
    const sunday = { ChargePeriodStart: '2026-03-01T00:00:00Z', ChargePeriodEnd: '2026-03-02T00:00:00Z' };
    await put([...six, ...six.slice(0, 2).map((call) => ({ ...call, at: Date.parse('2026-03-01') }))]);
    await sendBills([aBill({ BilledCost: '6' }), aBill({ ...sunday, BilledCost: '2' })]);

    const all = await compare({ from: '2026-03-01', to: '2026-04-01', group_by: 'day,model' });
    const early = await compare({ from: '2026-03-01', to: '2026-03-02', group_by: 'day' });

    expect(all).toMatchObject({
      data: [
        {
          kind: 'group',
          day: '2026-03-02',
          model: 'gpt-4o',
          attributed_usd: '8',
          billed_usd: '8',
          difference_usd: '0',
        },
      ],
      period: { exact: true },
    });
    expect(early).toMatchObject({ data: [], totals: { billed_usd: null }, period: { exact: false } });
  });

  it('are one sum with all other records in a month with fewer than five persons', async () => {
    const unattributed: Call = { at: monday, model: 'gpt-4o', state: 'unresolved', cost: '2' };
    await put([...six.slice(0, 2), unattributed, { ...unattributed, model: 'gpt-4o-mini' }]);
    await sendBills([aBill({ BilledCost: '6' }), aBill({ SkuId: 'o3', BilledCost: '1' })]);

    expect(await compare({ from: '2026-03-01', to: '2026-04-01' })).toMatchObject({
      data: [
        { kind: 'group', model: 'o3', not_seen_usd: '1', invocations: 0 },
        { kind: 'folded', invocations: 4, attributed_usd: '0', mixed_usd: '6', difference_usd: '6' },
      ],
      totals: { mixed_usd: '6', billed_usd: '7', not_seen_usd: '1' },
    });
  });

  it('are not merged when five persons share the model and the day', async () => {
    await put([...six, ...team('lab', 5).map((person): Call => ({ at: monday, person, model: 'o3' }))]);
    await sendBills([aBill({ BilledCost: '7' }), aBill({ SkuId: 'o3', BilledCost: '5' })]);

    expect(await compare({ from: '2026-03-02', to: '2026-03-03' })).toMatchObject({
      data: [
        { kind: 'group', model: 'gpt-4o', attributed_usd: '6', under_recorded_usd: '1' },
        { kind: 'group', model: 'o3', attributed_usd: '5', difference_usd: '0' },
      ],
      totals: { suppressed_groups: 0 },
      period: { exact: true },
    });
  });
});
