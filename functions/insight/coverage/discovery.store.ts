import {
  type AttributeValue,
  ConditionalCheckFailedException,
  GetItemCommand,
  QueryCommand,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { DAY_SECONDS } from '../../../schemas/durations.ts';
import { ConnectorHealth, DiscoverySource } from '../../../schemas/ingest/cloudEvent.ts';
import { PathwayCategory } from '../../../schemas/ingest/invocationEvent.ts';
import { DISCOVERY_RETENTION_DAYS } from '../../../schemas/insight/coverage.ts';
import type { Write } from '../../platform/shared/aws/document.store.ts';
import { dynamodb } from '../../platform/shared/aws/dynamodb.client.ts';
import { sha256Of } from '../../platform/shared/hash.ts';

/** Most discoveries and connectors that one read returns. */
const ROWS_MAXIMUM = 1_000;

const lane = { residency: z.string().nullable() };

/** Use of a provider that one discovery source reported. */
export const Discovery = z.object({
  source: DiscoverySource,
  provider: z.string(),
  pathway_category: PathwayCategory,
  ...lane,
});
export type Discovery = z.infer<typeof Discovery>;
/** A discovery with the times of its first and last signal, in epoch milliseconds. */
export interface DiscoveryRecord extends Discovery {
  readonly first: number;
  readonly last: number;
}

/** The health report of a connector. */
const Connector = z.object({
  ...ConnectorHealth.shape,
  ...lane,
  /** The client that is this connector, if the tenant registered it. Its reports and those of a name are apart. */
  client_id: z.string().optional(),
});
/** A health report with the time of the report, in epoch milliseconds. */
export type ConnectorReport = z.infer<typeof Connector> & { readonly at: number };

export interface DiscoveryWriter {
  /** Extends the first and last time of a discovery. Idempotent and independent of the order of signals. */
  readonly recordDiscovery: (tenantId: string, discovery: DiscoveryRecord) => Promise<void>;
  /** The newest report of a connector in a lane. */
  readonly connector: (
    tenantId: string,
    named: Pick<ConnectorReport, 'connector' | 'residency' | 'client_id'>,
  ) => Promise<ConnectorReport | null>;
  /** Returns the write of a report. It fails when the stored report is not `known`. */
  readonly putConnector: (
    tenantId: string,
    reported: ConnectorReport,
    known: ConnectorReport | null,
  ) => Write;
}

export interface DiscoveryReader {
  /** Discoveries and connectors with a signal since an instant (epoch milliseconds). */
  readonly discoveries: (tenantId: string, since: number) => Promise<DiscoveryRecord[]>;
  readonly connectors: (tenantId: string, since: number) => Promise<ConnectorReport[]>;
}

const discoveryPartition = (tenantId: string): string => `${tenantId}#found`;
const connectorPartition = (tenantId: string): string => `${tenantId}#connector`;

const numberIn = (item: Record<string, AttributeValue>, name: string): number => Number(item[name]?.N ?? 0);
const textIn = (item: Record<string, AttributeValue>, name: string): unknown =>
  JSON.parse(item[name]?.S ?? '{}');
const parseConnectorReport = (item: Record<string, AttributeValue>): ConnectorReport => ({
  ...Connector.parse(textIn(item, 'connector')),
  at: numberIn(item, 'last'),
});
const connectorKey = (
  tenantId: string,
  { connector, residency, client_id }: Pick<ConnectorReport, 'connector' | 'residency' | 'client_id'>,
) => ({
  pk: { S: connectorPartition(tenantId) },
  sk: { S: sha256Of('connector', client_id ?? connector, residency ?? '').toString('base64url') },
});
const number = (value: number): AttributeValue => ({ N: String(value) });
const ttlOf = (at: number): AttributeValue =>
  number(Math.ceil(at / 1_000) + (DISCOVERY_RETENTION_DAYS + 1) * DAY_SECONDS);

/** Runs a conditional update and returns the stored item. A failed condition means that there is nothing to update. */
const update = async (input: UpdateItemCommandInput): Promise<Record<string, AttributeValue>> => {
  try {
    const { Attributes = {} } = await dynamodb.send(
      new UpdateItemCommand({
        ...input,
        ReturnValues: 'ALL_NEW',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    );
    return Attributes;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return error.Item ?? {};
  }
};

export const discoveryWriter = (table: string): DiscoveryWriter => ({
  recordDiscovery: async (tenantId, { first, last, ...finding }) => {
    const key = JSON.stringify(Object.values(Discovery.parse(finding)));
    const item = {
      TableName: table,
      Key: {
        pk: { S: discoveryPartition(tenantId) },
        sk: { S: sha256Of('finding', key).toString('base64url') },
      },
    };
    // An update expression has no maximum, so first and last are updated separately, each under its own condition.
    const known = await update({
      ...item,
      UpdateExpression:
        'SET #finding = :finding, #first = if_not_exists(#first, :first), #last = :last, #ttl = :ttl',
      ConditionExpression: 'attribute_not_exists(pk) OR #last < :last',
      ExpressionAttributeNames: { '#finding': 'finding', '#first': 'first', '#last': 'last', '#ttl': 'ttl' },
      ExpressionAttributeValues: {
        ':finding': { S: JSON.stringify(finding) },
        ':first': number(first),
        ':last': number(last),
        ':ttl': ttlOf(last),
      },
    });
    if (numberIn(known, 'first') <= first) return;
    await update({
      ...item,
      UpdateExpression: 'SET #first = :first',
      ConditionExpression: '#first > :first',
      ExpressionAttributeNames: { '#first': 'first' },
      ExpressionAttributeValues: { ':first': number(first) },
    });
  },
  connector: async (tenantId, named) => {
    const { Item } = await dynamodb.send(
      new GetItemCommand({ TableName: table, Key: connectorKey(tenantId, named), ConsistentRead: true }),
    );
    return Item === undefined ? null : parseConnectorReport(Item);
  },
  putConnector: (tenantId, { at, ...connector }, known) => ({
    Update: {
      TableName: table,
      Key: connectorKey(tenantId, connector),
      UpdateExpression: 'SET #connector = :connector, #last = :at, #ttl = :ttl',
      ConditionExpression: known === null ? 'attribute_not_exists(#last)' : '#last = :known',
      ExpressionAttributeNames: { '#connector': 'connector', '#last': 'last', '#ttl': 'ttl' },
      ExpressionAttributeValues: {
        ':connector': { S: JSON.stringify(connector) },
        ':at': number(at),
        ':ttl': ttlOf(at),
        ...(known !== null && { ':known': number(known.at) }),
      },
    },
  }),
});

const list = async (table: string, pk: string): Promise<Record<string, AttributeValue>[]> => {
  const { Items = [] } = await dynamodb.send(
    new QueryCommand({
      TableName: table,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': { S: pk } },
      Limit: ROWS_MAXIMUM,
      ConsistentRead: true,
    }),
  );
  return Items;
};

export const discoveryReader = (table: string): DiscoveryReader => ({
  discoveries: async (tenantId, since) =>
    (await list(table, discoveryPartition(tenantId)))
      .map((item) => ({
        ...Discovery.parse(textIn(item, 'finding')),
        first: numberIn(item, 'first'),
        last: numberIn(item, 'last'),
      }))
      .filter(({ last }) => last >= since),
  connectors: async (tenantId, since) =>
    (await list(table, connectorPartition(tenantId)))
      .map(parseConnectorReport)
      .filter(({ at }) => at >= since),
});
