import {
  CreateTableCommand,
  DeleteTableCommand,
  DynamoDBClient,
  QueryCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { outboxPartitions } from '../../functions/platform/outbox/outbox.store.ts';
import { dynamodb } from '../../functions/platform/shared/aws/dynamodb.client.ts';
import { LOCAL_CREDENTIALS } from '../../local/engines/awsCredentials.ts';
import { lockDataDirectory } from '../../local/engines/dataDirectory.ts';
import { startOpenDynamoDb } from '../../local/engines/dynamodb/dynamodb.ts';
import { RaisedEvent } from '../../schemas/delivery/events.ts';
import { AuditEntry } from '../../schemas/identity/audit.ts';
import { type TableName, type TableShape, tableNames, tables } from '../../schemas/platform/tables.ts';
import { pointClientsAt } from '../../tools/operator/deployment.ts';
import { temporaryDirectory } from './temporaryDirectory.ts';

type TenantId = { readonly tenant_id: string };

export interface LiveTables {
  /** For direct reads, and for faults that the stores cannot cause. */
  readonly client: DynamoDBClient;
  readonly url: string;
  /** The documents of a partition, in the order of their sort keys. */
  readonly documents: (table: TableName, pk: string) => Promise<unknown[]>;
  /** The audit entries of a tenant in the month of most test clocks, oldest first. */
  readonly auditOf: (tenant: TenantId) => Promise<AuditEntry[]>;
  /** The events raised for a tenant, in the order of their ids. */
  readonly eventsOf: (tenant: TenantId) => Promise<RaisedEvent[]>;
  /** Every row of the tables, as text. */
  readonly everything: (...names: TableName[]) => Promise<string>;
  /** Empties the tables. The engine runs until the test process ends. */
  readonly stop: () => Promise<void>;
}

/** Every audit entry of a test with this month in its clock is in one partition. */
const AUDIT_MONTH = '2026-05';

const shapeOf = (name: TableName): TableShape => tables[name];

const createTable = (client: DynamoDBClient, name: TableName) => {
  const { partitionKey, sortKey, streamed } = shapeOf(name);
  const names = [partitionKey, ...(sortKey === undefined ? [] : [sortKey])];
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
      AttributeDefinitions: names.map((AttributeName) => ({
        AttributeName,
        AttributeType: 'S',
      })),
    }),
  );
};

/** Longer than any delay on a busy machine. */
const REQUEST_TIMEOUT_MS = 60_000;

/** Replaces the time limits of the stores. On a busy machine they would end attempts that then take effect twice. */
const waitForSlowAnswers = (): void => {
  const handler = dynamodb.config.requestHandler;
  const handle = handler.handle.bind(handler);
  handler.handle = (request, options) => {
    const patient = { ...options, requestTimeout: REQUEST_TIMEOUT_MS };
    return handle(request, { ...patient, abortSignal: undefined });
  };
  if ('updateHttpClientConfig' in handler && typeof handler.updateHttpClientConfig === 'function') {
    handler.updateHttpClientConfig('connectionTimeout', REQUEST_TIMEOUT_MS);
  }
};

const startEngine = async () => {
  const data = lockDataDirectory(temporaryDirectory());
  // Without its front door, which costs a quarter of each call.
  const { host, port } = await startOpenDynamoDb(data, () => undefined);
  const url = `http://${host}:${port}`;
  pointClientsAt({ dynamodb: url }, LOCAL_CREDENTIALS);
  waitForSlowAnswers();
  const client = new DynamoDBClient({});
  // Read from the environment now: files of this process change it later.
  await Promise.all([client.config.credentials(), dynamodb.config.credentials()]);
  await Promise.all(tableNames.map((name) => createTable(client, name)));
  return { url, client };
};
let engine: ReturnType<typeof startEngine> | undefined;

/** Makes a table as new. One that has no rows is, unless its stream tells of rows that it had. */
const empty = async (client: DynamoDBClient, TableName: TableName): Promise<void> => {
  const { Count } = await client.send(new ScanCommand({ TableName, Limit: 1 }));
  if (Count === 0 && !shapeOf(TableName).streamed) return;
  await client.send(new DeleteTableCommand({ TableName }));
  await createTable(client, TableName);
};

/**
 * Connects the client of the stores to all tables, without rows. The files of a test process share one engine and its
 * tables, because to start and create them takes longer than most of their tests.
 */
export const startTables = async (): Promise<LiveTables> => {
  engine ??= startEngine();
  const { client, url } = await engine;

  const documents = async (table: TableName, pk: string): Promise<unknown[]> => {
    const { Items = [] } = await client.send(
      new QueryCommand({
        TableName: table,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': { S: pk } },
        ConsistentRead: true,
      }),
    );
    return Items.map(({ document }) => JSON.parse(document?.S ?? ''));
  };
  return {
    client,
    url,
    documents,
    auditOf: async ({ tenant_id }) =>
      (await documents('audit', `${tenant_id}#${AUDIT_MONTH}`)).map((one) => AuditEntry.parse(one)),
    eventsOf: async ({ tenant_id }) =>
      (await Promise.all(outboxPartitions(tenant_id).map((partition) => documents('outbox', partition))))
        .flat()
        .map((one) => RaisedEvent.parse(one))
        .toSorted((one, other) => (one.id < other.id ? -1 : 1)),
    everything: async (...names) => {
      const scans = names.map((TableName) => client.send(new ScanCommand({ TableName })));
      return JSON.stringify((await Promise.all(scans)).map(({ Items }) => Items));
    },
    stop: async () => {
      await Promise.all(tableNames.map((name) => empty(client, name)));
    },
  };
};
