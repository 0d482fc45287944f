import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { budgetWriter } from '../../../functions/insight/budgets/budget.store.ts';
import { UNKNOWN } from '../../../functions/ledger/freshness/totalsLag.ts';
import { LENGTH } from '../../../functions/ledger/rollups/grain.ts';
import { commit } from '../../../functions/platform/shared/aws/document.store.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import { BUDGETS_MAXIMUM, BudgetRecord } from '../../../schemas/insight/budgets.ts';
import type { TestResponse } from '../../platform/http/harness.ts';
import { tamper } from '../../support/tamper.ts';
import { newTenant } from '../../support/tenants.ts';
import { type OperationName, startBudgetHarness } from './harness.ts';
import { aGroup, putRollup } from './rollupFixtures.ts';

const REQUEST = { name: 'Search', ceiling_usd: '100', period: 'month', scope: { owner: 'team-search' } };

let tenant: Tenant;
const harness = await startBudgetHarness();
afterAll(() => harness.live.stop());
beforeEach(() => {
  tenant = newTenant();
  // Keeps logged outages out of the test output.
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterEach(() => vi.restoreAllMocks());

const read = async (id: string, residency?: string): Promise<BudgetRecord> => {
  const response = await harness.call('get', { tenant, id, ...(residency && { residency }) });
  return BudgetRecord.parse(response.body);
};
const create = async (members: object = {}, residency?: string): Promise<BudgetRecord> => {
  harness.time.now += 1;
  const body = { ...REQUEST, ...members };
  const response = await harness.call('create', { tenant, body, ...(residency && { residency }) });
  expect(response.status, response.text).toBe(201);
  return read(String(response.body['id']), residency);
};
const update = async (id: string, body: object): Promise<BudgetRecord> => {
  const response = await harness.call('update', { tenant, id, body });
  expect(response.status, response.text).toBe(200);
  return read(id);
};
const recordSpend = (usd: string, members: Parameters<typeof aGroup>[1] = {}) =>
  putRollup(tenant, 'day', harness.time.now, [aGroup(usd, members)]);
const raisedThresholds = async () =>
  (await harness.live.eventsOf(tenant)).map(({ data }) => data['threshold']);
const errorOf = ({ status, body }: TestResponse) => {
  const errors = Array.isArray(body['errors']) ? body['errors'] : [];
  return [status, body['error_code'], ...new Set(errors.map(({ pointer }) => pointer))];
};

describe('POST /budgets', () => {
  it('answers without reading the spend, and has it evaluated', async () => {
    await recordSpend('80');

    const { status, body } = await harness.call('create', { tenant, body: REQUEST });

    expect([status, BudgetRecord.parse(body)]).toMatchObject([
      201,
      { ...REQUEST, period_to_date_usd: null, crossed: null, as_of: null, stale: true },
    ]);
    expect(await raisedThresholds()).toEqual([75]);
  });

  it('raises thresholds that are already crossed', async () => {
    await recordSpend('80', { calls: 10, unpriced: 3 });

    const budget = await create();

    expect(budget).toEqual({
      ...REQUEST,
      thresholds: [75, 100, 150],
      forecast_thresholds: [],
      time_zone: 'UTC',
      id: budget.id,
      residency: null,
      basis: 'records',
      created_at: new Date(harness.time.now).toISOString(),
      updated_at: budget.created_at,
      created_by: 'key_1',
      current_period: { from: '2026-05-01T00:00:00.000Z', to: '2026-06-01T00:00:00.000Z' },
      period_to_date_usd: '80',
      spent_by_owner_state: { confirmed: '80' },
      unpriced_invocations: 3,
      forecast_usd: null,
      forecast_range_usd: null,
      forecast_unknown: 'too_few_days',
      crossed: [75],
      warnings: [],
      as_of: new Date(harness.time.now - 1).toISOString(),
      stale: false,
    });
    expect(await raisedThresholds()).toEqual([75]);
  });

  it('says up to when its figures are complete while totals lag behind the ledger', async () => {
    await recordSpend('10');
    const incompleteSince = harness.time.now - 10 * LENGTH.minute;
    harness.setLag(tenant, { isStale: true, incompleteSince });

    expect(await create()).toMatchObject({ stale: true, as_of: new Date(incompleteSince).toISOString() });
  });

  it('names no time when nothing is known about pending changes', async () => {
    await recordSpend('10');
    harness.setLag(tenant, { isStale: true, incompleteSince: UNKNOWN });

    expect(await create()).toMatchObject({ stale: true, as_of: null });
  });

  it.each([
    [{ owner: 'team-serch' }, [{ pointer: '/scope/owner', suggestion: 'team-search' }]],
    [
      { service: 'nothing', provider: 'openay', tags: ['env:prod', 'env:prd'] },
      [
        { pointer: '/scope/service' },
        { pointer: '/scope/provider', suggestion: 'openai' },
        { pointer: '/scope/tags/1', suggestion: 'env:prod' },
      ],
    ],
    [{ owner: 'team-search', provider: 'openai' }, []],
  ])('names what no call has: %j', async (scope, expected) => {
    await recordSpend('10', { tags: ['env:prod'] });

    const { warnings } = await create({ scope });

    expect(warnings?.map(({ detail: _detail, ...named }) => named)).toEqual(expected);
  });

  it('names nothing while there are no calls', async () => {
    expect(await create({ scope: { owner: 'team-serch' } })).toMatchObject({ warnings: [] });
  });

  it('counts every call when the scope is empty', async () => {
    await recordSpend('10', { owner: null, service: null });

    expect(await create({ scope: undefined })).toMatchObject({ scope: {}, period_to_date_usd: '10' });
  });

  it.each([
    ['has a ceiling of zero', { ceiling_usd: '0.00' }, '/ceiling_usd'],
    ['has a ceiling as a JSON number', { ceiling_usd: 5 }, '/ceiling_usd'],
    ['has a negative ceiling', { ceiling_usd: '-1' }, '/ceiling_usd'],
    ['has an unknown period', { period: 'year' }, '/period'],
    ['has an unknown scope member', { scope: { person: 'ann' } }, '/scope/person'],
    ['repeats a tag', { scope: { tags: ['a', 'a'] } }, '/scope/tags'],
    ['has an empty list of tags', { scope: { tags: [] } }, '/scope/tags'],
    ['has a threshold of zero', { thresholds: [0] }, '/thresholds/0'],
    ['has a threshold above ten times the ceiling', { thresholds: [50, 1_001] }, '/thresholds/1'],
    ['has a threshold between two percentages', { thresholds: [99.5] }, '/thresholds/0'],
    ['repeats a threshold', { thresholds: [50, 50] }, '/thresholds'],
    ['has no threshold', { thresholds: [] }, '/thresholds'],
    ['has eleven thresholds', { thresholds: Array.from({ length: 11 }, (_, at) => at + 1) }, '/thresholds'],
    ['has an empty name', { name: '' }, '/name'],
    ['sets a read-only member', { period_to_date_usd: '1' }, '/period_to_date_usd'],
  ])('returns 422 when the budget %s', async (_, members, pointer) => {
    const response = await harness.call('create', { tenant, body: { ...REQUEST, ...members } });

    expect(errorOf(response)).toEqual([422, 'VALIDATION_FAILED', pointer]);
  });

  it('returns 422 at the budget limit of the tenant, and 201 after a budget was deleted', async () => {
    const { id: first } = await create();
    const writer = budgetWriter('budgets');
    const found = await writer.find(tenant.tenant_id, 'none');
    const full = { ...found, head: { count: BUDGETS_MAXIMUM - 1 } };
    const [stored] = await harness.stored(tenant);
    if (stored === undefined) throw new Error('the budget is stored');
    const other = { ...stored, id: tamper(first) };
    await commit(writer.change(tenant.tenant_id, full, other, { claim: 'full', attempt: 1 }));

    const response = await harness.call('create', { tenant, body: REQUEST });

    expect(errorOf(response)).toEqual([422, 'VALIDATION_FAILED', '']);
    await harness.call('remove', { tenant, id: first });
    expect((await harness.call('create', { tenant, body: REQUEST })).status).toBe(201);
  });
});

describe('PATCH /budgets/{id}', () => {
  it('keeps members that the patch omits, and replaces the whole scope', async () => {
    const { id, created_at } = await create({ scope: { owner: 'team-search', provider: 'openai' } });
    harness.time.now += 1_000;

    const changed = await update(id, { name: 'All', scope: { service: 'ranking' } });

    expect(changed).toMatchObject({
      ...REQUEST,
      name: 'All',
      scope: { service: 'ranking' },
      created_at,
      updated_at: new Date(harness.time.now).toISOString(),
    });
  });

  it('keeps the thresholds of its forecast ascending, and can drop them', async () => {
    const { id, forecast_thresholds } = await create({ forecast_thresholds: [110, 90] });
    expect(forecast_thresholds).toEqual([90, 110]);
    const patched = async (body: object) => (await update(id, body)).forecast_thresholds;
    expect(await patched({ name: 'Another' })).toEqual([90, 110]);
    expect(await patched({ forecast_thresholds: [] })).toEqual([]);
  });

  it('alerts at thresholds of its own, which replace the usual ones', async () => {
    await recordSpend('60');
    const { id } = await create({ thresholds: [90, 50] });

    expect(await read(id)).toMatchObject({ thresholds: [50, 90], crossed: [50] });
    expect(await raisedThresholds()).toEqual([50]);
    expect(await update(id, { thresholds: [20, 80, 60] })).toMatchObject({ crossed: [20, 60] });
    expect((await raisedThresholds()).sort()).toEqual([20, 50, 60]);
  });

  it('does not alert again at a threshold that is left out and stated again', async () => {
    await recordSpend('80');
    const { id } = await create();

    await update(id, { thresholds: [90] });
    expect((await update(id, { thresholds: [75, 90] })).crossed).toEqual([75]);
    expect(await raisedThresholds()).toEqual([75]);
  });

  it('raises only newly crossed thresholds when the ceiling is lowered', async () => {
    await recordSpend('80');
    const { id } = await create();

    expect((await update(id, { ceiling_usd: '80' })).crossed).toEqual([75, 100]);
    expect(await raisedThresholds()).toEqual(expect.arrayContaining([75, 100]));
    expect(await raisedThresholds()).toHaveLength(2);
  });

  it('rearms a threshold when the new ceiling puts the spend below it', async () => {
    await recordSpend('80');
    const { id } = await create();

    const raised = await update(id, { ceiling_usd: '1000' });
    await recordSpend('760');
    const again = await update(id, { name: 'Renamed' });

    expect([raised.crossed, again.crossed]).toEqual([[], [75]]);
    expect(await raisedThresholds()).toEqual([75, 75]);
  });

  it('keeps crossed thresholds when ceiling, period and scope do not change, though the spend is a little below', async () => {
    await recordSpend('80');
    const { id } = await create();
    harness.time.now += 1;
    await recordSpend('70');

    const changed = await update(id, { name: 'Renamed', ceiling_usd: '100.00' });

    expect(changed).toMatchObject({ crossed: [75], period_to_date_usd: '70' });
    await recordSpend('90');
    await update(id, { name: 'Again' });
    expect(await raisedThresholds()).toEqual([75]);
  });
});

describe('a credential bound to a residency lane', () => {
  it('lists the budgets of its lane only, and gets 409 for any other budget', async () => {
    tenant = newTenant({ residency: ['eu', 'us'] });
    const groups = [aGroup('30', { residency: 'eu' }), aGroup('40', { residency: 'us' })];
    await putRollup(tenant, 'day', harness.time.now, groups);
    const everywhere = await create();
    const here = await create({}, 'eu');
    const listed = async (residency?: string) => {
      const { body } = await harness.call('list', { tenant, ...(residency && { residency }) });
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
      const response = await harness.call(name, { tenant, id: everywhere.id, residency: 'eu', ...body });
      expect([response.status, response.body['error_code']]).toEqual([409, 'RESIDENCY_BLOCKED']);
    }
  });
});

describe('GET /budgets', () => {
  it('pages through every budget once, newest first, with its status', async () => {
    await recordSpend('10');
    const names = ['a', 'b', 'c', 'd', 'e'];
    for (const name of names) await create({ name });
    const found: BudgetRecord[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const query: Record<string, string> = { limit: '2', ...(cursor && { cursor }) };
      const { data, page } = Object((await harness.call('list', { tenant, query })).body);
      found.push(...data);
      cursor = page.next_cursor;
    }

    expect(found.map(({ name }) => name)).toEqual(names.toReversed());
    expect(found.map((one) => one.period_to_date_usd)).toEqual(names.map(() => '10'));
  });
});

it('raises no threshold of a deleted budget', async () => {
  const { id } = await create();
  await harness.call('remove', { tenant, id });
  await recordSpend('500');
  harness.time.now += LENGTH.minute;

  await create({ scope: { owner: 'nobody' } });

  expect(await raisedThresholds()).toEqual([]);
});
