import {
  CreateTableCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  ResourceInUseException,
  ResourceNotFoundException,
  type TableDescription,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import type { DeclaredResource } from '../template/resourcesOfType.ts';
import type { TableProperties } from '../template/tables.ts';
import { TemplateError } from '../template/template.ts';

type Table = DeclaredResource<TableProperties>;

/** Longest wait for a new table to become active at an external endpoint. The embedded engine needs no wait. */
const TABLE_WAIT_SECONDS = 60;

/**
 * Creates missing tables. Throws a TemplateError if an existing table has other keys or indexes than the template, because
 * its data would not match.
 */
export async function createTables(client: DynamoDBClient, tables: Table[]): Promise<void> {
  await Promise.all(tables.map((table) => ensureTable(client, table)));
}

async function ensureTable(client: DynamoDBClient, table: Table): Promise<void> {
  const existing = await describeTable(client, table.identity.name);
  if (existing === undefined) return createTable(client, table);
  if (schemaFingerprint(existing) !== schemaFingerprint(table.properties)) {
    throw new TemplateError(
      `${table.logicalId}: the existing table has other keys or indexes than the template. Start with a new data directory (--fresh).`,
    );
  }
  const { StreamSpecification: stream } = table.properties;
  if (stream === undefined || existing.StreamSpecification?.StreamEnabled === true) return;
  await client.send(
    new UpdateTableCommand({
      TableName: table.identity.name,
      StreamSpecification: { StreamEnabled: true, ...stream },
    }),
  );
}

async function createTable(client: DynamoDBClient, { identity, properties }: Table): Promise<void> {
  const { KeySchema, AttributeDefinitions, StreamSpecification: stream } = properties;
  const { TimeToLiveSpecification: ttl } = properties;
  const global = properties.GlobalSecondaryIndexes?.map(toIndex);
  const TableName = identity.name;
  await client
    .send(
      new CreateTableCommand({
        TableName,
        BillingMode: 'PAY_PER_REQUEST',
        KeySchema,
        AttributeDefinitions,
        ...(global && { GlobalSecondaryIndexes: global }),
        ...(stream && { StreamSpecification: { StreamEnabled: true, ...stream } }),
      }),
    )
    .catch((error: unknown) => {
      if (!(error instanceof ResourceInUseException)) throw error;
    });
  await waitUntilTableExists({ client, maxWaitTime: TABLE_WAIT_SECONDS, minDelay: 1 }, { TableName });
  if (!ttl?.AttributeName) return;
  const TimeToLiveSpecification = { AttributeName: ttl.AttributeName, Enabled: ttl.Enabled };
  await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
}

type Index = NonNullable<TableProperties['GlobalSecondaryIndexes']>[number];

const toIndex = ({ IndexName, KeySchema, Projection }: Index) => ({
  IndexName,
  KeySchema,
  Projection: {
    ProjectionType: Projection.ProjectionType,
    ...(Projection.NonKeyAttributes && { NonKeyAttributes: Projection.NonKeyAttributes }),
  },
});

async function describeTable(
  client: DynamoDBClient,
  TableName: string,
): Promise<TableDescription | undefined> {
  try {
    return (await client.send(new DescribeTableCommand({ TableName }))).Table;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}

interface KeyElement {
  AttributeName?: string | undefined;
  KeyType?: string | undefined;
}

interface TableSchema {
  KeySchema?: KeyElement[] | undefined;
  GlobalSecondaryIndexes?:
    | { IndexName?: string | undefined; KeySchema?: KeyElement[] | undefined }[]
    | undefined;
}

/** Keys and indexes as one comparable string. */
function schemaFingerprint(table: TableSchema): string {
  const keys = (schema: KeyElement[] | undefined) =>
    (schema ?? []).map((key) => `${key.KeyType}=${key.AttributeName}`).join();
  return [
    keys(table.KeySchema),
    ...(table.GlobalSecondaryIndexes ?? [])
      .map((index) => `${index.IndexName}:${keys(index.KeySchema)}`)
      .sort(),
  ].join(' ');
}
