import { rmSync } from 'node:fs';
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { pointClientsAt } from '../../bin/operator/deployment.ts';
import { takeDataDirectory } from '../../local/engines/dataDirectory.ts';
import { startDynamoDb } from '../../local/engines/dynamodb.ts';
import { type TableShape, tableNames, tables } from '../../schemas/stores.ts';
import { temporaryDirectory } from '../support/instance.ts';

export interface LiveTables {
  /** For looking behind the stores, and for faults they cannot make themselves. */
  readonly client: DynamoDBClient;
  readonly stop: () => Promise<void>;
}

/**
 * The table engine alone, with every table of the contract under its own name, and the stores' client pointed at it.
 * The client reads its endpoint with its first call, so one engine serves a test file from beginning to end.
 */
export const startTables = async (): Promise<LiveTables> => {
  const data = takeDataDirectory(temporaryDirectory());
  const engine = await startDynamoDb(data, () => undefined);
  pointClientsAt({ dynamodb: engine.url });
  const client = new DynamoDBClient({});
  await Promise.all(
    tableNames.map((name) => {
      const { partitionKey, sortKey }: TableShape = tables[name];
      const names = [partitionKey, ...(sortKey === undefined ? [] : [sortKey])];
      return client.send(
        new CreateTableCommand({
          TableName: name,
          BillingMode: 'PAY_PER_REQUEST',
          KeySchema: names.map((AttributeName, index) => ({
            AttributeName,
            KeyType: index === 0 ? 'HASH' : 'RANGE',
          })),
          AttributeDefinitions: names.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
        }),
      );
    }),
  );
  return {
    client,
    stop: async () => {
      client.destroy();
      await engine.stop();
      data.release();
      rmSync(data.path, { recursive: true, force: true });
    },
  };
};
