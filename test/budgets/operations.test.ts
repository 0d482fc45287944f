import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { budgetWriter } from '../../functions/budgets/budget.store.ts';
import { LENGTH } from '../../functions/rollups/grain.ts';
import { commit } from '../../functions/shared/aws/document.store.ts';
import type { Tenant } from '../../functions/tenancy/tenant.ts';
import { BUDGETS_MAXIMUM, BudgetRecord } from '../../schemas/budgets.ts';
import { type Fault, injectFaults } from '../credentials/faultInjection.ts';
import type { TestResponse } from '../http/harness.ts';
import { tamper } from '../support/tamper.ts';
import { type BudgetHarness, type OperationName, startBudgetHarness } from './harness.ts';
import { aGroup, newTenant, putRollup, readRaisedEvents } from './rollupFixtures.ts';

/** What a function of the harness has left, and how much longer its lease lasts. */
const LEASE = 10_000 + 2_000;
const REQUEST = { name: 'Search', ceiling_usd: '100', period: 'month', scope: { owner: 'team-search' } };

let world: BudgetHarness;
let faults: ReturnType<typeof injectFaults>;
let tenant: Tenant;
beforeAll(async () => {
  world = await startBudgetHarness();
  faults = injectFaults();
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await world?.live.stop();
});
beforeEach(() => {
  tenant = newTenant();
  // Outages are logged; nobody needs to read them here.
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterEach(() => vi.restoreAllMocks());

const create = async (members: object = {}, residency?: string): Promise<BudgetRecord> => {
  world.time.now += 1;
  const body = { ...REQUEST, ...members };
  const answer = await world.call('create', { tenant, body, ...(residency && { residency }) });
  expect(answer.status, answer.text).toBe(201);
  return BudgetRecord.parse(answer.body);
};
const update = async (id: string, body: object): Promise<BudgetRecord> => {
  const answer = await world.call('update', { tenant, id, body });
  expect(answer.status, answer.text).toBe(200);
  return BudgetRecord.parse(answer.body);
};
const spend = (usd: string, members: Parameters<typeof aGroup>[1] = {}) =>
  putRollup(tenant, 'day', world.time.now, [aGroup(usd, members)]);
const raisedThresholds = async () =>
  (await readRaisedEvents(world.live, tenant)).map(({ data }) => data['threshold']);
const errorOf = ({ status, body }: TestResponse) => {
  const errors = Array.isArray(body['errors']) ? body['errors'] : [];
  return [status, body['error_code'], ...new Set(errors.map(({ pointer }) => pointer))];
};

describe('a new budget', () => {
  it('says where it stands, and tells at once of what is crossed already', async () => {
    await spend('80', { calls: 10, unpriced: 3 });

    const budget = await create();

    expect(budget).toEqual({
      ...REQUEST,
      id: budget.id,
      residency: null,
      created_at: new Date(world.time.now).toISOString(),
      updated_at: budget.created_at,
      created_by: 'key_1',
      current_period: { from: '2026-05-01T00:00:00.000Z', to: '2026-06-01T00:00:00.000Z' },
      period_to_date_usd: '80',
      unpriced_invocations: 3,
      forecast_usd: null,
      crossed: [75],
      as_of: new Date(world.time.now - 1).toISOString(),
    });
    expect(await raisedThresholds()).toEqual([75]);
    expect((await world.call('get', { tenant, id: budget.id })).body).toEqual(budget);
  });

  it('counts every call where it names none', async () => {
    await spend('10', { owner: null, service: null });

    expect(await create({ scope: undefined })).toMatchObject({ scope: {}, period_to_date_usd: '10' });
  });

  it.each([
    ['allows nothing', { ceiling_usd: '0.00' }, '/ceiling_usd'],
    ['allows a number', { ceiling_usd: 5 }, '/ceiling_usd'],
    ['allows less than nothing', { ceiling_usd: '-1' }, '/ceiling_usd'],
    ['has another period', { period: 'year' }, '/period'],
    ['has an unknown scope', { scope: { region: 'eu' } }, '/scope/region'],
    ['has a tag twice', { scope: { tags: ['a', 'a'] } }, '/scope/tags'],
    ['has no tags', { scope: { tags: [] } }, '/scope/tags'],
    ['has no name', { name: '' }, '/name'],
    ['says what was spent', { period_to_date_usd: '1' }, '/period_to_date_usd'],
  ])('that %s is refused', async (_, members, pointer) => {
    const answer = await world.call('create', { tenant, body: { ...REQUEST, ...members } });

    expect(errorOf(answer)).toEqual([422, 'VALIDATION_FAILED', pointer]);
  });

  it('is refused once the tenant has as many as it may', async () => {
    const { id: first } = await create();
    const writer = budgetWriter('budgets');
    const { document } = await writer.find(tenant.tenant_id, 'none');
    const full = { ...document, count: BUDGETS_MAXIMUM - 1 };
    const [stored] = await world.stored(tenant);
    if (stored === undefined) throw new Error('the budget is stored');
    const other = { ...stored, id: tamper(first) };
    await commit(writer.create(tenant.tenant_id, other, full, { claim: 'full', attempt: 1 }));

    const answer = await world.call('create', { tenant, body: REQUEST });

    expect(errorOf(answer)).toEqual([422, 'VALIDATION_FAILED', '']);
    await world.call('remove', { tenant, id: first });
    expect((await world.call('create', { tenant, body: REQUEST })).status).toBe(201);
  });
});

describe('a change', () => {
  it('keeps what it does not name, and replaces the scope as a whole', async () => {
    const { id, created_at } = await create({ scope: { owner: 'team-search', provider: 'openai' } });
    world.time.now += 1_000;

    const changed = await update(id, { name: 'All', scope: { service: 'ranking' } });

    expect(changed).toMatchObject({
      ...REQUEST,
      name: 'All',
      scope: { service: 'ranking' },
      created_at,
      updated_at: new Date(world.time.now).toISOString(),
    });
  });

  it('that lowers the ceiling tells of what is newly crossed, and of nothing again', async () => {
    await spend('80');
    const { id } = await create();

    expect((await update(id, { ceiling_usd: '80' })).crossed).toEqual([75, 100]);
    expect(await raisedThresholds()).toEqual(expect.arrayContaining([75, 100]));
    expect(await raisedThresholds()).toHaveLength(2);
  });

  it('that puts the spend below a threshold has it told again', async () => {
    await spend('80');
    const { id } = await create();

    const raised = await update(id, { ceiling_usd: '1000' });
    await spend('760');
    const again = await update(id, { name: 'Renamed' });

    expect([raised.crossed, again.crossed]).toEqual([[], [75]]);
    expect(await raisedThresholds()).toEqual([75, 75]);
  });

  it('that is none of its terms leaves what was crossed as it is, whatever has become of the spend', async () => {
    await spend('80');
    const { id } = await create();
    await spend('10');

    const changed = await update(id, { name: 'Renamed', ceiling_usd: '100.00' });

    expect(changed).toMatchObject({ crossed: [75], period_to_date_usd: '10' });
    await spend('90');
    await update(id, { name: 'Again' });
    expect(await raisedThresholds()).toEqual([75]);
  });
});

describe('a lane', () => {
  it('has budgets of its own, and sees no others', async () => {
    tenant = newTenant({ residency: ['eu', 'us'] });
    const groups = [aGroup('30', { residency: 'eu' }), aGroup('40', { residency: 'us' })];
    await putRollup(tenant, 'day', world.time.now, groups);
    const everywhere = await create();
    const here = await create({}, 'eu');
    const listed = async (residency?: string) => {
      const { body } = await world.call('list', { tenant, ...(residency && { residency }) });
      return Object(body)['data'].map(({ id }: { id: string }) => id);
    };

    expect([everywhere.period_to_date_usd, here.period_to_date_usd]).toEqual(['70', '30']);
    expect(here.residency).toBe('eu');
    expect([await listed(), await listed('eu'), await listed('us')]).toEqual([
      [here.id, everywhere.id],
      [here.id],
      [],
    ]);
    for (const name of ['get', 'update', 'remove'] satisfies OperationName[]) {
      const body = name === 'update' ? { body: { name: 'Mine' } } : {};
      const answer = await world.call(name, { tenant, id: everywhere.id, residency: 'eu', ...body });
      expect([answer.status, answer.body['error_code']]).toEqual([409, 'RESIDENCY_BLOCKED']);
    }
  });
});

describe('the list', () => {
  it('gives every budget once, the newest first, with where it stands', async () => {
    await spend('10');
    const names = ['a', 'b', 'c', 'd', 'e'];
    for (const name of names) await create({ name });
    const found: BudgetRecord[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const query: Record<string, string> = { limit: '2', ...(cursor && { cursor }) };
      const { data, page } = Object((await world.call('list', { tenant, query })).body);
      found.push(...data);
      cursor = page.next_cursor;
    }

    expect(found.map(({ name }) => name)).toEqual(names.toReversed());
    expect(found.map((one) => one.period_to_date_usd)).toEqual(names.map(() => '10'));
  });
});

describe('a call that meets a fault and is repeated', () => {
  const list = (writes: number): Fault[] =>
    Array.from({ length: writes }, (_, write) =>
      (['before', 'after'] as const).flatMap((moment) =>
        (['fails', 'dies'] as const).map((kind): Fault => ({ write, moment, kind })),
      ),
    ).flat();
  // Its lease, its effect, the crossing it finds, its response.
  const WRITES = 4;

  it.each(list(WRITES))('creates one budget and tells of its crossing once: %o', async (fault) => {
    await spend('80');
    const send = () => world.call('create', { tenant, body: REQUEST, key: 'one-key' });
    void faults.arm(fault);
    await send();
    faults.restart();
    world.time.now += LEASE;

    const answer = await send();

    expect(answer.status, answer.text).toBe(201);
    expect([(await world.stored(tenant)).length, await world.countOf(tenant)]).toEqual([1, 1]);
    expect(await raisedThresholds()).toEqual([75]);
    expect(BudgetRecord.parse(answer.body).crossed).toEqual([75]);
    expect((await world.auditOf(tenant)).map(({ action }) => action)).toEqual(['budget.create']);
  });

  it.each(list(WRITES))('changes a budget once: %o', async (fault) => {
    await spend('80');
    const { id } = await create({ ceiling_usd: '1000' });
    world.time.now += 1;
    const send = () => world.call('update', { tenant, id, body: { ceiling_usd: '100' }, key: 'one-key' });
    void faults.arm(fault);
    await send();
    faults.restart();
    world.time.now += LEASE;

    const answer = await send();

    expect(answer.body).toMatchObject({ ceiling_usd: '100', crossed: [75] });
    expect(await raisedThresholds()).toEqual([75]);
    expect((await world.auditOf(tenant)).map(({ action }) => action)).toEqual([
      'budget.create',
      'budget.update',
    ]);
  });

  it.each(list(WRITES - 1))('deletes a budget once: %o', async (fault) => {
    await create({ name: 'Another' });
    const { id } = await create();
    const send = () => world.call('remove', { tenant, id, key: 'one-key' });
    void faults.arm(fault);
    await send();
    faults.restart();
    world.time.now += LEASE;

    const answer = await send();

    expect(answer.status, answer.text).toBe(204);
    expect([(await world.stored(tenant)).length, await world.countOf(tenant)]).toEqual([1, 1]);
    expect((await world.call('get', { tenant, id })).status).toBe(404);
    expect((await world.call('remove', { tenant, id })).status).toBe(404);
  });
});

it('a budget that is deleted tells of nothing any more', async () => {
  const { id } = await create();
  await world.call('remove', { tenant, id });
  await spend('500');
  world.time.now += LENGTH.minute;

  await create({ scope: { owner: 'nobody' } });

  expect(await raisedThresholds()).toEqual([]);
});
