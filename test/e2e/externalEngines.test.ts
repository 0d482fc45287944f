import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DynamoDBClient, ListTablesCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { LOCAL_CREDENTIALS } from '../../local/engines/awsCredentials.ts';
import { lockDataDirectory } from '../../local/engines/dataDirectory.ts';
import { startDynamoDb } from '../../local/engines/dynamodb/dynamodb.ts';
import type { Engine } from '../../local/engines/engine.ts';
import { startSqsS3 } from '../../local/engines/sqsS3/sqsS3.ts';
import { call, listAllRecords, someEvent } from '../support/client.ts';
import { type SpawnedInstance, spawnInstance } from '../support/instance.ts';
import { localClient } from '../support/localAws.ts';
import { temporaryDirectory } from '../support/temporaryDirectory.ts';

const dataDir = temporaryDirectory();
const externalData = lockDataDirectory(temporaryDirectory());
let tables: Engine;
let queues: Engine;
let instance: SpawnedInstance;

beforeAll(async () => {
  tables = await startDynamoDb(externalData, () => undefined);
  queues = await startSqsS3(externalData, [], () => undefined);
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', tables.url);
  vi.stubEnv('AWS_ENDPOINT_URL_SQS', queues.url);
  vi.stubEnv('AWS_ACCESS_KEY_ID', LOCAL_CREDENTIALS.accessKeyId);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', LOCAL_CREDENTIALS.secretAccessKey);
  instance = await spawnInstance(dataDir);
});
afterAll(async () => {
  await instance.stop();
  await Promise.all([tables.stop(), queues.stop()]);
  externalData.release();
  for (const path of [dataDir, externalData.path]) rmSync(path, { recursive: true, force: true });
});

it('uses external tables and queues when AWS_ENDPOINT_URL variables are set', async () => {
  const { baseUrl, credentials } = instance;
  const [tenant] = credentials.tenants;
  const event = someEvent();
  const dynamodb = new DynamoDBClient(localClient(tables.url));
  const sqs = new SQSClient(localClient(queues.url));

  const body = { key: tenant?.api_keys.ingest ?? '', body: event };
  const accepted = await call(baseUrl, '/api/v1/invocations', body);
  const read = () => listAllRecords(baseUrl, tenant?.api_keys.read ?? '');
  await expect.poll(async () => (await read()).length).toBe(1);

  const { TableNames = [] } = await dynamodb.send(new ListTablesCommand({}));
  const { QueueUrls = [] } = await sqs.send(new ListQueuesCommand({}));
  const ledger = await dynamodb.send(new ScanCommand({ TableName: credentials.tables['ledger'] }));
  dynamodb.destroy();
  sqs.destroy();
  expect(accepted.status).toBe(202);
  expect(await read()).toMatchObject([{ event_id: event['event_id'], cost_usd: '0.0045' }]);
  expect(TableNames.toSorted()).toEqual(Object.values(credentials.tables).toSorted());
  expect(QueueUrls).toContain(credentials.ingestion_queue_url);
  expect(credentials.endpoints).toMatchObject({ dynamodb: tables.url, sqs: queues.url });
  // The record, its month marker and its place in the index. The instance's own directory has no database.
  expect(ledger.Count).toBeGreaterThanOrEqual(3);
  expect(existsSync(join(dataDir, 'dynamodb.db'))).toBe(false);
});
