import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateQueueCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LOCAL_CREDENTIALS } from '../../../../local/engines/awsCredentials.ts';
import { type DataDirectory, lockDataDirectory } from '../../../../local/engines/dataDirectory.ts';
import { type SqsS3Engine, startSqsS3 } from '../../../../local/engines/sqsS3/sqsS3.ts';

let data: DataDirectory;
let engine: SqsS3Engine;
let sqs: SQSClient;
let url: string;

const start = async (): Promise<void> => {
  engine = await startSqsS3(data, [], () => {});
  const credentials = LOCAL_CREDENTIALS;
  sqs = new SQSClient({ endpoint: engine.url, region: 'us-east-1', credentials });
  url = (await sqs.send(new CreateQueueCommand({ QueueName: 'work' }))).QueueUrl ?? '';
};
const stop = async (): Promise<void> => {
  sqs.destroy();
  await engine.stop();
};

beforeEach(async () => {
  data = lockDataDirectory(mkdtempSync(join(tmpdir(), 'fair-')));
  await start();
});

afterEach(async () => {
  await stop();
  data.release();
  rmSync(data.path, { recursive: true });
});

/** Sends `count` messages, ten in a request. */
const send = async (count: number, MessageGroupId?: string): Promise<void> => {
  for (let sent = 0; sent < count; sent += 10) {
    const Entries = Array.from({ length: Math.min(10, count - sent) }, (_, index) => ({
      Id: String(index),
      MessageBody: `${MessageGroupId} ${sent + index}`,
      ...(MessageGroupId !== undefined && { MessageGroupId }),
    }));
    await sqs.send(new SendMessageBatchCommand({ QueueUrl: url, Entries }));
  }
};
const receive = async (): Promise<Message[]> => {
  const MessageSystemAttributeNames = ['All' as const];
  const command = new ReceiveMessageCommand({
    QueueUrl: url,
    MaxNumberOfMessages: 10,
    MessageSystemAttributeNames,
  });
  return (await sqs.send(command)).Messages ?? [];
};

test('delivers a message of a quiet tenant before the backlog of a loud one', async () => {
  await send(100, 'loud');
  for (let batch = 0; batch < 4; batch += 1) await receive();
  await sqs.send(new SendMessageCommand({ QueueUrl: url, MessageBody: 'quiet', MessageGroupId: 'quiet' }));

  const [first, ...others] = await receive();
  expect(first).toMatchObject({ Body: 'quiet', Attributes: { MessageGroupId: 'quiet' } });
  expect(others.map(({ Attributes }) => Attributes?.MessageGroupId)).toEqual(Array(9).fill('loud'));
});

test('delivers messages without a group in the order in which they were sent', async () => {
  await send(60);
  for (let batch = 0; batch < 4; batch += 1) await receive();
  await send(1);

  const expected = Array.from({ length: 10 }, (_, index) => `undefined ${40 + index}`);
  expect((await receive()).map(({ Body }) => Body)).toEqual(expected);
});

test('keeps the groups of waiting messages over a restart', async () => {
  await send(10, 'loud');
  await stop();
  await start();

  const groups = (await receive()).map(({ Attributes }) => Attributes?.MessageGroupId);
  expect(groups).toEqual(Array(10).fill('loud'));
});
