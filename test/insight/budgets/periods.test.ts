import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import { newTenant } from '../../support/tenants.ts';
import { type BudgetHarness, startBudgetHarness } from './harness.ts';
import { aGroup, putRollup } from './rollupFixtures.ts';

const FIVE = ['aa', 'bb', 'cc', 'dd', 'ee'];

let tenant: Tenant;
const harness = await startBudgetHarness();
afterAll(() => harness.live.stop());
beforeEach(async () => {
  tenant = newTenant();
  const spend = (day: string, usd: string) =>
    putRollup(tenant, 'day', Date.parse(day), [
      aGroup(usd, { persons: FIVE, calls: 5 }),
      aGroup('0.5', { owner: 'ann', unpriced: 2, persons: ['ff'] }),
    ]);
  await spend('2026-03-31', '80');
  await spend('2026-04-01', '40');
  await spend('2026-04-30', '60.5');
  await spend('2026-05-02', '10');
});

const create = async (members: object, scopes?: Parameters<BudgetHarness['call']>[2]) => {
  const body = { name: 'A budget', ceiling_usd: '100', period: 'month', scope: {}, ...members };
  return String((await harness.call('create', { tenant, body }, scopes)).body['id']);
};
const read = (id: string, query: object = {}, scopes?: Parameters<BudgetHarness['call']>[2]) =>
  harness.call('periods', { tenant, id, query: { ...query } }, scopes);

describe('GET /api/v1/budgets/{id}/periods', () => {
  it('sums each period exactly, with the thresholds that it reaches, newest first', async () => {
    const { status, body } = await read(await create({}), { limit: '3' });

    expect(status).toBe(200);
    expect(body['data']).toMatchObject([
      {
        period: { from: '2026-05-01T00:00:00.000Z', to: '2026-06-01T00:00:00.000Z' },
        is_current: true,
        spent_usd: '10.5',
        unpriced_invocations: 2,
        reached: [],
      },
      {
        period: { from: '2026-04-01T00:00:00.000Z', to: '2026-05-01T00:00:00.000Z' },
        is_current: false,
        spent_usd: '101.5',
        unpriced_invocations: 4,
        reached: [75, 100],
      },
      { spent_usd: '80.5', reached: [75], is_current: false },
    ]);
  });

  it('has null instead of a time for those without usage', async () => {
    const { body } = await read(await create({}));

    expect(body['data']).toHaveLength(12);
    expect(body['data']).toMatchObject(
      expect.arrayContaining([expect.objectContaining({ spent_usd: '0', reached: [], as_of: null })]),
    );
  });

  it('returns each period for which records are kept once, by cursor', async () => {
    const id = await create({});
    const starts: unknown[] = [];
    let cursor: unknown;
    do {
      const { body } = await read(id, { limit: '10', ...(typeof cursor === 'string' && { cursor }) });
      starts.push(...Object(body)['data'].map((one: object) => Object(one).period.from));
      cursor = Object(body).page.next_cursor;
    } while (cursor !== null);

    expect(starts).toHaveLength(25);
    expect(new Set(starts).size).toBe(25);
    expect(starts).toEqual(starts.toSorted().toReversed());
  });

  it('counts cohorts only, for a budget of a caller without read:attribution', async () => {
    const scopes = ['admin:config', 'read:reporting'] as const;
    const { body } = await read(await create({ scope: { owner: 'ann' } }, scopes), {}, scopes);

    expect(body['data']).toMatchObject(Array.from({ length: 12 }, () => ({ spent_usd: '0' })));
  });

  it('hides the figures of a budget that counts records from a caller without read:attribution', async () => {
    const id = await create({ scope: { owner: 'ann' } });
    const { body } = await read(id, { limit: '1' }, ['admin:config', 'read:reporting']);

    expect(body['data']).toEqual([
      {
        time_zone: 'UTC',
        period: { from: '2026-05-01T00:00:00.000Z', to: '2026-06-01T00:00:00.000Z' },
        is_current: true,
        spent_usd: null,
        spent_by_owner_state: null,
        unpriced_invocations: null,
        reached: null,
        as_of: null,
      },
    ]);
  });

  it.each(['0', '201', 'x'])('refuses the limit %s', async (limit) => {
    expect(await read(await create({}), { limit })).toMatchObject({ status: 400 });
  });

  it('returns NOT_FOUND for an unknown budget', async () => {
    expect(await read('01J9Z3K4M5N6P7Q8R9S0T1V2W3')).toMatchObject({ status: 404 });
  });
});
