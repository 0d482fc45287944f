import { rmSync } from 'node:fs';
import { DescribeTimeToLiveCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LOCAL_CREDENTIALS } from '../../../local/engines/awsCredentials.ts';
import { type DataDirectory, lockDataDirectory } from '../../../local/engines/dataDirectory.ts';
import { engineProgram, startDynamoDb } from '../../../local/engines/dynamodb/dynamodb.ts';
import type { Engine } from '../../../local/engines/engine.ts';
import { embeddedLocations } from '../../../local/engines/engines.ts';
import { createTables } from '../../../local/provision/tables.ts';
import { readStack } from '../../../local/template/stack.ts';
import { Template } from '../../../local/template/template.ts';
import { temporaryDirectory } from '../../support/temporaryDirectory.ts';

let data: DataDirectory;
let engine: Engine;
let client: DynamoDBClient;

beforeAll(async () => {
  data = lockDataDirectory(temporaryDirectory());
  engine = await startDynamoDb(data, () => {});
  const credentials = LOCAL_CREDENTIALS;
  client = new DynamoDBClient({ endpoint: engine.url, region: 'us-east-1', credentials });
});

afterAll(async () => {
  client.destroy();
  await engine.stop();
  data.release();
  rmSync(data.path, { recursive: true });
});

/** The table declarations of a stack with one table, which has this partition key. */
function tables(key: string) {
  const Properties = {
    KeySchema: [{ AttributeName: key, KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: key, AttributeType: 'S' }],
    TimeToLiveSpecification: { AttributeName: 'expires', Enabled: true },
  };
  const template = Template.parse({ Resources: { Kept: { Type: 'AWS::DynamoDB::Table', Properties } } });
  return readStack(template, '', embeddedLocations('', '')).tables;
}

describe('createTables', () => {
  test('creates a table once, with its time to live', async () => {
    await createTables(client, tables('pk'));
    await createTables(client, tables('pk'));
    const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName: 'Kept' }));
    expect(TimeToLiveDescription).toMatchObject({ AttributeName: 'expires' });
  });

  test('throws when the existing table has other keys', async () => {
    await createTables(client, tables('pk'));
    await expect(createTables(client, tables('id'))).rejects.toThrow(/Kept: .*other keys/);
  });
});

test('names the missing package and the endpoint variable on an unsupported platform', () => {
  expect(() => engineProgram('plan9', 'mips')).toThrow(/@dynoxide\/plan9-mips.*AWS_ENDPOINT_URL_DYNAMODB/);
});
