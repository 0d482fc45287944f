import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import { NOW, startCoverageHarness } from '../../insight/coverage/harness.ts';

let tenant: Tenant;

const world = await startCoverageHarness();
afterAll(() => world.live.stop());
beforeEach(() => {
  tenant = world.newTenant();
  world.time.now = NOW;
});

const aRow = (members: Record<string, unknown> = {}) => ({
  BilledCost: '12.5',
  BillingCurrency: 'USD',
  ServiceProviderName: 'OpenAI',
  BillingAccountId: 'research',
  ChargePeriodStart: '2026-04-30T00:00:00Z',
  ChargePeriodEnd: '2026-05-01T00:00:00Z',
  SkuId: 'gpt-4o-2024-08-06',
  SkuMeter: 'Input Tokens',
  ...members,
});
const onDay = (day: string) => ({
  ChargePeriodStart: `${day}T00:00:00Z`,
  ChargePeriodEnd: `${day}T01:00:00Z`,
});
const send = async (rows: readonly object[], principal = 'key_1', key?: string) => {
  const body = { rows };
  const sent = { tenant, body, principal, ...(key !== undefined && { key }) };
  expect((await world.call('postBills', sent)).status).toBe(200);
};
const list = async (query: Record<string, string> = {}): Promise<Record<string, unknown>> => {
  const { status, body } = await world.call('listBills', { tenant, query });
  expect(status).toBe(200);
  return body;
};

describe('listBills', () => {
  it('names provider, account, days, amounts, arrival and sender of each delivery', async () => {
    await send([
      aRow(),
      aRow({ ...onDay('2026-04-28'), BilledCost: '0.000000000001' }),
      aRow({ ChargeCategory: 'Tax', BilledCost: '-1.25' }),
    ]);
    await send([aRow({ ServiceProviderName: 'Anthropic', BillingAccountId: null }), aRow()]);

    const of = {
      id: expect.stringMatching(/^rows-/),
      mode: 'merge',
      state: 'complete',
      to: '2026-05-01',
      rejected_rows: 0,
      imported_at: new Date(NOW).toISOString(),
      imported_by: 'key_1',
      source_id: null,
      expires_at: null,
    };
    const { data } = await list();
    expect(
      Object(data).toSorted((one: object, other: object) => Object(other).rows - Object(one).rows),
    ).toEqual([
      {
        ...of,
        provider: 'openai',
        account: 'research',
        from: '2026-04-28',
        rows: 3,
        billed_usd: '12.500000000001',
        other_charges_usd: '-1.25',
      },
      {
        ...of,
        provider: null,
        account: null,
        from: '2026-04-30',
        rows: 2,
        billed_usd: '25',
        other_charges_usd: '0',
      },
    ]);
  });

  it('lists the newest billed day first, and every import once over its pages', async () => {
    for (const day of ['2026-04-28', '2026-04-30', '2026-04-29']) await send([aRow(onDay(day))]);

    const first = await list({ limit: '2' });
    const { next_cursor: cursor } = Object(first['page']);
    const rest = await list({ limit: '2', cursor });

    const days = [first, rest].flatMap(({ data }) => Object(data).map(({ to }: { to: string }) => to));
    expect(days).toEqual(['2026-05-01', '2026-04-30', '2026-04-29']);
  });

  it('lists rows that were sent again once, and a changed bill beside the first', async () => {
    await send([aRow()], 'key_1', 'one-call');
    await send([aRow({ InvoiceDetailId: 'INV-1' })]);
    await send([aRow({ BilledCost: '13' })], 'key_2');

    const { data } = await list();

    const shown = Object(data).map((entry: Record<string, unknown>) => [
      entry['billed_usd'],
      entry['imported_by'],
    ]);
    expect(shown.sort()).toEqual([
      ['12.5', 'key_1'],
      ['13', 'key_2'],
    ]);
  });

  it('is empty for another tenant, and rejects a credential that is bound to a lane', async () => {
    await send([aRow()]);

    const lane = { tenant: { ...tenant, residency: ['eu'] }, residency: 'eu' };
    expect((await world.call('listBills', lane)).body).toMatchObject({ error_code: 'RESIDENCY_BLOCKED' });
    tenant = world.newTenant();
    expect((await list())['data']).toEqual([]);
  });
});
