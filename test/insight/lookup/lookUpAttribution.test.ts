import { afterAll, beforeEach, expect, it } from 'vitest';
import { mappingReader, mappingWriter } from '../../../functions/attribution/mappings/mapping.store.ts';
import { type BudgetReader, budgetReader } from '../../../functions/insight/budgets/budget.store.ts';
import lookUpAttribution from '../../../functions/insight/lookup/lookUpAttribution.ts';
import { commit } from '../../../functions/platform/shared/aws/document.store.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import type { Scope } from '../../../schemas/identity/scopes.ts';
import { aMapping, condition, mappingId } from '../../attribution/mappings/mappings.ts';
import { callAsTenant } from '../../platform/http/callAsTenant.ts';
import { newTenant } from '../../support/tenants.ts';
import { startBudgetHarness } from '../budgets/harness.ts';
import { aGroup, putRollup } from '../budgets/rollupFixtures.ts';

/** The age at which a cached answer ends. */
const AGE_MS = 5_000;

let tenant: Tenant;
/** Counts the reads of each kind. */
let reads: Record<'revision' | 'all' | 'budgets' | 'crossings', number>;
let operation: ReturnType<typeof lookUpAttribution>;

const budgets = await startBudgetHarness();
afterAll(() => budgets.live.stop());
beforeEach(() => {
  tenant = newTenant();
  reads = { revision: 0, all: 0, budgets: 0, crossings: 0 };
  const counted =
    <Args extends unknown[], Result>(name: keyof typeof reads, run: (...args: Args) => Result) =>
    (...args: Args): Result => {
      reads[name] += 1;
      return run(...args);
    };
  const mappings = mappingReader('identity');
  const budget: BudgetReader = budgetReader('budgets');
  operation = lookUpAttribution(
    {
      mappings: {
        ...mappings,
        all: counted('all', mappings.all),
        revision: counted('revision', mappings.revision),
      },
      budgets: {
        ...budget,
        budgets: counted('budgets', budget.budgets),
        crossings: counted('crossings', budget.crossings),
      },
    },
    () => budgets.time.now,
  );
});

const EVERY: readonly Scope[] = ['read:lookup', 'read:attribution'];

const lookUp = async (
  query: Record<string, string>,
  { scopes = EVERY, residency = null }: { scopes?: readonly Scope[]; residency?: string | null } = {},
) => callAsTenant(operation, { tenant, query, residency }, { scopes, clock: () => budgets.time.now });

const map = async (index: number, members: Parameters<typeof aMapping>[1]): Promise<void> => {
  const writer = mappingWriter('identity');
  const found = await writer.find(tenant.tenant_id, mappingId(index));
  const by = { claim: `mapping ${index}`, attempt: 1 };
  await commit(writer.change(tenant.tenant_id, found, aMapping(index, members), by));
};

const createBudget = async (
  scope: object,
  by: { residency?: string; scopes?: readonly Scope[]; period?: string; ceiling?: string } = {},
): Promise<string> => {
  const { residency, scopes = ['admin:config', 'read:attribution'], period = 'month', ceiling = '100' } = by;
  budgets.time.now += 1;
  const { text, status, body } = await budgets.call(
    'create',
    {
      tenant,
      body: { name: 'A budget', ceiling_usd: ceiling, period, scope },
      ...(residency !== undefined && { residency }),
    },
    scopes,
  );
  expect(status, text).toBe(201);
  return String(body['id']);
};
const spend = (usd: string, members: Parameters<typeof aGroup>[1] = {}) =>
  putRollup(tenant, 'day', budgets.time.now, [aGroup(usd, members)]);

it('returns the owner and service that the record of the call will have, with the evidence card', async () => {
  await map(1, { owner: 'team-search', conditions: [condition('k8s_namespace', 'search')] });

  const { status, body } = await lookUp({ k8s_namespace: 'search', attributed_service: 'ranking' });

  expect(status).toBe(200);
  expect(body).toEqual({
    owner: 'team-search',
    service: 'ranking',
    output_state: 'deterministically_resolved',
    interpretation: {
      stage_origin: 'stage_a',
      confidence: 0.9,
      confidence_band: 'chargeback_ready',
      evidence_basis: 'workload_resolved',
      model_version: expect.stringMatching(/^deterministic-\d+\+mappings-/),
      degradation_state: 'none',
      freshness: 'fresh',
      export_eligibility: 'unpriced',
      answers: {
        owner: {
          state: 'confirmed',
          confidence: 0.9,
          probability: null,
          evidence_basis: 'workload_resolved',
          chargeback: 'unpriced',
          candidates: [],
        },
        service: {
          state: 'confirmed',
          confidence: 0.95,
          probability: null,
          evidence_basis: 'service_resolved',
          chargeback: 'unpriced',
          candidates: [],
        },
      },
    },
    budgets: [],
    as_of: new Date(budgets.time.now).toISOString(),
  });
});

it('returns null for an owner that the rules do not name', async () => {
  expect((await lookUp({})).body).toMatchObject({
    owner: null,
    service: null,
    output_state: 'unresolved',
    interpretation: { confidence: 0, evidence_basis: 'none', export_eligibility: 'below_floor' },
  });
});

it('returns the budgets that would count the call, the highest crossed threshold first', async () => {
  await spend('160', { owner: 'team-search' });
  const whole = await createBudget({}, { period: 'quarter', ceiling: '140' });
  await createBudget({ owner: 'team-other' });
  await createBudget({ provider: 'anthropic' });
  await createBudget({ owner: 'team-search', tags: ['env:test'] });
  const own = await createBudget({ owner: 'team-search', provider: 'openai' });

  const call = { attributed_identity: 'team-search', provider: 'openai', tags: 'env:prod,team:a' };
  const { body } = await lookUp(call);

  expect(body['budgets']).toEqual([
    { budget_id: own, period: 'month', crossed: [75, 100, 150] },
    { budget_id: whole, period: 'quarter', crossed: [75, 100] },
  ]);
});

it('withholds the thresholds of a budget that counts records without read:attribution', async () => {
  await spend('80');
  const budget_id = await createBudget({});

  const { body } = await lookUp({}, { scopes: ['read:lookup'] });

  expect(body['budgets']).toEqual([{ budget_id, period: 'month', crossed: null }]);
});

it('shows the thresholds of a budget that counts cohorts without read:attribution', async () => {
  const budget_id = await createBudget({}, { scopes: ['admin:config'] });

  const { body } = await lookUp({}, { scopes: ['read:lookup'] });

  expect(body['budgets']).toEqual([{ budget_id, period: 'month', crossed: [] }]);
});

it('shows a credential of a lane only the budgets of that lane', async () => {
  tenant = newTenant({ residency: ['us', 'eu'] });
  await createBudget({});
  const own = await createBudget({}, { residency: 'eu' });
  await createBudget({}, { residency: 'us' });

  const { body } = await lookUp({}, { residency: 'eu' });

  expect(body['budgets']).toEqual([{ budget_id: own, period: 'month', crossed: [] }]);
});

it('counts a call of an unbound credential in the home lane of the tenant', async () => {
  tenant = newTenant({ residency: ['eu', 'us'] });
  const all = await createBudget({});
  const home = await createBudget({}, { residency: 'eu' });
  await createBudget({}, { residency: 'us' });

  const found = (await lookUp({})).body['budgets'];

  expect(found).toEqual([all, home].map((budget_id) => ({ budget_id, period: 'month', crossed: [] })));
});

it('returns 403 INSUFFICIENT_SCOPE without read:lookup', async () => {
  const { status, body } = await lookUp({}, { scopes: ['read:attribution', 'admin:config'] });

  expect([status, body['error_code']]).toEqual([403, 'INSUFFICIENT_SCOPE']);
});

it.each([
  ['an unknown signal', { user: 'ann' }],
  ['a SPIFFE ID that is none', { spiffe_id: 'ranker' }],
  ['more than 20 tags', { tags: Array.from({ length: 21 }, (_, index) => `t${index}`).join(',') }],
])('returns 400 for %s', async (_, query) => {
  expect((await lookUp(query)).status).toBe(400);
});

it('reads a bounded number of items once in five seconds, for any number of lookups', async () => {
  for (const period of ['month', 'quarter', 'rolling_30d', 'month']) await createBudget({}, { period });

  await Promise.all(Array.from({ length: 20 }, (_, index) => lookUp({ attributed_identity: `p${index}` })));
  expect(reads).toEqual({ revision: 1, all: 1, budgets: 1, crossings: 3 });

  budgets.time.now += AGE_MS - 1;
  await lookUp({});
  expect(reads).toEqual({ revision: 1, all: 1, budgets: 1, crossings: 3 });
});

it('follows a change of mappings and spend within five seconds', async () => {
  expect((await lookUp({ attributed_identity: 'ann' })).body).toMatchObject({ owner: 'ann', budgets: [] });
  await map(1, { owner: 'team-search', conditions: [condition('identity', 'ann')] });
  await spend('80');
  await createBudget({ owner: 'team-search' });
  budgets.time.now += AGE_MS;

  expect((await lookUp({ attributed_identity: 'ann' })).body).toMatchObject({
    owner: 'team-search',
    budgets: [{ crossed: [75] }],
  });
});
