import { QueryCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { DAY_MS } from '../../../schemas/durations.ts';
import { dynamodb } from '../../platform/shared/aws/dynamodb.client.ts';
import { utcDateOf } from '../../platform/shared/time/toIso.ts';
import { type DiscoveryWriter, discoveryWriter } from './discovery.store.ts';
import { type HeartbeatReader, heartbeatReader } from './heartbeat.store.ts';

/** Days of which the usage of a connector is kept. */
export const USAGE_DAYS = 31;

/** Events that the service accepted from a connector on one UTC day. A request that is repeated counts again. */
export interface ConnectorUsage {
  readonly day: string;
  readonly events: number;
}

export interface ConnectorMeter {
  /** Adds accepted events to the usage of a connector. `at` is in epoch milliseconds. */
  readonly add: (tenantId: string, clientId: string, events: number, at: number) => Promise<void>;
}

export interface ConnectorReader extends Pick<DiscoveryWriter, 'connector'>, HeartbeatReader {
  /** The usage of the last {@link USAGE_DAYS} days, newest first. Days without events are left out. */
  readonly usage: (tenantId: string, clientId: string, now: number) => Promise<ConnectorUsage[]>;
}

const partitionOf = (tenantId: string, clientId: string): string => `${tenantId}#usage#${clientId}`;

export const connectorMeter = (table: string): ConnectorMeter => ({
  add: async (tenantId, clientId, events, at) => {
    await dynamodb.send(
      new UpdateItemCommand({
        TableName: table,
        Key: { pk: { S: partitionOf(tenantId, clientId) }, sk: { S: utcDateOf(at) } },
        UpdateExpression: 'ADD events :events SET #ttl = :ttl',
        ExpressionAttributeNames: { '#ttl': 'ttl' },
        ExpressionAttributeValues: {
          ':events': { N: String(events) },
          ':ttl': { N: String(Math.ceil((at + (USAGE_DAYS + 1) * DAY_MS) / 1_000)) },
        },
      }),
    );
  },
});

export const connectorReader = (table: string): ConnectorReader => ({
  ...heartbeatReader(table),
  connector: discoveryWriter(table).connector,
  usage: async (tenantId, clientId, now) => {
    const { Items = [] } = await dynamodb.send(
      new QueryCommand({
        TableName: table,
        KeyConditionExpression: 'pk = :pk AND sk >= :from',
        ExpressionAttributeValues: {
          ':pk': { S: partitionOf(tenantId, clientId) },
          ':from': { S: utcDateOf(now - (USAGE_DAYS - 1) * DAY_MS) },
        },
        ScanIndexForward: false,
        ConsistentRead: true,
      }),
    );
    return Items.map(({ sk, events }) => ({ day: sk?.S ?? '', events: Number(events?.N) }));
  },
});
