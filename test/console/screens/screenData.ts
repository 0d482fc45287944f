import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, createClient } from '../../../sdk/typescript/src/client.ts';
import {
  createApiKey,
  createBillSource,
  createBudget,
  createExportSchedule,
  createFocusExport,
  createOAuthClient,
  createWebhook,
  getJob,
  getWebhook,
  listAnomalies,
  listAttribution,
  listModels,
  overrideAttribution,
  postBills,
  putContractPrices,
  rotateApiKey,
  trainModel,
  updateTenant,
} from '../../../sdk/typescript/src/operations.ts';
import type { AttributionRecord } from '../../../sdk/typescript/src/types.ts';
import { demoTenants } from '../../support/localService.ts';
import { chargesWithBatch, chargesWithUncapturedCalls, modelDaysOf, tokenRowsOf } from './sampleBills.ts';
import { PROVIDER_KEYS, RECEIVERS, type ScreenService, settle } from './screenService.ts';

const POLL_MS = 500;
const TIMEOUT_MS = 120_000;

/** Waits for what the service does in the background. */
const until = async (subject: string, isDone: () => Promise<boolean>): Promise<void> => {
  for (let waited = 0; !(await isDone()); waited += POLL_MS) {
    if (waited > TIMEOUT_MS) throw new Error(`${subject}: not done after ${TIMEOUT_MS / 1_000} s`);
    await sleep(POLL_MS);
  }
};

const clientOf = ({ instance: { baseUrl, credentials } }: ScreenService): Client =>
  createClient({ baseUrl, credential: { apiKey: demoTenants(credentials).acme.api_keys.admin } });

/** Endpoints that receive what the sample data causes. Call it before the sample is sent. */
export const addWebhooks = async (service: ScreenService): Promise<void> => {
  const client = clientOf(service);
  const endpoints = [
    {
      url: RECEIVERS.working,
      events: ['budget.threshold.crossed', 'anomaly.detected', 'attribution.disputed'] as const,
      description: 'Cost alerts of the platform team',
    },
    { url: RECEIVERS.failing, events: ['budget.threshold.crossed', 'export.completed'] as const },
  ];
  for (const endpoint of endpoints) {
    const { id } = await createWebhook(client, { ...endpoint, events: [...endpoint.events] });
    await until('the challenge', async () => (await getWebhook(client, id)).status === 'verified');
  }
};

/** Two sources that import, one whose key the provider refuses, and bills that were sent. One provider has no bill. */
const addBills = async (
  { providers, instance: { runtime } }: ScreenService,
  client: Client,
  records: readonly AttributionRecord[],
): Promise<void> => {
  const openai = chargesWithUncapturedCalls(modelDaysOf(records, 'openai'));
  for (const [day, charges] of openai)
    providers.openai.publish(day, [...charges, { amount: '0.35', item: 'gpt-4o-transcribe, input' }]);
  const anthropic = chargesWithBatch(modelDaysOf(records, 'anthropic'));
  for (const [day, charges] of anthropic) providers.anthropic.publish(day, charges);
  await createBillSource(client, {
    provider: 'openai',
    account: 'production',
    name: 'OpenAI, production',
    credential: PROVIDER_KEYS.openai,
  });
  await createBillSource(client, {
    provider: 'anthropic',
    name: 'Anthropic',
    credential: PROVIDER_KEYS.anthropic,
  });
  await createBillSource(client, {
    provider: 'openai',
    name: 'OpenAI, research',
    account: 'research',
    credential: 'a-key-that-was-revoked',
  });
  const azure = { provider: 'Azure', account: 'contoso-ai' };
  const prices = { input: '2.25', cached: '1.125', output: '9' };
  await postBills(client, { rows: tokenRowsOf(modelDaysOf(records, 'azure'), azure, prices) });
  // The same worker trains models.
  await updateTenant(client, { stage_b: 'disabled' });
  await runtime.runSchedule('WorkersBillImports');
  await updateTenant(client, { stage_b: 'enabled' });
  await settle(runtime);
};

const addExports = async ({ now: clock }: ScreenService, client: Client): Promise<void> => {
  const month = (offset: number): string => {
    const now = new Date(clock());
    return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset, 1)).toISOString().slice(0, 10);
  };
  const period = { from: month(0), to: month(1) };
  const requests = [
    { format: 'focus', period, group_by: ['service', 'owner'] },
    { format: 'focus', period, group_by: ['owner'], granularity: 'month', cost_mode: 'showback' },
    { format: 'focus', period, granularity: 'record', file_format: 'parquet' },
  ] as const;
  for (const { group_by, ...request } of requests.map((each) => ({ group_by: undefined, ...each }))) {
    const { job_id } = await createFocusExport(client, {
      ...request,
      ...(group_by && { group_by: [...group_by] }),
    });
    await until('the export', async () => (await getJob(client, job_id)).status === 'succeeded');
  }
  await createExportSchedule(client, { every: 'day', request: { format: 'focus', group_by: ['owner'] } });
  await createExportSchedule(client, { every: 'month', request: { format: 'focus', importer: 'cloudzero' } });
};

const addCredentials = async ({ now }: ScreenService, client: Client): Promise<void> => {
  const inAMonth = new Date(now() + 30 * 86_400_000).toISOString();
  const gateway = await createApiKey(client, { name: 'Checkout gateway', scopes: ['ingest:write'] });
  await createApiKey(client, { name: 'Data warehouse', scopes: ['read:reporting'], expires_at: inAMonth });
  await rotateApiKey(client, gateway.id);
  await createOAuthClient(client, {
    name: 'Cost dashboard',
    scopes: ['read:reporting'],
    redirect_uris: ['https://dashboard.acme.example/callback'],
  });
};

/** A model, which then predicts the owners of the records without one. */
export const addModel = async (service: ScreenService): Promise<void> => {
  const client = clientOf(service);
  await trainModel(client);
  await until('the training', async () => (await listModels(client)).data.length > 0);
  await settle(service.instance.runtime);
};

/** What people and providers add to the sample data of a tenant. Call it after the sample is sent. */
export const addScreenData = async (service: ScreenService): Promise<void> => {
  const { runtime } = service.instance;
  const client = clientOf(service);
  const records: AttributionRecord[] = [];
  for await (const record of listAttribution(client, { limit: 200 })) records.push(record);

  await addCredentials(service, client);
  const contract = { provider: 'anthropic', from: '2026-01-01T00:00:00Z', source: 'Order form 2026-17' };
  await putContractPrices(client, {
    prices: [
      { ...contract, model: 'claude-opus-4*', input: '13.5', cached_input: '1.35', output: '67.5' },
      { provider: 'openai', model: 'gpt-image-1', from: '2026-06-01T00:00:00Z', input: '8', output: '32' },
    ],
  });
  const unresolved = records.find(
    ({ owner, service, cost_usd: cost }) => owner === null && service === null && Number(cost) > 0.01,
  );
  if (unresolved !== undefined)
    await overrideAttribution(client, unresolved.id, {
      owner: 'team-commerce',
      reason: 'The team confirmed the call in the weekly review.',
    });
  await createBudget(client, {
    name: 'Checkout',
    ceiling_usd: '12',
    period: 'month',
    scope: { service: 'checkout-assistant' },
  });
  await runtime.runSchedule('WorkersJobs');
  await settle(runtime);
  // After the day totals are closed: a later change of a record would mark the bills as older.
  await addBills(service, client, records);
  await addExports(service, client);
  if ((await listAnomalies(client)).data.length === 0) throw new Error('No anomaly was found.');
};
