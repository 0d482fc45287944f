import { afterAll, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../schemas/durations.ts';
import { call, someEvent } from '../support/client.ts';
import { enginesOf } from '../support/engines.ts';
import { startInstance } from '../support/instance.ts';
import { demoTenants } from '../support/localService.ts';

// The schedule does the tasks of every tenant, and the shared instance has many.
const instance = await startInstance();
afterAll(() => instance.stop());

const WAITING = { timeout: 180_000, interval: 200 };

/** The rows of the present tenants that say which tasks of the schedule are done. */
const runsOf = async (): Promise<Record<string, unknown>> => {
  const engines = enginesOf(instance.credentials);
  const rows = await engines.rows('jobs');
  engines.close();
  const { acme, globex } = demoTenants(instance.credentials);
  return Object.fromEntries(
    [acme, globex].map(({ tenant_id }) => {
      const row = rows.find(({ pk }) => pk?.S === `${tenant_id}#schedule`);
      return [tenant_id, Object.keys(JSON.parse(row?.['document']?.S ?? '{}'))];
    }),
  );
};

/** Sends a call on a node that ran in one hour, two days ago, and returns how its hour and record are read. */
const startNodeHour = async () => {
  const { base_url: baseUrl } = instance.credentials;
  const key = demoTenants(instance.credentials).acme.api_keys.admin;
  const hour = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 2 * DAY_MS;
  const rates = [
    { from: new Date(hour).toISOString(), node_hour_usd: '10', nodes: 1 },
    { from: new Date(hour + HOUR_MS).toISOString(), node_hour_usd: '10', nodes: 0 },
  ];
  const pools = [{ name: 'gpu', serves: [{ provider: 'vllm', model: 'mid-1' }], rates }];
  const stated = await call(baseUrl, '/api/v1/node-pools', { key, method: 'PUT', body: { pools } });
  expect(stated.status, stated.text).toBe(200);
  const event = someEvent({
    provider: 'vllm',
    requested_model: 'mid-1',
    ingestion_timestamp: new Date(hour + 60_000).toISOString(),
    latency_ms: HOUR_MS / 4,
  });
  const sent = await call(baseUrl, '/api/v1/invocations', { key, body: event });
  expect(sent.status, sent.text).toBe(202);
  const from = new Date(hour).toISOString();
  const to = new Date(hour + HOUR_MS).toISOString();
  const records = `/v1/attribution?occurred_at[gte]=${from}&occurred_at[lt]=${to}`;
  return {
    recordCosts: async () => {
      const { body } = await call(baseUrl, records, { key });
      return (body['data'] as { cost_usd: string | null }[] | undefined)?.map(({ cost_usd }) => cost_usd);
    },
    totals: async () =>
      (await call(baseUrl, `/v1/reports/node-hours?from=${from}&to=${to}`, { key })).body['totals'],
  };
};

it('does every task of each tenant by one message of the schedule, with the permissions of the deployed role', async () => {
  const nodeHour = await startNodeHour();
  await expect.poll(nodeHour.recordCosts, WAITING).toEqual([null]);

  await instance.runtime.runSchedule('WorkersJobs');

  const tasks = [
    'repeatMarks',
    'closePeriods',
    'checkHours',
    'checkDays',
    'training',
    'jobs',
    'allocation',
    'nodeHours',
    'hourlyAnomalies',
    'dailyAnomalies',
    'exports',
    'reports',
    'budgetForecasts',
    'coverage',
    'archive',
  ];
  const { acme, globex } = demoTenants(instance.credentials);
  expect(await runsOf()).toEqual({ [acme.tenant_id]: tasks, [globex.tenant_id]: tasks });
  // The task created a job, which divided the hour.
  await expect.poll(nodeHour.recordCosts, WAITING).toEqual(['2.5']);
  expect(await nodeHour.totals()).toEqual({ cost_usd: '10', charged_usd: '2.5', idle_usd: '7.5' });
});
