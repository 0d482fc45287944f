import { DeleteItemCommand, DynamoDBClient, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import { AttributionRecord } from '../../schemas/attribution/attributionRecord.ts';
import { CoverageMap } from '../../schemas/insight/coverage.ts';
import { Diagnostics } from '../../schemas/tenants/diagnostics.ts';
import { call, someEvent } from '../support/client.ts';
import { enginesOf } from '../support/engines.ts';
import { type Instance, startInstance } from '../support/instance.ts';
import { localClient } from '../support/localAws.ts';
import { demoTenants, UNLIMITED } from '../support/localService.ts';

const AttributionPage = z.object({ data: z.array(AttributionRecord) });

let instance: Instance;
let keys: { admin: string; ingest: string; read: string };
let otherKey: string;

beforeAll(async () => {
  instance = await startInstance({ environment: UNLIMITED });
  const { acme: tenant, globex: other } = demoTenants(instance.credentials);
  keys = tenant.api_keys;
  otherKey = other.api_keys.read;
});
afterAll(() => instance?.stop());

const send = async (members: Record<string, unknown>) => {
  const body = someEvent(members);
  await call(instance.baseUrl, '/api/v1/invocations', { key: keys.ingest, body });
  await instance.runtime.idle();
  return body;
};
const pathwaysOf = async (key = keys.read) =>
  CoverageMap.parse((await call(instance.baseUrl, '/api/v1/coverage', { key })).body).pathways;
const diagnostics = async () =>
  Diagnostics.parse((await call(instance.baseUrl, '/api/v1/diagnostics', { key: keys.admin })).body);

it('GET /api/v1/coverage returns live capture layers and missing expected layers', async () => {
  await send({ ingestion_layer: 'gateway', source_system: 'litellm' });
  await call(instance.baseUrl, '/api/v1/coverage/expectations', {
    method: 'PUT',
    key: keys.admin,
    body: { expectations: [{ pathway_category: 'gateway_mediated', layers: ['gateway', 'proxy'] }] },
  });

  const [gateway, ...others] = await pathwaysOf();

  expect(others).toEqual([]);
  expect(gateway).toMatchObject({
    pathway_category: 'gateway_mediated',
    state: 'degraded',
    missing: ['proxy'],
    layers: [{ ingestion_layer: 'gateway', status: 'live', source_systems: [{ source_system: 'litellm' }] }],
  });
  expect(await pathwaysOf(otherKey)).toEqual([]);
});

it('GET /api/v1/diagnostics counts duplicates, dropped members and rejected events', async () => {
  const event = await send({ prompt: 'never kept' });
  for (const again of [event, { ...event, output_tokens: 1 }]) {
    await call(instance.baseUrl, '/api/v1/invocations', { key: keys.ingest, body: again });
    await instance.runtime.idle();
  }
  const engines = enginesOf(instance.credentials);
  await engines.produce(JSON.stringify(someEvent({ provider: 7 })));
  engines.close();

  await instance.runtime.idle();

  // No later call: a process that Lambda froze after its last call must not hold any count.
  expect((await diagnostics()).last_24_hours).toMatchObject({
    duplicates: 1,
    duplicate_mismatches: 1,
    dropped_members: 3,
    events_set_aside: { invalid_event: 1 },
  });
});

it('marks records and totals as stale while accepted calls are not recorded', async () => {
  await send({});
  const client = new DynamoDBClient(localClient(instance.runtime.endpoints.dynamodb));
  const TableName = instance.credentials.tables['counters'];
  const { Items = [] } = await client.send(new ScanCommand({ TableName }));
  const isRecorded = ({ pk }: (typeof Items)[number]) => pk?.S?.endsWith('#recorded') ?? false;
  for (const { pk, sk } of Items.filter(isRecorded)) {
    if (pk !== undefined && sk !== undefined)
      await client.send(new DeleteItemCommand({ TableName, Key: { pk, sk } }));
  }
  const pk = Items.find(isRecorded)?.['pk']?.S?.replace(/recorded$/, 'accepted') ?? '';
  const sk = new Date(Date.now() - 5 * 60_000).toISOString();
  await client.send(new PutItemCommand({ TableName, Item: { pk: { S: pk }, sk: { S: sk } } }));
  client.destroy();

  const read = async () => {
    const list = await call(instance.baseUrl, '/v1/attribution?limit=1', { key: keys.read });
    const report = await call(instance.baseUrl, '/v1/reports/usage', { key: keys.read });
    const { data } = AttributionPage.parse(list.body);
    return [data[0]?.interpretation.freshness, report.body['stale']];
  };
  // A process reads the progress of a tenant every five seconds.
  await expect.poll(read, { interval: 500 }).toEqual(['index_stale', true]);
});

it('GET /api/v1/diagnostics returns the time of the newest call', async () => {
  const before = Date.now();
  await send({ occurred_at: new Date(before).toISOString() });

  await expect
    .poll(async () => (await diagnostics()).freshness.newest_call, { interval: 500 })
    .toBe(new Date(before - (before % 60_000)).toISOString());
});
