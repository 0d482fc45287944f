import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import type { TestResponse } from '../../platform/http/harness.ts';
import { newTenant } from '../../support/tenants.ts';
import { type BudgetHarness, startBudgetHarness } from './harness.ts';
import { aGroup, putRollup } from './rollupFixtures.ts';

const FIVE = ['aa', 'bb', 'cc', 'dd', 'ee'];
const HIDDEN = {
  period_to_date_usd: null,
  spent_by_owner_state: null,
  unpriced_invocations: null,
  forecast_usd: null,
  forecast_range_usd: null,
  forecast_unknown: null,
  crossed: null,
  warnings: null,
  as_of: null,
  stale: null,
};

let tenant: Tenant;
const harness = await startBudgetHarness();
afterAll(() => harness.live.stop());
beforeEach(async () => {
  tenant = newTenant();
  await putRollup(tenant, 'day', harness.time.now, [
    aGroup('50', { owner: 'team-search', persons: FIVE, calls: 50, tags: ['batch'] }),
    aGroup('30', { owner: 'team-ads', persons: FIVE, calls: 3 }),
    aGroup('7', { owner: 'team-ads', service: 'bids', persons: FIVE, calls: 2 }),
    aGroup('900', { owner: 'ann', service: 'notes', persons: ['ff'] }),
  ]);
});

const withoutRecords = (name: Parameters<BudgetHarness['call']>[0], sent: object): Promise<TestResponse> =>
  harness.call(name, { tenant, ...sent }, ['admin:config', 'read:reporting']);
const budgetOf = (scope: object, ceiling_usd = '1000') => ({
  body: { name: 'A budget', ceiling_usd, period: 'month', scope },
});

describe('a caller without read:attribution', () => {
  it.each([
    ['one person', { owner: 'ann' }, '0'],
    ['a group of five', { owner: 'team-search' }, '50'],
    ['a group that is merged with one person', { owner: 'team-ads' }, '0'],
    ['the whole tenant', {}, '987'],
  ])('creates a budget for %s that counts what the usage report shows', async (_, scope, usd) => {
    const { status, body: created } = await withoutRecords('create', budgetOf(scope));
    const { body } = await withoutRecords('get', { id: created['id'] });

    expect([status, body['basis'], body['period_to_date_usd']]).toEqual([201, 'cohorts', usd]);
  });

  it('cannot find out the spend of one person from thresholds', async () => {
    const { body: created } = await withoutRecords('create', budgetOf({ owner: 'ann' }, '0.01'));
    const { body } = await withoutRecords('get', { id: created['id'] });

    expect(body['crossed']).toEqual([]);
    expect(await harness.live.eventsOf(tenant)).toEqual([]);
  });

  it('reads of a hidden name that no call has it, as of one that does not exist, and is told no hidden name', async () => {
    const warningsOf = async (owner: string) => {
      const { body: created } = await withoutRecords('create', budgetOf({ owner }));
      return (await withoutRecords('get', { id: created['id'] })).body['warnings'];
    };
    const absent = expect.stringContaining('No call');

    for (const owner of ['ann', 'anm', 'nobody', 'team-ads'])
      expect(await warningsOf(owner), owner).toEqual([{ pointer: '/scope/owner', detail: absent }]);
    expect(await warningsOf('team-serch')).toMatchObject([{ suggestion: 'team-search' }]);
  });

  it('gets INSUFFICIENT_SCOPE for tags', async () => {
    expect((await withoutRecords('create', budgetOf({ tags: ['batch'] }))).body).toMatchObject({
      status: 403,
      error_code: 'INSUFFICIENT_SCOPE',
    });
  });

  it('sees a budget that counts records without its figures', async () => {
    const { body: created } = await harness.call('create', { tenant, ...budgetOf({ owner: 'ann' }, '100') });
    const { body } = await harness.call('get', { tenant, id: String(created['id']) });

    expect(body).toMatchObject({ basis: 'records', period_to_date_usd: '900', crossed: [75, 100, 150] });
    expect((await withoutRecords('get', { id: body['id'] })).body).toEqual({ ...body, ...HIDDEN });
    expect((await withoutRecords('list', {})).body['data']).toEqual([{ ...body, ...HIDDEN }]);
  });

  it.each([{ ceiling_usd: '10' }, { period: 'quarter' }, { scope: {} }])(
    'cannot change the terms of a budget that counts records to %j',
    async (patch) => {
      const { body } = await harness.call('create', { tenant, ...budgetOf({ owner: 'ann' }) });

      const renamed = await withoutRecords('update', { id: body['id'], body: { name: 'Renamed' } });
      const changed = await withoutRecords('update', { id: body['id'], body: patch });

      expect(renamed.body).toMatchObject({ name: 'Renamed', ...HIDDEN });
      expect(changed.body).toMatchObject({ status: 403, error_code: 'INSUFFICIENT_SCOPE' });
    },
  );
});

it.each([
  ['cohorts', ['admin:config']],
  ['cohorts', ['admin:config', 'read:attribution']],
  ['records', ['admin:config']],
  ['records', ['admin:config', 'read:reporting']],
] as const)('shows no figures of a budget that counts %s to a caller with %j', async (basis, scopes) => {
  const creation = budgetOf({ owner: 'team-search' }, '40');
  const { body: created } =
    basis === 'cohorts'
      ? await withoutRecords('create', creation)
      : await harness.call('create', { tenant, ...creation });
  const { body } = await harness.call('get', { tenant, id: String(created['id']) });

  const seen = await harness.call('get', { tenant, id: String(body['id']) }, scopes);
  const patched = await harness.call(
    'update',
    { tenant, id: String(body['id']), body: { name: 'Renamed' } },
    scopes,
  );

  expect(body).toMatchObject({ basis, period_to_date_usd: '50' });
  expect(seen.body).toEqual({ ...body, ...HIDDEN });
  expect(patched.body).toMatchObject({ name: 'Renamed', ...HIDDEN });
});

it('keeps the basis of a budget when a caller with read:attribution changes it', async () => {
  const { body } = await withoutRecords('create', budgetOf({ owner: 'ann' }));
  const id = String(body['id']);
  const change = (patch: object) => harness.call('update', { tenant, id, body: patch });

  expect((await change({ ceiling_usd: '2000' })).body).toMatchObject({ basis: 'cohorts' });
  expect((await harness.call('get', { tenant, id })).body).toMatchObject({ period_to_date_usd: '0' });
  expect((await change({ scope: { tags: ['batch'] } })).body).toMatchObject({
    error_code: 'VALIDATION_FAILED',
  });
});
