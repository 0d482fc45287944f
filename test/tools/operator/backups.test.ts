import { createServer, type Server } from 'node:http';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterEach, expect, it } from 'vitest';
import { LOCAL_CREDENTIALS } from '../../../local/engines/awsCredentials.ts';
import { pointInTimeBackups } from '../../../tools/operator/restore/backups.ts';

let server: Server | undefined;
afterEach(() => server?.close());

/** An endpoint of DynamoDB that knows one table, which is restored after the second look at it. */
const startDynamodb = async (isKnown: boolean) => {
  const calls: { action: string; input: unknown }[] = [];
  let looks = isKnown ? 2 : 0;
  let exists = isKnown;
  server = createServer(async (request, response) => {
    const action = String(request.headers['x-amz-target']).replace(/^.*\./, '');
    const input: unknown = await new Response(request).json();
    calls.push({ action, input });
    const send = (status: number, body: object): void => {
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(body));
    };
    if (action === 'RestoreTableToPointInTime') {
      exists = true;
      return send(200, { TableDescription: { TableStatus: 'CREATING' } });
    }
    if (action === 'DescribeTable' && !exists)
      return send(400, { __type: 'com.amazonaws.dynamodb.v20120810#ResourceNotFoundException' });
    looks += 1;
    return send(200, { Table: { TableStatus: looks > 2 ? 'ACTIVE' : 'CREATING' } });
  });
  const port = await new Promise<number>((resolve) => {
    server?.listen(0, '127.0.0.1', () => {
      const address = server?.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
  const client = new DynamoDBClient({
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    credentials: LOCAL_CREDENTIALS,
  });
  return { calls, backups: pointInTimeBackups(client, 0.01) };
};

const AT = new Date('2026-03-15T10:00:00Z');

it('restores a table into a new one, and waits until it is active', async () => {
  const { calls, backups } = await startDynamodb(false);

  await backups.restore('ledger', 'ledger-copy', AT);

  const [, restore] = calls;
  expect(calls.map(({ action }) => action)).toEqual([
    'DescribeTable',
    'RestoreTableToPointInTime',
    'DescribeTable',
    'DescribeTable',
    'DescribeTable',
  ]);
  expect(restore?.input).toMatchObject({
    SourceTableName: 'ledger',
    TargetTableName: 'ledger-copy',
    RestoreDateTime: AT.getTime() / 1_000,
  });
});

it('uses a copy that an interrupted command has left', async () => {
  const { calls, backups } = await startDynamodb(true);

  await backups.restore('ledger', 'ledger-copy', AT);

  expect(calls.map(({ action }) => action)).not.toContain('RestoreTableToPointInTime');
});

it('deletes a copy', async () => {
  const { calls, backups } = await startDynamodb(true);

  await backups.remove('ledger-copy');

  expect(calls).toEqual([{ action: 'DeleteTable', input: { TableName: 'ledger-copy' } }]);
});
