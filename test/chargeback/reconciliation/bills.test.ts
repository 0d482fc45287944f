import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { markKeyOf, pendingMarkStore } from '../../../functions/ledger/rollups/marks/pendingMark.store.ts';
import { commit } from '../../../functions/platform/shared/aws/document.store.ts';
import { tenantWriter } from '../../../functions/platform/tenancy/tenant.store.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import type { Scope } from '../../../schemas/identity/scopes.ts';
import { NOW, startCoverageHarness } from '../../insight/coverage/harness.ts';
import { aDay, aGroup } from './rollupFixtures.ts';

let tenant: Tenant;

const world = await startCoverageHarness();
afterAll(() => world.live.stop());
beforeEach(() => {
  tenant = world.newTenant();
  world.time.now = NOW;
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterEach(() => vi.restoreAllMocks());

const aRow = (members: Record<string, unknown> = {}) => ({
  BilledCost: '12.5',
  BillingCurrency: 'USD',
  ServiceProviderName: 'OpenAI',
  ChargePeriodStart: '2026-04-30T00:00:00Z',
  ChargePeriodEnd: '2026-05-01T00:00:00Z',
  SkuId: 'gpt-4o-2024-08-06',
  SkuMeter: 'Input Tokens',
  ...members,
});
const send = (rows: readonly object[], key?: string) =>
  world.call('postBills', { tenant, body: { rows }, ...(key !== undefined && { key }) });
const compare = (query: Record<string, string> = {}) => world.call('getReconciliation', { tenant, query });
const daysOf = (first: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) =>
    new Date(Date.parse(first) + index * 86_400_000).toISOString().slice(0, 10),
  );
const billedNow = async () => Object((await compare()).body['totals']).billed_usd;

describe('GET /api/v1/reconciliation', () => {
  it('returns every row once over its pages, and the totals of the whole period on each', async () => {
    const day = (provider: string) => aRow({ ServiceProviderName: provider, BilledCost: '1.5' });
    await world.putRollup(tenant, aDay('2026-04-30', [aGroup({ cost: '10' })]));
    await send(['OpenAI', 'Anthropic', 'Mistral', 'Cohere', 'Google'].map(day));
    const whole = await compare();
    const pages: Record<string, unknown>[] = [];

    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body, status } = await compare({ limit: '2', ...(cursor !== '' && { cursor }) });
      expect(status).toBe(200);
      pages.push(body);
      cursor = Object(body['page']).next_cursor;
    }

    expect(pages).toHaveLength(3);
    expect(pages.flatMap(({ data }) => data)).toEqual(whole.body['data']);
    for (const { totals, period } of pages) {
      expect([totals, period]).toEqual([whole.body['totals'], whole.body['period']]);
    }
  });

  it('shows one state on all its pages, whatever is billed and recorded between them', async () => {
    const bill = (provider: string, cost: string) =>
      aRow({ ServiceProviderName: provider, BilledCost: cost });
    await send(['Anthropic', 'Cohere', 'OpenAI'].map((provider) => bill(provider, '1.5')));
    const whole = (await compare()).body;
    const pages: Record<string, unknown>[] = [];

    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body } = await compare({ limit: '1', ...(cursor !== '' && { cursor }) });
      pages.push(body);
      cursor = Object(body['page']).next_cursor;
      await send([bill('AI21', `${pages.length}`), bill('OpenAI', `${pages.length}`), bill('xAI', '7')]);
    }

    expect(pages.flatMap(({ data }) => data)).toEqual(whole['data']);
    for (const { totals } of pages) expect(totals).toEqual(whole['totals']);
  });

  it('rejects a cursor of another grouping', async () => {
    await send([aRow(), aRow({ ServiceProviderName: 'Anthropic' })]);
    const { body } = await compare({ limit: '1' });
    const { next_cursor: cursor } = Object(body['page']);

    expect((await compare({ limit: '1', cursor, group_by: 'day' })).body['error_code']).toBe(
      'INVALID_CURSOR',
    );
  });
});

describe('POST /api/v1/reconciliation/bills', () => {
  it('stores rows that are compared with the recorded cost', async () => {
    await world.putRollup(
      tenant,
      aDay('2026-04-30', [aGroup({ cost: '9' }), aGroup({ cost: '1', output_state: 'unresolved' })]),
    );

    const answer = await send([
      aRow(),
      aRow({ SkuMeter: 'Output Tokens', BilledCost: '1.25E-1' }),
      aRow({ ChargeCategory: 'Tax', BilledCost: '3' }),
      aRow({ ServiceProviderName: 'Anthropic', SkuId: 'claude-sonnet-4-5', BilledCost: '7', x_Unknown: 1 }),
    ]);
    const { body } = await compare();

    expect(answer.body).toEqual({
      rows: 4,
      rejected_rows: 0,
      rejected: [],
      rounded_rows: 0,
      from: '2026-04-30',
      to: '2026-05-01',
      billed_usd: '19.625',
      as_of: '2026-05-01T12:00:00.000Z',
      delivery: {
        id: expect.stringMatching(/^rows-/),
        mode: 'merge',
        state: 'complete',
        provider: null,
        account: null,
        from: '2026-04-30',
        to: '2026-05-01',
        rows: 4,
        rejected_rows: 0,
        billed_usd: '19.625',
        other_charges_usd: '3',
        imported_at: '2026-05-01T12:00:00.000Z',
        imported_by: expect.any(String),
        source_id: null,
        expires_at: null,
      },
    });
    const noParts = {
      uncaptured_calls_usd: '0',
      unbilled_calls_usd: '0',
      token_kinds_usd: '0',
      batch_usd: '0',
      tier_usd: '0',
      price_usd: '0',
      rounding_usd: '0',
      unexplained_usd: '0',
    };
    const none = {
      invocations: 0,
      recorded_usd: '0',
      difference_parts: noParts,
      attributed_usd: '0',
      unattributed_usd: '0',
      mixed_usd: '0',
      under_recorded_usd: '0',
      over_attributed_usd: '0',
      not_billed_usd: '0',
      not_seen_usd: '0',
      other_charges_usd: '0',
      unpriced_invocations: 0,
      implausible_invocations: 0,
      changed_since_bill: false,
      suppressed_groups: 0,
      billed_until: '2026-05-01T00:00:00.000Z',
    };
    expect(body).toEqual({
      billing_periods: [
        { period: '2026-04', state: 'open', adjustment_usd: '0' },
        { period: '2026-05', state: 'open', adjustment_usd: '0' },
      ],
      data: [
        {
          ...none,
          kind: 'group',
          provider: 'anthropic',
          model: 'claude-sonnet-4-5',
          billed_usd: '7',
          difference_usd: '7',
          not_seen_usd: '7',
          difference_parts: { ...noParts, uncaptured_calls_usd: '7' },
        },
        {
          ...none,
          kind: 'group',
          provider: 'openai',
          model: 'gpt-4o',
          invocations: 2,
          recorded_usd: '10',
          attributed_usd: '9',
          unattributed_usd: '1',
          billed_usd: '12.625',
          difference_usd: '3.625',
          under_recorded_usd: '2.625',
          other_charges_usd: '3',
          difference_parts: { ...noParts, unexplained_usd: '2.625' },
        },
      ],
      page: { next_cursor: null, limit: 50, has_more: false },
      bill_coverage: [
        {
          provider: 'anthropic',
          billed_until: '2026-05-01T00:00:00.000Z',
          is_late: false,
          days_without_bill: [...daysOf('2026-04-02', 28), '2026-05-01'],
        },
        {
          provider: 'openai',
          billed_until: '2026-05-01T00:00:00.000Z',
          is_late: false,
          days_without_bill: [...daysOf('2026-04-02', 28), '2026-05-01'],
        },
      ],
      suggested_prices: [],
      period: { from: '2026-04-02', to: '2026-05-02', exact: true },
      totals: {
        ...none,
        invocations: 2,
        recorded_usd: '10',
        attributed_usd: '9',
        unattributed_usd: '1',
        billed_usd: '19.625',
        difference_usd: '10.625',
        not_seen_usd: '7',
        under_recorded_usd: '2.625',
        other_charges_usd: '3',
        difference_parts: { ...noParts, uncaptured_calls_usd: '7', unexplained_usd: '2.625' },
      },
      as_of: {
        attributed: '2026-05-01T12:00:00.000Z',
        billed: '2026-05-01T12:00:00.000Z',
        billed_until: '2026-05-01T00:00:00.000Z',
      },
      recorded_stale: false,
      stale: false,
    });
    expect(await world.auditOf(tenant)).toMatchObject([{ action: 'bills.import', outcome: 'succeeded' }]);
  });

  it('suggests the price of a bill that has as many tokens as the records', async () => {
    const tokens = { input_tokens: 1_000_000, output_tokens: 200_000 };
    await world.putRollup(tenant, aDay('2026-04-30', [aGroup({ cost: '4.5', tokens })]));
    const quantity = { ConsumedUnit: '1K Tokens', PricingCategory: 'Standard' };
    await send([
      aRow({ ...quantity, BilledCost: '2.125', ConsumedQuantity: '1000' }),
      aRow({ ...quantity, BilledCost: '1.7', ConsumedQuantity: '200', SkuMeter: 'Output Tokens' }),
    ]);

    const { body } = await compare();

    expect(body['suggested_prices']).toEqual([
      {
        price: {
          provider: 'openai',
          model: 'gpt-4o',
          from: '2026-04-30T00:00:00Z',
          input: '2.125',
          output: '8.5',
          source: 'Bills from 2026-04-30 until before 2026-05-01',
        },
        overridden_in: [],
        evidence: {
          from: '2026-04-30',
          to: '2026-05-01',
          days: 1,
          tokens: [
            { kind: 'input', count: 1_000_000, billed_usd: '2.125' },
            { kind: 'output', count: 200_000, billed_usd: '1.7' },
          ],
          billed_usd: '3.825',
          recorded_usd: '4.5',
          unpriced_invocations: 0,
        },
      },
    ]);
    expect((await compare({ from: '2026-04-01', to: '2026-04-30' })).body['suggested_prices']).toEqual([]);
  });

  it('says which regions have contract prices that win, only with the scope that reads them', async () => {
    const region = { provider: 'openai', model: 'gpt-4o', region: 'eastus2', from: '2026-01-01T00:00:00Z' };
    const write = { expectedRevision: null, by: { claim: 'test', attempt: 1 } };
    await commit([
      tenantWriter('tenants').putContractPrices(tenant.tenant_id, [{ ...region, input: '3' }], write),
    ]);
    const tokens = { input_tokens: 1_000_000 };
    await world.putRollup(tenant, aDay('2026-04-30', [aGroup({ cost: '2.5', tokens })]));
    await send([aRow({ BilledCost: '2.125', ConsumedQuantity: '1000000', ConsumedUnit: 'Tokens' })]);

    const overridden = async (scopes?: readonly Scope[]) =>
      Object(Object((await world.call('getReconciliation', { tenant }, scopes)).body['suggested_prices'])[0])
        .overridden_in;

    expect(await overridden()).toEqual(['eastus2']);
    expect(await overridden(['read:reporting'])).toBeUndefined();
  });

  it('says that recorded cost may be missing while a change is not in it', async () => {
    const at = NOW - 5 * 60_000;
    await pendingMarkStore('counters').add(tenant.tenant_id, { key: markKeyOf(at, 'one'), minutes: [] });
    const { body } = await compare();

    expect(body).toMatchObject({ recorded_stale: true });
  });

  it('replaces rows that are sent again, without adding them', async () => {
    await send([aRow()]);
    world.time.now += 1_000;
    await send([aRow({ BilledCost: '13', ConsumedQuantity: '7' })]);
    world.time.now += 1_000;
    await send([aRow({ BilledCost: '1', SubAccountId: 'another' })]);

    expect(await billedNow()).toBe('14');
  });

  it('stores the rows of concurrent requests', async () => {
    await Promise.all(
      Array.from({ length: 6 }, (_, index) => send([aRow({ BilledCost: '1', x_RowId: `row-${index}` })])),
    );

    expect(await billedNow()).toBe('6');
  });

  it('sums a thousand small rows exactly', async () => {
    const rows = Array.from({ length: 1_000 }, (_, index) =>
      aRow({ BilledCost: '0.000000000001', x_RowId: `row-${index}` }),
    );

    const answer = await send(rows);

    expect([answer.status, await billedNow()]).toEqual([200, '0.000000001']);
  });

  it.each([
    [{ BillingCurrency: 'EUR' }, '/rows/1/BillingCurrency'],
    [{ BilledCost: 12.5 }, '/rows/1/BilledCost'],
    [{ BilledCost: '1,5' }, '/rows/1/BilledCost'],
    [{ ServiceProviderName: null }, '/rows/1/ServiceProviderName'],
    [{ ChargePeriodEnd: '2026-05-02T00:00:00Z' }, '/rows/1/ChargePeriodEnd'],
    [{ ChargePeriodEnd: '2026-04-29T00:00:00Z' }, '/rows/1/ChargePeriodEnd'],
  ])('names one row with %o and stores the others, or nothing if it is atomic', async (members, pointer) => {
    const rows = [aRow(), aRow(members)];

    const atomic = await world.call('postBills', { tenant, body: { rows, atomic: true } });
    const before = await billedNow();
    const answer = await send(rows);

    expect([atomic, before]).toMatchObject([{ status: 422, body: { errors: [{ pointer }] } }, null]);
    expect(answer.body).toMatchObject({
      rows: 1,
      rejected_rows: 1,
      rejected: [{ index: 1, errors: [{ pointer }] }],
      delivery: { rows: 1, rejected_rows: 1 },
    });
    expect(await billedNow()).toBe('12.5');
  });

  it('returns 422 if no row can be read', async () => {
    expect(await send([aRow({ BilledCost: 0.1 })])).toMatchObject({ status: 422 });
  });
});

describe('GET /api/v1/reconciliation', () => {
  it.each([
    ['provider', [{ provider: 'openai', billed_usd: '14' }]],
    [
      'model',
      [
        { model: null, billed_usd: '1.5' },
        { model: 'gpt-4o', billed_usd: '12.5' },
      ],
    ],
    [
      'day',
      [
        { day: '2026-04-29', billed_usd: '1.5' },
        { day: '2026-04-30', billed_usd: '12.5' },
      ],
    ],
    [
      'day,provider',
      [
        { day: '2026-04-29', provider: 'openai' },
        { day: '2026-04-30', provider: 'openai' },
      ],
    ],
  ])('returns rows grouped by %s', async (group_by, expected) => {
    const earlier = { ChargePeriodStart: '2026-04-29T01:00:00Z', ChargePeriodEnd: '2026-04-29T02:00:00Z' };
    await send([aRow(), aRow({ ...earlier, SkuId: null, BilledCost: '1.5' })]);

    const { body } = await compare({ group_by });

    expect(body['data']).toMatchObject(expected);
    expect(
      Object.keys(Object(body['data'])[0])
        .filter((name) => ['provider', 'model', 'day'].includes(name))
        .sort(),
    ).toEqual(group_by.split(',').sort());
  });

  it('returns the requested days, excluding the end', async () => {
    await send([aRow()]);

    const periods = [
      { from: '2026-04-30', to: '2026-05-01' },
      { from: '2026-04-29', to: '2026-04-30' },
      { from: '2026-05-01T02:00:00+02:00', to: '2026-05-02' },
    ];
    const responses = await Promise.all(periods.map(compare));

    expect(responses.map(({ body }) => Object(body['data']).length)).toEqual([1, 0, 0]);
  });

  it('sets stale when no bill covers the last 24 hours', async () => {
    const before = (await compare()).body['stale'];
    await send([aRow()]);
    const fresh = (await compare()).body['stale'];
    world.time.now = Date.parse('2026-05-02T00:00:01Z');

    expect([before, fresh, (await compare()).body['stale']]).toEqual([true, false, true]);
  });

  it.each([
    { from: '2026-05-01', to: '2026-05-01' },
    { from: '2026-01-01', to: '2026-05-01' },
    { from: '2026-04-30T12:00:00Z' },
    { group_by: 'owner' },
    { group_by: 'day,day' },
    { cursor: 'x' },
  ])('returns 400 for %o', async (query) => {
    expect((await compare(Object.fromEntries(Object.entries(query)))).status).toBe(400);
  });

  it('returns 409 for a credential bound to a lane, as does the import of bills', async () => {
    tenant = world.newTenant({ residency: ['eu'] });
    const bound = { tenant, residency: 'eu' };

    const answers = [
      await world.call('getReconciliation', bound),
      await world.call('postBills', { ...bound, body: { rows: [aRow()] } }),
    ];

    expect(answers.map(({ status, body }) => [status, body['error_code']])).toEqual(
      Array(2).fill([409, 'RESIDENCY_BLOCKED']),
    );
  });
});

it('refuses a misspelt member of a request, instead of storing its rows as another bill', async () => {
  const { status, body } = await world.call('postBills', { tenant, body: { rows: [aRow()], complte: true } });

  expect(status).toBe(422);
  expect(body['errors']).toMatchObject([{ pointer: '/complte', suggestion: 'complete' }]);
  expect(await billedNow()).toBeNull();
});
