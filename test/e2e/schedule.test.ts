import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import { decimal } from '../../functions/platform/shared/decimal.ts';
import { NodeHourLine } from '../../schemas/attribution/nodeHours.ts';
import { DAY_MS, HOUR_MS } from '../../schemas/durations.ts';
import { call, listAllRecords, someEvent } from '../support/client.ts';
import { enginesOf } from '../support/engines.ts';
import { type Instance, startInstance } from '../support/instance.ts';
import { demoTenants } from '../support/localService.ts';

// The schedule does the tasks of every tenant, and the shared instance has many.
let instance: Instance;
beforeAll(async () => {
  instance = await startInstance();
});
afterAll(() => instance?.stop());

const WAITING = { timeout: 60_000, interval: 200 };

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
    'coverage',
    'archive',
  ];
  const { acme, globex } = demoTenants(instance.credentials);
  expect(await runsOf()).toEqual({ [acme.tenant_id]: tasks, [globex.tenant_id]: tasks });
  // The task created a job, which divided the hour.
  await expect.poll(nodeHour.recordCosts, WAITING).toEqual(['2.5']);
  expect(await nodeHour.totals()).toEqual({ cost_usd: '10', charged_usd: '2.5', idle_usd: '7.5' });
});

const NodeHours = z.object({ lines: z.array(NodeHourLine) });

it('divides the hours of own nodes over their calls: records and idle time sum to their cost and energy', async () => {
  const { baseUrl, credentials, runtime } = instance;
  const { tenant_id: tenantId, api_keys } = demoTenants(credentials).globex;
  const { admin } = api_keys;
  const hour = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 2 * HOUR_MS;
  const at = (time: number) => new Date(time).toISOString();
  const rate = { node_hour_usd: '12.290000000001', node_watts: '6200.7' };
  const pool = {
    name: 'h100',
    serves: [{ provider: 'openai', model: 'own-*', host: 'vllm.internal' }],
    rates: [
      { ...rate, from: at(hour), nodes: 1 },
      { ...rate, from: at(hour + HOUR_MS), nodes: 0 },
    ],
  };
  const stated = { method: 'PUT', key: admin, body: { pools: [pool] } };
  expect((await call(baseUrl, '/api/v1/node-pools', stated)).status).toBe(200);
  for (const [offset, members] of [
    [600_000, { server_address: 'VLLM.internal', latency_ms: 30_000 }],
    [900_000, { server_address: 'vllm.internal', latency_ms: 3_000, output_tokens: 30 }],
    [900_000, { server_address: 'elsewhere.internal', latency_ms: 3_000 }],
  ] as const)
    await call(baseUrl, '/api/v1/invocations', {
      key: admin,
      body: someEvent({ requested_model: 'own-1', ingestion_timestamp: at(hour + offset), ...members }),
    });
  await runtime.idle();

  const engines = enginesOf(credentials);
  // The first run stores the sums of the hour, and the second divides it. Each task is due some times in an hour.
  for (const _ of ['close', 'divide']) {
    await engines.age(`${tenantId}#schedule`, HOUR_MS, 'jobs');
    await runtime.runSchedule('WorkersJobs');
    await runtime.idle();
  }
  engines.close();

  const records = await listAllRecords(baseUrl, admin);
  const own = records.filter(({ cost_usd }) => cost_usd !== null);
  expect(records).toHaveLength(3);
  expect(own).toHaveLength(2);
  const { body } = await call(baseUrl, `/v1/reports/node-hours?from=${at(hour)}`, { key: admin });
  const { lines } = NodeHours.parse(body);
  const wholeOf = (member: 'cost_usd' | 'energy_wh', idle: string | undefined) =>
    own.reduce((sum, record) => sum.plus(String(record[member])), decimal(idle ?? '0')).toFixed();
  expect(lines).toMatchObject([{ pool: 'h100', calls: 2, busy: 'busy_time', energy_wh: '6200.7' }]);
  expect(wholeOf('cost_usd', lines[0]?.idle_usd)).toBe('12.290000000001');
  expect(wholeOf('energy_wh', lines[0]?.idle_wh)).toBe('6200.7');
});
