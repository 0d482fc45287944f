import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { promisify } from 'node:util';
import {
  CreateTableCommand,
  DynamoDBClient,
  ListTablesCommand,
  PutItemCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import {
  CreateQueueCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LOCAL_CREDENTIALS } from '../../../local/engines/awsCredentials.ts';
import { type DataDirectory, lockDataDirectory } from '../../../local/engines/dataDirectory.ts';
import { startDynamoDb } from '../../../local/engines/dynamodb/dynamodb.ts';
import type { Engine } from '../../../local/engines/engine.ts';
import { portOf } from '../../../local/engines/freePort.ts';
import { openKeys } from '../../../local/engines/kms/keyStore.ts';
import { startKms } from '../../../local/engines/kms/kms.ts';
import { startUserPool } from '../../../local/engines/oidc/userPool.ts';
import { startSes } from '../../../local/engines/ses.ts';
import { startSqsS3 } from '../../../local/engines/sqsS3/sqsS3.ts';
import { startStateMachines } from '../../../local/engines/stepFunctions/stateMachines.ts';
import { launchChromium } from '../../support/chromium.ts';
import { temporaryDirectory } from '../../support/temporaryDirectory.ts';

const CANARY = 'canary-of-the-owner';
const STRANGER =
  'AWS4-HMAC-SHA256 Credential=EVIL/20261125/us-east-1/dynamodb/aws4_request, SignedHeaders=host;x-amz-date, Signature=' +
  '0'.repeat(64);

let data: DataDirectory;
let engines: Engine[];
let site: Server;
let browser: Browser;
let page: Page;
let dynamodb: DynamoDBClient;
let sqs: SQSClient;
let s3: S3Client;
let queueUrl: string;

interface Attempt {
  readonly engine: string;
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}
let attempts: Attempt[];

const target = (url: string, operation: string, body: object, type = 'application/x-amz-json-1.0') => ({
  url,
  method: 'POST',
  headers: { 'content-type': type, 'x-amz-target': operation, 'x-amz-date': '20261125T000000Z' },
  body: JSON.stringify(body),
});

beforeAll(async () => {
  data = lockDataDirectory(temporaryDirectory());
  const [tables, messaging, keys, machines, mail, users] = await Promise.all([
    startDynamoDb(data, () => undefined),
    startSqsS3(data, [{ name: 'files', expirations: [] }], () => undefined),
    startKms(openKeys(data.join('keys.json'), [])),
    startStateMachines(data),
    startSes(data),
    startUserPool(data),
  ]);
  engines = [tables, messaging, keys, machines, mail, users];
  const client = { region: 'us-east-1', credentials: LOCAL_CREDENTIALS };
  dynamodb = new DynamoDBClient({ ...client, endpoint: tables.url });
  sqs = new SQSClient({ ...client, endpoint: messaging.url });
  s3 = new S3Client({ ...client, endpoint: messaging.url, forcePathStyle: true });
  await dynamodb.send(
    new CreateTableCommand({
      TableName: 'Rows',
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      BillingMode: 'PAY_PER_REQUEST',
    }),
  );
  await dynamodb.send(new PutItemCommand({ TableName: 'Rows', Item: { pk: { S: CANARY } } }));
  queueUrl = (await sqs.send(new CreateQueueCommand({ QueueName: 'q' }))).QueueUrl ?? '';
  await sqs.send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: CANARY }));
  await s3.send(new PutObjectCommand({ Bucket: 'files', Key: 'a.txt', Body: CANARY }));

  const put = { TableName: 'Rows', Item: { pk: { S: 'forged' } } };
  attempts = [
    { engine: 'dynamodb', ...target(tables.url, 'DynamoDB_20120810.ListTables', {}) },
    { engine: 'dynamodb', ...target(tables.url, 'DynamoDB_20120810.Scan', { TableName: 'Rows' }) },
    { engine: 'dynamodb', ...target(tables.url, 'DynamoDB_20120810.PutItem', put) },
    { engine: 'sqs', ...target(messaging.url, 'AmazonSQS.ReceiveMessage', { QueueUrl: queueUrl }) },
    {
      engine: 'sqs',
      ...target(messaging.url, 'AmazonSQS.SendMessage', { QueueUrl: queueUrl, MessageBody: 'forged' }),
    },
    {
      engine: 'sqs',
      url: queueUrl,
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'Action=SendMessage&MessageBody=forged',
    },
    { engine: 's3', url: `${messaging.url}/files/a.txt`, method: 'GET', headers: {}, body: '' },
    { engine: 's3', url: `${messaging.url}/files/forged.txt`, method: 'PUT', headers: {}, body: 'forged' },
    { engine: 's3', url: `${messaging.url}/files/a.txt`, method: 'DELETE', headers: {}, body: '' },
    { engine: 'kms', ...target(keys.url, 'TrentService.Sign', { KeyId: 'k' }, 'application/x-amz-json-1.1') },
    {
      engine: 'sfn',
      ...target(machines.url, 'AWSStepFunctions.StartExecution', { stateMachineArn: 'a', input: '{}' }),
    },
    {
      engine: 'ses',
      url: `${mail.url}/v2/email/outbound-emails`,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        FromEmailAddress: 'a@b.example',
        Destination: { ToAddresses: ['a@b.example'] },
        Content: { Raw: { Data: 'Zm9yZ2Vk' } },
      }),
    },
    {
      engine: 'cognito',
      ...target(users.url, 'AWSCognitoIdentityProviderService.AdminCreateUser', {
        UserPoolId: 'p',
        Username: 'forged@evil.example',
        DesiredDeliveryMediums: ['EMAIL'],
      }),
    },
  ];

  site = createServer((_request, response) => {
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end('<!doctype html><title>Another site</title>');
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  browser = await launchChromium();
  page = await browser.newPage();
  await page.goto(`http://localhost:${portOf(site)}/`);
});

afterAll(async () => {
  await browser.close();
  await new Promise((resolve) => site.close(resolve));
  for (const client of [dynamodb, sqs, s3]) client.destroy();
  for (const engine of engines) await engine.stop();
  data.release();
  rmSync(data.path, { recursive: true });
});

/** What the owner still finds: only what the owner wrote. */
const contents = async () => {
  const { Items = [] } = await dynamodb.send(new ScanCommand({ TableName: 'Rows' }));
  const { Messages = [] } = await sqs.send(
    new ReceiveMessageCommand({ QueueUrl: queueUrl, MaxNumberOfMessages: 10, VisibilityTimeout: 0 }),
  );
  const { Body } = await s3.send(new GetObjectCommand({ Bucket: 'files', Key: 'a.txt' }));
  return {
    rows: Items.map(({ pk }) => pk?.S),
    messages: Messages.map((message) => message.Body),
    object: await Body?.transformToString(),
  };
};
const UNTOUCHED = { rows: [CANARY], messages: [CANARY], object: CANARY };

describe('a page of another site', () => {
  it('reads nothing of any engine, and writes nothing, whatever it sends', async () => {
    const seen = await page.evaluate(
      async ({ all, stranger }) => {
        const results: string[] = [];
        for (const { engine, url, method, headers, body } of all) {
          const ways: RequestInit[] = [
            { headers: { ...headers, authorization: stranger } },
            { headers },
            { mode: 'no-cors' },
            { mode: 'no-cors', headers: { 'content-type': 'text/plain' } },
            { mode: 'no-cors', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
            { credentials: 'include', headers },
          ];
          for (const way of ways) {
            const verb = way.mode === 'no-cors' && method !== 'GET' ? 'POST' : method;
            try {
              const response = await fetch(url, { method: verb, ...(verb !== 'GET' && { body }), ...way });
              const text = await response.text();
              if (response.status === 200 || text !== '')
                results.push(`${engine}: ${response.status} ${text}`);
            } catch {
              // Refused.
            }
          }
        }
        return results;
      },
      { all: attempts, stranger: STRANGER },
    );

    expect(seen).toEqual([]);
    expect(await contents()).toEqual(UNTOUCHED);
  });

  it('sends no form', async () => {
    await page.setContent(
      `<form method="post" enctype="text/plain" action="${queueUrl}"><input name="Action=SendMessage&MessageBody" value="forged"></form>`,
    );
    await Promise.all([page.waitForNavigation(), page.evaluate('document.forms[0].submit()')]);

    expect(await page.content()).not.toContain(CANARY);
    expect(await contents()).toEqual(UNTOUCHED);
  });

  it('downloads a presigned object by navigation, as the console does', async () => {
    const url = await getSignedUrl(s3, new GetObjectCommand({ Bucket: 'files', Key: 'a.txt' }));
    await page.goto(`http://localhost:${portOf(site)}/`);
    await page.setContent(`<a href="${url.replaceAll('&', '&amp;')}">Download</a>`);
    const [response] = await Promise.all([page.waitForResponse(url), page.click('a')]);

    expect(response.status()).toBe(200);
  });
});

describe('a process that does not know the access key', () => {
  it('is refused by every engine', async () => {
    for (const { url, method, headers, body } of attempts) {
      for (const authorization of [undefined, STRANGER, STRANGER.replace('EVIL', 'local')]) {
        const response = await fetch(url, {
          method,
          headers: { ...headers, ...(authorization !== undefined && { authorization }) },
          ...(body !== '' && { body }),
        });
        expect([url, response.status]).toEqual([url, 403]);
        expect(await response.text()).not.toContain(CANARY);
      }
    }
    expect(await contents()).toEqual(UNTOUCHED);
  });

  it('downloads a presigned object with curl', async () => {
    const url = await getSignedUrl(s3, new GetObjectCommand({ Bucket: 'files', Key: 'a.txt' }));

    expect((await promisify(execFile)('curl', ['-sf', url])).stdout).toBe(CANARY);
  });
});

describe('a request under the name of another site', () => {
  it('is refused by every engine, also with the access key', async () => {
    for (const { url } of engines) {
      const { host } = new URL(url);
      const { stdout } = await promisify(execFile)('curl', [
        ...['-s', '-o', '/dev/null', '-w', '%{http_code}', '-X', 'POST', '-d', '{}'],
        ...['-H', `Authorization: ${STRANGER.replace('EVIL', LOCAL_CREDENTIALS.accessKeyId)}`],
        ...['-H', `Host: ${host.replace('127.0.0.1', 'rebound.example')}`, url],
      ]);

      expect([url, stdout]).toEqual([url, '403']);
    }
  });
});

describe('the DynamoDB engine behind its front door', () => {
  it('answers many requests of one connection', async () => {
    const names = await Promise.all(
      Array.from({ length: 50 }, async () => (await dynamodb.send(new ListTablesCommand({}))).TableNames),
    );

    expect(new Set(names.map(String))).toEqual(new Set(['Rows']));
  });
});
