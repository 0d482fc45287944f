import { DeleteItemCommand, PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { DAY_MS } from '../../../schemas/durations.ts';
import { dynamodb } from '../../platform/shared/aws/dynamodb.client.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';
import { LENGTH } from './grain.ts';

/** An hour or day without a stored sum: its sum is read from the finer grain. */
export interface OpenPeriod {
  readonly grain: 'hour' | 'day';
  /** Epoch milliseconds. */
  readonly start: number;
}

/** A period is closed soon after its end. The rest is a margin for outages. */
const RETENTION_MS = 90 * DAY_MS;

/** Partition key of the open periods of a tenant. */
export const openPeriodPartitionOf = (tenantId: string): string => `${tenantId}#open`;
const sortKeyOf = ({ grain, start }: OpenPeriod): string => `${grain}#${toIso(start)}`;

const periodIn = (sortKey: string): OpenPeriod => {
  const [grain = '', instant = ''] = sortKey.split('#');
  return { grain: grain === 'day' ? 'day' : 'hour', start: Date.parse(instant) };
};

/** The end of a period, epoch milliseconds. */
export const endOf = ({ grain, start }: OpenPeriod): number => start + LENGTH[grain];

/** Reads the open periods of a tenant, strongly consistent. */
export const readOpenPeriods = async (table: string, tenantId: string): Promise<OpenPeriod[]> => {
  // At most a few rows: the present hour and day, and those that ended since the last sweep.
  const { Items = [] } = await dynamodb.send(
    new QueryCommand({
      TableName: table,
      ConsistentRead: true,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': { S: openPeriodPartitionOf(tenantId) } },
    }),
  );
  return Items.map((item) => periodIn(item['sk']?.S ?? ''));
};

/** Opens a period. Must run before the first minute of the period is written. */
export const openPeriod = async (table: string, tenantId: string, period: OpenPeriod): Promise<void> => {
  await dynamodb.send(
    new PutItemCommand({
      TableName: table,
      Item: {
        pk: { S: openPeriodPartitionOf(tenantId) },
        sk: { S: sortKeyOf(period) },
        ttl: { N: String(Math.ceil((endOf(period) + RETENTION_MS) / 1_000)) },
      },
    }),
  );
};

/** Closes a period, after its sum is stored. */
export const closePeriod = async (table: string, tenantId: string, period: OpenPeriod): Promise<void> => {
  await dynamodb.send(
    new DeleteItemCommand({
      TableName: table,
      Key: { pk: { S: openPeriodPartitionOf(tenantId) }, sk: { S: sortKeyOf(period) } },
    }),
  );
};
