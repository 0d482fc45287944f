import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { DescribeTableCommand, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { GetPublicKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { ReceiveMessageCommand, SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort, portOf } from '../../local/engines/freePort.ts';
import { startRuntime } from '../../local/runtime.ts';
import { CLIENT, startFixture } from './runningFixture.ts';
import { logicalId } from './stackFixture.ts';

const running = await startFixture();

afterAll(() => running.stop());

async function processed(body: string) {
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

describe('a queue event source', () => {
  beforeAll(async () => {
    // The start of its function can take longer than the visibility timeout, after which the message is received again.
    await sendAll(['first']);
    await running.runtime.idle();
  });

  test('invokes its function with a Lambda SQS event', async () => {
    const sent = await running.post('/do/send', 'shaped');
    expect(sent.status, await sent.text()).toBe(202);
    await running.runtime.idle();
    const { times, event } = (await processed('shaped')) ?? {};
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

  test('redelivers only failed messages, then moves them to the dead-letter queue', async () => {
    await sendAll(['good 1', 'bad', 'good 2']);
    await running.runtime.idle();
    expect([
      (await processed('good 1'))?.times,
      (await processed('bad'))?.times,
      (await processed('good 2'))?.times,
    ]).toEqual([1, 2, 1]);
    expect(await deadLetters()).toContain('bad');
  });

  test('deletes no messages when the function throws', async () => {
    await sendAll(['throw']);
    await running.runtime.idle();
    expect(await processed('throw')).toBeUndefined();
    expect(await deadLetters()).toContain('throw');
  });
});

describe('declared resources', () => {
  test('include the table indexes and the output URLs', async () => {
    const { Table } = await running.dynamodb.send(new DescribeTableCommand({ TableName: running.table }));
    expect(Table?.GlobalSecondaryIndexes?.map(({ IndexName }) => IndexName)).toEqual(['byKind']);
    expect(running.runtime.outputs).toMatchObject({ Url: running.runtime.baseUrl });
  });

  test('include the keys of the template', async () => {
    const kms = new KMSClient({ ...CLIENT, endpoint: running.runtime.endpoints.kms });
    const KeyId = running.runtime.resources.physicalId(
      logicalId(running.fixture.template, 'AWS::KMS::Key', 'Signing'),
    );
    const key = await kms.send(new GetPublicKeyCommand({ KeyId }));
    kms.destroy();
    expect(key.KeySpec).toBe('ECC_NIST_P256');
  });
});

describe('an external endpoint', () => {
  test('is used instead of the engine', async () => {
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

describe('a failing start', () => {
  test('throws with the port that is in use', async () => {
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

  test('releases its port and data directory for the next start', async () => {
    const location = { dataDir: join(running.fixture.directory, 'third'), port: await freePort() };
    // Port 1 has no listener on this machine.
    const environment = { AWS_ENDPOINT_URL_SQS: 'http://127.0.0.1:1' };
    await expect(startRuntime({ ...running.options, ...location, environment })).rejects.toThrow();
    const next = await startRuntime({ ...running.options, ...location });
    expect(next.baseUrl).toBe(`http://127.0.0.1:${location.port}`);
    await next.stop();
  });

  test('throws when another instance uses the data directory', async () => {
    await expect(startRuntime(running.options)).rejects.toThrow(/in use by another instance/);
  });
});
