import { rmSync } from 'node:fs';
import {
  ChangeMessageVisibilityCommand,
  CreateQueueCommand,
  DeleteMessageCommand,
  GetQueueUrlCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LOCAL_CREDENTIALS } from '../../../../local/engines/awsCredentials.ts';
import { type DataDirectory, lockDataDirectory } from '../../../../local/engines/dataDirectory.ts';
import { type SqsS3Engine, startSqsS3 } from '../../../../local/engines/sqsS3/sqsS3.ts';
import { temporaryDirectory } from '../../../support/temporaryDirectory.ts';

let data: DataDirectory;
let engine: SqsS3Engine;
let sqs: SQSClient;

async function start(): Promise<void> {
  engine = await startSqsS3(data, [], () => {});
  const credentials = LOCAL_CREDENTIALS;
  sqs = new SQSClient({ endpoint: engine.url, region: 'us-east-1', credentials });
}

async function restart(): Promise<void> {
  sqs.destroy();
  await engine.stop();
  await start();
}

async function queue(name: string, Attributes: Record<string, string> = {}): Promise<string> {
  return (await sqs.send(new CreateQueueCommand({ QueueName: name, Attributes }))).QueueUrl ?? '';
}

async function receive(name: string) {
  const { QueueUrl } = await sqs.send(new GetQueueUrlCommand({ QueueName: name }));
  const names = { MessageSystemAttributeNames: ['All' as const], MaxNumberOfMessages: 10 };
  return (await sqs.send(new ReceiveMessageCommand({ QueueUrl, ...names }))).Messages ?? [];
}

beforeEach(async () => {
  data = lockDataDirectory(temporaryDirectory());
  await start();
});

afterEach(async () => {
  sqs.destroy();
  await engine.stop();
  data.release();
  rmSync(data.path, { recursive: true });
});

describe('the queue engine', () => {
  test('returns queue URLs on its current address, also after a restart on another port', async () => {
    expect(await queue('work')).toBe(`${engine.url}/000000000000/work`);
    await restart();
    const { QueueUrl } = await sqs.send(new GetQueueUrlCommand({ QueueName: 'work' }));
    expect(QueueUrl).toBe(`${engine.url}/000000000000/work`);
  });

  test('accepts every kind of character that SQS accepts', async () => {
    const QueueUrl = await queue('work');
    const MessageBody = 'tab\t é 漢 😀';
    await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody }));
    expect((await receive('work'))[0]?.Body).toBe(MessageBody);
  });

  test('keeps messages across a restart, except deleted messages', async () => {
    const QueueUrl = await queue('work');
    const Entries = ['a', 'b', 'c'].map((MessageBody, index) => ({ Id: String(index), MessageBody }));
    await sqs.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
    const [first] = await receive('work');
    await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: first?.ReceiptHandle }));
    await restart();
    const bodies = (await receive('work')).map(({ Body }) => Body).sort();
    expect(bodies).toEqual(['a', 'b', 'c'].filter((body) => body !== first?.Body));
  });

  test('returns in-flight messages after a restart, without counting the interrupted receive', async () => {
    const QueueUrl = await queue('work', { VisibilityTimeout: '3600' });
    await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'a' }));
    await receive('work');
    await restart();
    expect((await receive('work'))[0]?.Attributes?.ApproximateReceiveCount).toBe('1');
  });

  test('makes a message visible at once when its visibility timeout is set to 0', async () => {
    const QueueUrl = await queue('work', { VisibilityTimeout: '3600' });
    await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'a' }));
    const [{ ReceiptHandle } = {}] = await receive('work');
    await sqs.send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout: 0 }));
    expect((await receive('work')).map(({ Body }) => Body)).toEqual(['a']);
  });

  test('ends a long poll on request, so that its consumer can stop', async () => {
    const QueueUrl = await queue('work');
    const longPoll = sqs.send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 20 }));
    const endingPolls = setInterval(() => engine.endLongPolls(), 20);
    expect((await longPoll).Messages).toBeUndefined();
    clearInterval(endingPolls);
  });
});
