import { afterAll, expect, it } from 'vitest';
import { BillSource } from '../../schemas/chargeback/billSources.ts';
import { aRow } from '../chargeback/reconciliation/sources/aws/curFile.ts';
import { DATA_EXPORT } from '../chargeback/reconciliation/sources/aws/fakeAws.ts';
import { startBillProviders } from '../support/billProviders.ts';
import { call } from '../support/client.ts';
import { DAY, startAdminInstance } from './adminInstance.ts';

const SOURCES = '/api/v1/bill-sources';
const OPENAI_KEY = 'the-admin-key-at-openai';
const ANTHROPIC_KEY = 'the-admin-key-at-anthropic';

const providers = await startBillProviders({ openai: OPENAI_KEY, anthropic: ANTHROPIC_KEY });
const api = await startAdminInstance({ environment: providers.environment });
afterAll(async () => {
  await api.stop();
  providers.stop();
});

const dateBefore = (days: number): string => new Date(Date.now() - days * DAY).toISOString().slice(0, 10);
const yesterday = dateBefore(1);
const input = (amount: string) => ({ amount, item: 'gpt-4o-2024-08-06, input', account: 'proj_5hV8nIyHq0' });
const output = (amount: string) => ({
  amount,
  item: 'gpt-4o-2024-08-06, output',
  account: 'proj_5hV8nIyHq0',
});

/** A new tenant with what a test does with its sources. */
const aTenant = async (tenantId: string) => {
  const { key } = await api.newTenant(tenantId);
  const source = async (path: string, request: object): Promise<BillSource> =>
    BillSource.parse((await call(api.baseUrl, path, { key, ...request })).body);
  const patch = ({ id }: BillSource, body: object): Promise<BillSource> =>
    source(`${SOURCES}/${id}`, { method: 'PATCH', body });
  const run = (): Promise<void> => api.instance.runtime.runSchedule('WorkersBillImports');
  return {
    key,
    patch,
    run,
    create: (body: object): Promise<BillSource> => source(SOURCES, { body: { name: 'bill', ...body } }),
    read: ({ id }: BillSource): Promise<BillSource> => source(`${SOURCES}/${id}`, {}),
    /** Runs an import without waiting for the hour after the last one. */
    runAgain: async (created: BillSource): Promise<void> => {
      await patch(created, { paused: true });
      await patch(created, { paused: false });
      await run();
    },
    billed: async () => {
      const { body } = await call(api.baseUrl, '/api/v1/reconciliation?group_by=provider,model', { key });
      const { data, totals, stale } = Object(body);
      const byModel = data.map((row: Record<string, unknown>) => [row['model'], row['billed_usd']]);
      return { byModel, total: totals.billed_usd, stale };
    },
  };
};

it('imports the bills of both providers from all pages, and replaces restated amounts', async () => {
  const { openai, anthropic } = providers;
  openai.state.pageSize = 2;
  openai.publish(yesterday, [
    input('0.06412499999999999'),
    output('5.4e-06'),
    { amount: '0.03', item: 'Web search tool calls', account: null },
  ]);
  const claude = { item: 'Claude Sonnet 4 Usage - Input Tokens', model: 'claude-sonnet-4-20250514' };
  anthropic.publish(yesterday, [
    { ...claude, amount: '123.78912', account: 'wrkspc_01JwQvzr7rXLA5AGx3HKfFUJ' },
  ]);
  const tenant = await aTenant('imports');
  const source = await tenant.create({ provider: 'openai', credential: OPENAI_KEY });
  await tenant.create({ provider: 'anthropic', credential: ANTHROPIC_KEY });

  await tenant.run();
  const first = await tenant.billed();
  openai.publish(yesterday, [input('0.07')]);
  await tenant.runAgain(source);
  const restated = await tenant.billed();

  expect(first).toEqual({
    byModel: [
      ['claude-sonnet-4', '1.2378912'],
      [null, '0.03'],
      ['gpt-4o', '0.06413039999999999'],
    ],
    total: '1.33202159999999999',
    stale: false,
  });
  expect(restated).toMatchObject({
    byModel: [
      ['claude-sonnet-4', '1.2378912'],
      ['gpt-4o', '0.07'],
    ],
    total: '1.3078912',
  });
  expect(await tenant.read(source)).toMatchObject({ status: 'active', last_error: null, is_late: false });
  // Days are read one by one. A run that finds the source imported reads nothing.
  const requests = openai.requests.length;
  await tenant.run();
  expect(openai.requests).toHaveLength(requests);
});

it('imports the charges of Amazon Bedrock from a data export, with the role of the customer', async () => {
  const { aws } = providers;
  const month = yesterday.slice(0, 7);
  const row = aRow({ line_item_usage_start_date: `${yesterday}T05:00:00Z`, line_item_unblended_cost: 0.1 });
  aws.deliver(month, [[row, { ...row, line_item_unblended_cost: 0.2 }]], { at: new Date().toISOString() });
  const tenant = await aTenant('exports');
  const source = await tenant.create({ provider: 'aws', data_export: DATA_EXPORT });
  await tenant.run();
  const untrusted = await tenant.read(source);
  aws.trust(source.data_export?.external_id ?? '');
  await tenant.patch(source, { data_export: DATA_EXPORT });

  await tenant.run();

  expect(untrusted).toMatchObject({ status: 'failing', last_error: 'refused' });
  expect(source.data_export?.trusted_role_arn).toBe(
    'arn:aws:iam::000000000000:role/inference-attribution-local-bill-importer-us-east-1',
  );
  expect(await tenant.billed()).toMatchObject({
    byModel: [['anthropic-claude-sonnet-4-6', '0.3']],
    total: '0.3',
  });
  expect(await tenant.read(source)).toMatchObject({ status: 'active', last_error: null });
});

it('takes away the rows of a corrected report that is empty, and keeps bills of another account', async () => {
  providers.openai.publish(yesterday, [input('2')]);
  const tenant = await aTenant('corrected');
  const source = await tenant.create({ provider: 'openai', account: 'org-own', credential: OPENAI_KEY });
  await tenant.run();
  const row = {
    BilledCost: '40',
    BillingCurrency: 'USD',
    ServiceProviderName: 'OpenAI',
    BillingAccountId: 'org-other',
    ChargePeriodStart: `${yesterday}T00:00:00Z`,
    ChargePeriodEnd: `${yesterday}T01:00:00Z`,
    SkuId: 'gpt-4o',
  };
  await call(api.baseUrl, '/api/v1/reconciliation/bills', { key: tenant.key, body: { rows: [row] } });
  const before = await tenant.billed();
  providers.openai.publish(yesterday, []);

  await tenant.runAgain(source);

  expect([before.total, (await tenant.billed()).total]).toEqual(['42', '40']);
});

it('resumes at the day on which the provider failed, and says what failed', async () => {
  const { openai } = providers;
  openai.publish(yesterday, [input('1')]);
  const tenant = await aTenant('resumed');
  const source = await tenant.create({ provider: 'openai', credential: OPENAI_KEY });
  let requests = 0;
  openai.state.instead = () => {
    requests += 1;
    return requests > 5
      ? { status: 503, headers: { 'retry-after': '60' }, body: 'text of the provider' }
      : { status: 200, body: '{"object":"page","data":[],"has_more":false,"next_page":null}' };
  };
  await tenant.run();
  const failed = await tenant.read(source);
  openai.state.instead = null;
  openai.requests.length = 0;

  await tenant.runAgain(source);

  expect(failed).toMatchObject({
    status: 'failing',
    last_error: 'unavailable',
    imported_until: `${dateBefore(26)}T00:00:00.000Z`,
  });
  expect(openai.requests).toHaveLength(26);
  expect((await tenant.billed()).total).toBe('1');
});

it('says that a key is refused, and imports with another one', async () => {
  providers.anthropic.publish(yesterday, [{ amount: '100', item: 'Web Search Usage' }]);
  const tenant = await aTenant('refused');
  const source = await tenant.create({ provider: 'anthropic', credential: 'a-revoked-admin-key' });
  await tenant.run();
  const refused = await tenant.read(source);

  await tenant.patch(source, { credential: ANTHROPIC_KEY });
  await tenant.run();
  await api.instance.runtime.idle({ delayed: true });
  const { body } = await call(api.baseUrl, '/api/v1/notifications', { key: tenant.key });

  expect(Object(body)['data']).toMatchObject([
    { type: 'bill_source.health.changed', title: 'Bills of "bill" arrive again' },
    { title: 'Bills of "bill" cannot be imported', link: `/api/v1/bill-sources/${source.id}` },
  ]);
  expect(refused).toMatchObject({ status: 'failing', last_error: 'refused', imported_until: null });
  expect(await tenant.read(source)).toMatchObject({ status: 'active', last_error: null });
});

it('says that the provider is late when it published nothing for days, and no more once it has', async () => {
  const { openai } = providers;
  for (let days = 1; days <= 31; days += 1) openai.publish(dateBefore(days), []);
  openai.publish(dateBefore(4), [input('1')]);
  const tenant = await aTenant('late');
  const source = await tenant.create({ provider: 'openai', credential: OPENAI_KEY });
  await tenant.run();
  const late = await tenant.read(source);
  const { body } = await call(api.baseUrl, '/api/v1/reconciliation', { key: tenant.key });
  openai.publish(yesterday, [input('1')]);

  await tenant.runAgain(source);

  expect(Object(body)['bill_coverage']).toMatchObject([
    {
      provider: 'openai',
      is_late: true,
      days_without_bill: expect.arrayContaining([3, 2, 1, 0].map(dateBefore)),
    },
  ]);
  expect(late).toMatchObject({ is_late: true, published_until: `${dateBefore(3)}T00:00:00.000Z` });
  expect(await tenant.read(source)).toMatchObject({
    is_late: false,
    published_until: `${dateBefore(0)}T00:00:00.000Z`,
  });
});

it('stops the imports of a deleted source', async () => {
  const tenant = await aTenant('deleted');
  const { id } = await tenant.create({ provider: 'openai', credential: OPENAI_KEY });
  const { status } = await call(api.baseUrl, `${SOURCES}/${id}`, { key: tenant.key, method: 'DELETE' });
  providers.openai.requests.length = 0;

  await tenant.run();

  expect(status).toBe(204);
  expect(providers.openai.requests).toEqual([]);
});
