import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Tenant } from '../../functions/tenancy/tenant.ts';
import { type BudgetRecord, BudgetRecord as Record } from '../../schemas/budgets.ts';
import { findDeployment } from '../../tools/operator/deployment.ts';
import { aGroup } from '../budgets/rollupFixtures.ts';
import { ABSENT_ULID } from '../contract/requests.ts';
import { type Answer, call, type Request, someEvent } from '../support/client.ts';
import { type AdminInstance, startAdminInstance } from './adminInstance.ts';

const BUDGETS = '/api/v1/budgets';
const REQUEST = { name: 'Search', ceiling_usd: '100', period: 'month', scope: { service: 'ranking' } };

let at: AdminInstance;
beforeAll(async () => {
  at = await startAdminInstance();
});
afterAll(() => at?.stop());

const on = (id: string, request: Request): Promise<Answer> => at.send(`${BUDGETS}/${id}`, request);
const create = async (key: string, members: object = {}): Promise<BudgetRecord> => {
  const answer = await at.send(BUDGETS, { key, body: { ...REQUEST, ...members } });
  expect(answer.status, answer.text).toBe(201);
  return Record.parse(answer.body);
};

/** Has today's sum of the tenant say that this was spent. */
const spend = async ({ tenant_id }: Tenant, usd: string): Promise<void> => {
  const { rollupWriter } = await import('../../functions/rollups/rollup.store.ts');
  const deployment = await findDeployment({ stack: undefined, dataDir: at.instance.dataDir });
  const rollups = rollupWriter(deployment.output('TableRollups'));
  const start = Math.floor(Date.now() / 86_400_000) * 86_400_000;
  const seen = await rollups.readRevision(tenant_id, 'day', start);
  await rollups.put(tenant_id, { grain: 'day', start, asOf: Date.now(), groups: [aGroup(usd)] }, seen);
};

describe('a budget', () => {
  it('is made, read, changed, listed and deleted', async () => {
    const { key } = await at.newTenant('one');
    const answer = await at.send(BUDGETS, { key, body: REQUEST });
    const made = Record.parse(answer.body);

    expect([answer.status, answer.headers.get('location')]).toEqual([201, `${BUDGETS}/${made.id}`]);
    expect(made).toMatchObject({ ...REQUEST, period_to_date_usd: '0', crossed: [], as_of: null });
    expect((await on(made.id, { key })).body).toEqual(made);

    const changed = await on(made.id, { key, method: 'PATCH', body: { ceiling_usd: '50' } });
    expect(changed.body).toMatchObject({ id: made.id, ceiling_usd: '50', scope: REQUEST.scope });
    expect((await at.send(BUDGETS, { key })).body['data']).toEqual([changed.body]);

    expect((await on(made.id, { key, method: 'DELETE' })).status).toBe(204);
    expect((await on(made.id, { key })).body['error_code']).toBe('NOT_FOUND');
  });

  it('tells of what was spent before it was made, once, by an event', async () => {
    const { tenant, key } = await at.newTenant('spent');
    await spend(tenant, '120.5');

    const budget = await create(key);
    await on(budget.id, { key, method: 'PATCH', body: { name: 'Renamed' } });

    expect(budget).toMatchObject({ period_to_date_usd: '120.5', crossed: [75, 100] });
    const events = (await at.events()).filter(({ tenant_id }) => tenant_id === 'spent');
    const told = events.map(({ type, data }) => [type, data['threshold'], data['period_to_date_usd']]);
    expect(told.sort()).toEqual([
      ['budget.threshold.crossed', 100, 120.5],
      ['budget.threshold.crossed', 75, 120.5],
    ]);
  });

  it('tells of calls that come in, once, however often they are sent', async () => {
    const { key } = await at.newTenant('calling');
    const { id } = await create(key, { ceiling_usd: '0.000001', scope: {} });
    const event = someEvent();
    for (const again of [event, event, someEvent()]) {
      await call(at.baseUrl, '/api/v1/invocations', { key, body: again });
    }
    await at.instance.runtime.idle();

    const toldOf = async () =>
      (await at.events())
        .filter(({ tenant_id }) => tenant_id === 'calling')
        .map(({ data }) => data['threshold']);
    await expect.poll(toldOf, { timeout: 30_000, interval: 500 }).toHaveLength(3);
    await expect
      .poll(async () => (await on(id, { key })).body, { timeout: 30_000, interval: 500 })
      .toMatchObject({ crossed: [75, 100, 150], period_to_date_usd: expect.stringMatching(/[1-9]/) });
    expect((await toldOf()).sort()).toEqual([100, 150, 75]);
  });

  it('of another tenant cannot be read, changed or deleted', async () => {
    const { key } = await at.newTenant('mine');
    const { key: stranger } = await at.newTenant('stranger');
    const made = await create(key);
    const attempts = (id: string) =>
      Promise.all([
        on(id, { key: stranger }),
        on(id, { key: stranger, method: 'PATCH', body: { name: 'x' } }),
        on(id, { key: stranger, method: 'DELETE' }),
      ]);

    const answers = [...(await attempts(made.id)), ...(await attempts(made.id.slice(0, 12) + ABSENT_ULID))];

    expect(answers.map(({ body }) => body['error_code'])).toEqual(Array(6).fill('TENANT_MISMATCH'));
    expect((await on(made.id, { key })).body).toEqual(made);
  });

  it('leaves who changed it in the audit log', async () => {
    const { key } = await at.newTenant('audited');
    const { id } = await create(key);
    await on(id, { key, method: 'PATCH', body: { name: 'Other' } });
    await on(id, { key, method: 'DELETE' });

    const told = (await at.audit()).filter(({ resource }) => resource === id);

    expect(told.map(({ action }) => action)).toEqual(['budget.create', 'budget.update', 'budget.delete']);
  });
});
