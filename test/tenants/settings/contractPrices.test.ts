import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest';
import { commit, putDocument } from '../../../functions/platform/shared/aws/document.store.ts';
import { tenantReader, tenantWriter } from '../../../functions/platform/tenancy/tenant.store.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import type { ContractPrice } from '../../../schemas/attribution/contractPrices.ts';
import { startModelHarness } from '../../attribution/training/models/harness.ts';

const SONNET: ContractPrice = {
  provider: 'aws.bedrock',
  model: 'anthropic.claude-sonnet-4*',
  region: 'eu-central-1',
  from: '2026-10-01T00:00:00.000Z',
  input: '2.55',
  output: '12.75',
  source: 'Private pricing addendum 7',
};
const GPT: ContractPrice = {
  provider: 'openai',
  model: 'gpt-4o',
  from: '2026-01-01T00:00:00.000Z',
  input: '2',
};

let tenant: Tenant;
const world = await startModelHarness();
afterAll(() => world.live.stop());
beforeEach(async () => {
  tenant = await world.newTenant({ residency: ['eu'] });
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterEach(() => vi.restoreAllMocks());

const put = (prices: readonly unknown[], members: object = {}) =>
  world.call('putContractPrices', { tenant, body: { prices }, ...members });
const storedPrices = () => tenantReader('tenants').contractPrices(tenant.tenant_id);

it('replaces all prices, reports what changed, and writes an audit entry', async () => {
  const first = await put([SONNET, GPT]);
  const cheaper = { ...GPT, input: '1.5' };
  const azure = { ...GPT, provider: 'azure' };
  const second = await put([cheaper, azure]);

  expect(first.status, first.text).toBe(200);
  expect(first.body['changes']).toEqual([
    { kind: 'added', before: null, after: SONNET },
    { kind: 'added', before: null, after: GPT },
  ]);
  expect(second.body['changes']).toEqual([
    { kind: 'changed', before: GPT, after: cheaper },
    { kind: 'added', before: null, after: azure },
    { kind: 'removed', before: SONNET, after: null },
  ]);
  expect(await storedPrices()).toEqual([cheaper, azure]);
  const { body } = await world.call('getContractPrices', { tenant });
  expect(body).toEqual({ version: second.body['version'], prices: [cheaper, azure] });
  expect(await world.auditOf(tenant)).toMatchObject([
    { action: 'tenant.prices', outcome: 'succeeded' },
    { action: 'tenant.prices', outcome: 'succeeded' },
  ]);
});

it('reports no change for the same prices in another order', async () => {
  const first = await put([SONNET, GPT]);

  const { changes } = (await put([{ ...GPT }, { ...SONNET }])).body;

  expect(changes).toEqual([]);
  expect(first.body['version']).toMatch(/^contract-[0-9a-f]{12}$/);
});

it.each([
  ['the same model, region and day twice', [GPT, { ...GPT, input: '9' }], /must not repeat/],
  [
    'an entry without a price',
    [{ provider: 'openai', model: 'gpt-4o', from: GPT.from }],
    /at least one price/,
  ],
  ['a price with a currency sign', [{ ...GPT, input: '$2' }], /decimal string/],
  ['a day without a time', [{ ...GPT, from: '2026-01-01' }], /from/],
  ['more than 500 entries', Array.from({ length: 501 }, (_, at) => ({ ...GPT, model: `m-${at}` })), /500/],
])('rejects %s and keeps the prices', async (_case, prices, detail) => {
  await put([SONNET]);

  const answer = await put(prices);

  expect(answer.status, answer.text).toBe(422);
  expect(answer.text).toMatch(detail);
  expect(await storedPrices()).toEqual([SONNET]);
});

it('is rejected for a credential bound to a residency lane', async () => {
  expect((await put([GPT], { residency: 'eu' })).body).toMatchObject({ error_code: 'RESIDENCY_BLOCKED' });
});

it('lets one of two writes with the same revision succeed', async () => {
  const by = (claim: string) => ({ claim, attempt: 1 });
  const writer = tenantWriter('tenants');
  const { revision } = await writer.contractPrices(tenant.tenant_id);
  const write = (claim: string, prices: ContractPrice[]) =>
    commit([
      writer.putContractPrices(tenant.tenant_id, prices, { expectedRevision: revision, by: by(claim) }),
    ]);

  expect((await Promise.all([write('one', [GPT]), write('other', [SONNET])])).sort()).toEqual([false, true]);
});

it('reports the change of each of two callers who replace the prices at once', async () => {
  const answers = await Promise.all([put([GPT]), put([SONNET])]);

  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  const kinds = answers.map(({ body }) => [body['changes']].flat().map((change) => Object(change).kind));
  // The second one replaces the entry of the first.
  expect(kinds.toSorted((one, other) => one.length - other.length)).toEqual([
    ['added'],
    ['added', 'removed'],
  ]);
  expect(await storedPrices()).toHaveLength(1);
});

it('replaces prices that were stored without a revision', async () => {
  await commit([putDocument('tenants', { pk: `prices#${tenant.tenant_id}` }, [GPT])]);

  const { status, body } = await put([SONNET]);

  expect(status).toBe(200);
  expect(body['changes']).toMatchObject([{ kind: 'added' }, { kind: 'removed', before: GPT }]);
  expect(await storedPrices()).toEqual([SONNET]);
});
