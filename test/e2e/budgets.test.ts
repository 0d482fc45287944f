import { afterAll, describe, expect, it } from 'vitest';
import { startOf } from '../../functions/ledger/rollups/grain.ts';
import type { Tenant } from '../../functions/platform/tenancy/tenant.ts';
import { type BudgetRecord, BudgetRecord as Record } from '../../schemas/insight/budgets.ts';
import { aGroup } from '../insight/budgets/rollupFixtures.ts';
import { type Answer, call, type Request, someEvent } from '../support/client.ts';
import { deploymentOf } from '../support/localService.ts';
import { startAdminInstance } from './adminInstance.ts';

const BUDGETS = '/api/v1/budgets';
const REQUEST = { name: 'Search', ceiling_usd: '100', period: 'month', scope: { service: 'ranking' } };

const api = await startAdminInstance();
afterAll(() => api.stop());

const on = (id: string, request: Request): Promise<Answer> => api.send(`${BUDGETS}/${id}`, request);
const create = async (key: string, members: object = {}): Promise<BudgetRecord> => {
  const answer = await api.send(BUDGETS, { key, body: { ...REQUEST, ...members } });
  expect(answer.status, answer.text).toBe(201);
  return Record.parse(answer.body);
};

/** Sets the cost of the present minute of the tenant. */
const spend = async ({ tenant_id }: Tenant, usd: string): Promise<void> => {
  const { rollupWriter } = await import('../../functions/ledger/rollups/rollupWriter.store.ts');
  const deployment = await deploymentOf(api.instance);
  const rollups = rollupWriter(deployment.output('TableRollups'));
  const start = startOf('minute', Date.now());
  for (const grain of ['hour', 'day'] as const)
    await rollups.openPeriod(tenant_id, { grain, start: startOf(grain, start) });
  const revision = await rollups.readRevision(tenant_id, 'minute', start);
  await rollups.put(tenant_id, { grain: 'minute', start, asOf: Date.now(), groups: [aGroup(usd)] }, revision);
};

describe('/api/v1/budgets', () => {
  it('raises one event per threshold that was already crossed when the budget is created', async () => {
    const { tenant, key } = await api.newTenant('spent');
    await spend(tenant, '120.5');

    const budget = await create(key);
    await on(budget.id, { key, method: 'PATCH', body: { name: 'Renamed' } });

    expect(budget).toMatchObject({ period_to_date_usd: null, crossed: null, stale: true });
    await api.instance.runtime.idle();
    expect((await on(budget.id, { key })).body).toMatchObject({
      period_to_date_usd: '120.5',
      crossed: [75, 100],
    });
    const events = (await api.events()).filter(({ tenant_id }) => tenant_id === 'spent');
    const raised = events.map(({ type, data }) => [type, data['threshold'], data['period_to_date_usd']]);
    expect(raised.sort()).toEqual([
      ['budget.threshold.crossed', 100, 120.5],
      ['budget.threshold.crossed', 75, 120.5],
    ]);
  });

  it('raises one event per threshold when new calls arrive, even when they are sent repeatedly', async () => {
    const { key } = await api.newTenant('calling');
    const { id } = await create(key, { ceiling_usd: '0.000001', scope: {} });
    const event = someEvent();
    for (const again of [event, event, someEvent()]) {
      await call(api.baseUrl, '/api/v1/invocations', { key, body: again });
    }
    await api.instance.runtime.idle();

    const raisedThresholds = async () =>
      (await api.events())
        .filter(({ tenant_id }) => tenant_id === 'calling')
        .map(({ data }) => data['threshold']);
    await expect.poll(raisedThresholds, { interval: 500 }).toHaveLength(3);
    await expect
      .poll(async () => (await on(id, { key })).body, { interval: 500 })
      .toMatchObject({ crossed: [75, 100, 150], period_to_date_usd: expect.stringMatching(/[1-9]/) });
    expect((await raisedThresholds()).sort()).toEqual([100, 150, 75]);
  });
});
