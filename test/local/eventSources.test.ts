import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { DescribeTableCommand, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { GetPublicKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { ReceiveMessageCommand, SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { freePort, portOf } from '../../local/engines/freePort.ts';
import { startRuntime } from '../../local/runtime.ts';
import { CLIENT, type RunningFixture, startFixture } from './runningFixture.ts';
import { logicalId } from './stackFixture.ts';

// Engines start in these tests; a busy machine may take its time.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

let running: RunningFixture;

beforeAll(async () => {
  running = await startFixture();
});

afterAll(() => running.stop());

async function seen(body: string) {
  const { Item } = await running.dynamodb.send(
    new GetItemCommand({
      TableName: running.table,
      Key: { pk: { S: `seen ${body}` } },
      ConsistentRead: true,
    }),
  );
  return Item && { times: Number(Item['times']?.N), event: JSON.parse(Item['event']?.S ?? '{}') };
}

const sendAll = (bodies: string[]) =>
  running.sqs.send(
    new SendMessageBatchCommand({
      QueueUrl: running.queueUrl('Work'),
      Entries: bodies.map((MessageBody, index) => ({ Id: String(index), MessageBody })),
    }),
  );

async function deadLetters(): Promise<string[]> {
  const { Messages } = await running.sqs.send(
    new ReceiveMessageCommand({
      QueueUrl: running.queueUrl('DeadLetters'),
      MaxNumberOfMessages: 10,
      VisibilityTimeout: 0,
    }),
  );
  return (Messages ?? []).map(({ Body }) => Body ?? '');
}

describe('a queue', () => {
  test('feeds its function with the event Lambda makes', async () => {
    await running.post('/do/send', 'shaped');
    await running.runtime.idle();
    const { times, event } = (await seen('shaped')) ?? {};
    expect(times).toBe(1);
    expect(event).toMatchObject({
      body: 'shaped',
      eventSource: 'aws:sqs',
      eventSourceARN: expect.stringMatching(/^arn:aws:sqs:us-east-1:000000000000:Work/),
      awsRegion: 'us-east-1',
      messageAttributes: { kind: { stringValue: 'test', dataType: 'String' } },
      attributes: {
        ApproximateReceiveCount: '1',
        SentTimestamp: expect.stringMatching(/^\d+$/),
        ApproximateFirstReceiveTimestamp: expect.stringMatching(/^\d+$/),
        SenderId: expect.any(String),
      },
    });
  });

  test('delivers only the failed messages of a batch again, then to the dead-letter queue', async () => {
    await sendAll(['good 1', 'bad', 'good 2']);
    await running.runtime.idle();
    expect([
      (await seen('good 1'))?.times,
      (await seen('bad'))?.times,
      (await seen('good 2'))?.times,
    ]).toEqual([1, 2, 1]);
    expect(await deadLetters()).toContain('bad');
  });

  test('deletes nothing where the function throws', async () => {
    await sendAll(['throw']);
    await running.runtime.idle();
    expect(await seen('throw')).toBeUndefined();
    expect(await deadLetters()).toContain('throw');
  });
});

describe('what the template declares', () => {
  test('exists with its indexes and under the address the outputs name', async () => {
    const { Table } = await running.dynamodb.send(new DescribeTableCommand({ TableName: running.table }));
    expect(Table?.GlobalSecondaryIndexes?.map(({ IndexName }) => IndexName)).toEqual(['byKind']);
    expect(running.runtime.outputs).toMatchObject({ Url: running.runtime.baseUrl });
  });

  test('includes the keys, under their alias too', async () => {
    const kms = new KMSClient({ ...CLIENT, endpoint: running.runtime.endpoints.kms });
    const KeyId = running.runtime.resources.physicalId(
      logicalId(running.fixture.template, 'AWS::KMS::Key', 'Signing'),
    );
    const key = await kms.send(new GetPublicKeyCommand({ KeyId }));
    kms.destroy();
    expect(key.KeySpec).toBe('ECC_NIST_P256');
  });
});

describe('an endpoint given from outside', () => {
  test('is used instead of the engine, and gets what it lacks', async () => {
    const dataDir = join(running.fixture.directory, 'outside');
    const { dynamodb, sqs, sfn } = running.runtime.endpoints;
    const environment = {
      AWS_ENDPOINT_URL_DYNAMODB: dynamodb,
      AWS_ENDPOINT_URL_SQS: sqs,
      AWS_ENDPOINT_URL_SFN: sfn,
    };
    const second = await startRuntime({ ...running.options, dataDir, environment });
    const put = await fetch(`${second.baseUrl}/do/put`, {
      method: 'POST',
      body: 'from the second',
      headers: { 'content-type': 'text/plain' },
    });
    const { Item } = await running.dynamodb.send(
      new GetItemCommand({ TableName: running.table, Key: { pk: { S: 'from the second' } } }),
    );
    expect(put.status).toBe(204);
    expect(Item).toBeDefined();
    expect(second.queues).toEqual(running.runtime.queues);
    expect(second.endpoints.sfn).toBe(sfn);
    expect(['dynamodb.db', 'executions.db'].filter((file) => existsSync(join(dataDir, file)))).toEqual([]);
    await second.stop();
  });
});

describe('a start that cannot succeed', () => {
  test('names the port that is taken', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const start = startRuntime({
      ...running.options,
      dataDir: join(running.fixture.directory, 'second'),
      port: portOf(other),
    });
    await expect(start).rejects.toThrow(`Port ${portOf(other)} is already in use`);
    other.close();
  });

  test('leaves nothing running that would keep the next one from its port and directory', async () => {
    const place = { dataDir: join(running.fixture.directory, 'third'), port: await freePort() };
    // Nothing listens on port 1 of this machine.
    const environment = { AWS_ENDPOINT_URL_SQS: 'http://127.0.0.1:1' };
    await expect(startRuntime({ ...running.options, ...place, environment })).rejects.toThrow();
    const next = await startRuntime({ ...running.options, ...place });
    expect(next.baseUrl).toBe(`http://127.0.0.1:${place.port}`);
    await next.stop();
  });

  test('names the data directory that another instance holds', async () => {
    await expect(startRuntime(running.options)).rejects.toThrow(/in use by another instance/);
  });
});
