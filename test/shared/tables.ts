import { rmSync } from 'node:fs';
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { lockDataDirectory } from '../../local/engines/dataDirectory.ts';
import { startDynamoDb } from '../../local/engines/dynamodb/dynamodb.ts';
import { type TableShape, tableNames, tables } from '../../schemas/platform/tables.ts';
import { pointClientsAt } from '../../tools/operator/deployment.ts';
import { temporaryDirectory } from '../support/instance.ts';

export interface LiveTables {
  /** For direct reads, and for faults that the stores cannot cause. */
  readonly client: DynamoDBClient;
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/**
 * Starts the local table engine with all tables and connects the client of the stores to it. The client reads its
 * endpoint at its first call, so one engine serves the whole test file.
 */
export const startTables = async (): Promise<LiveTables> => {
  const data = lockDataDirectory(temporaryDirectory());
  const engine = await startDynamoDb(data, () => undefined);
  pointClientsAt({ dynamodb: engine.url });
  const client = new DynamoDBClient({});
  await Promise.all(
    tableNames.map((name) => {
      const { partitionKey, sortKey, localIndexes = {}, streamed }: TableShape = tables[name];
      const names = [partitionKey, ...(sortKey === undefined ? [] : [sortKey])];
      const indexes = Object.entries(localIndexes);
      const keySchemaOf = (keys: readonly string[]) =>
        keys.map((AttributeName, index) => ({
          AttributeName,
          KeyType: index === 0 ? ('HASH' as const) : ('RANGE' as const),
        }));
      return client.send(
        new CreateTableCommand({
          TableName: name,
          BillingMode: 'PAY_PER_REQUEST',
          ...(streamed && { StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' } }),
          KeySchema: keySchemaOf(names),
          AttributeDefinitions: [...names, ...indexes.map(([, key]) => key)].map((AttributeName) => ({
            AttributeName,
            AttributeType: 'S',
          })),
          ...(indexes.length > 0 && {
            LocalSecondaryIndexes: indexes.map(([IndexName, key]) => ({
              IndexName,
              KeySchema: keySchemaOf([partitionKey, key]),
              Projection: { ProjectionType: 'ALL' as const },
            })),
          }),
        }),
      );
    }),
  );
  return {
    client,
    url: engine.url,
    stop: async () => {
      client.destroy();
      await engine.stop();
      data.release();
      rmSync(data.path, { recursive: true, force: true });
    },
  };
};
