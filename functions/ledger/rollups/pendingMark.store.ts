import { DeleteItemCommand, PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { dynamodb } from '../../platform/shared/aws/dynamodb.client.ts';
import { optionalCall } from '../../platform/shared/aws/optionalCall.ts';
import { DAY_MS } from '../../platform/shared/time/durations.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';

/** The request to sum minutes again. It is stored until they are summed, so that a lost message is noticed and repeated. */
export interface PendingMark {
  /** Starts with the time of the mark, so that keys sort by time. */
  readonly key: string;
  /** Minutes since the epoch. */
  readonly minutes: readonly number[];
}

/** Longer than any outage of the sweep that repeats lost marks. */
const RETENTION_MS = 35 * DAY_MS;
const INSTANT_LENGTH = '2026-01-01T00:00:00.000Z'.length;
/** Most marks in one answer. The next sweep reads the others. */
const PAGE_MARKS = 200;

const partitionOf = (tenantId: string): string => `${tenantId}#marks`;

/** The key of a mark that is made at `at` (epoch milliseconds). `id` is unique. */
export const markKeyOf = (at: number, id: string): string => `${toIso(at)}#${id}`;

/** When a mark was made, epoch milliseconds. */
export const timeOfMark = (key: string): number => Date.parse(key.slice(0, INSTANT_LENGTH));

export interface PendingMarkStore {
  readonly add: (tenantId: string, mark: PendingMark) => Promise<void>;
  readonly remove: (tenantId: string, key: string) => Promise<void>;
  /** The oldest marks made before `before` (epoch milliseconds), at most 200. */
  readonly list: (tenantId: string, before: number) => Promise<PendingMark[]>;
  /** When the oldest mark was made, epoch milliseconds; null without one. */
  readonly oldest: (tenantId: string) => Promise<number | null>;
}

export const pendingMarkStore = (table: string): PendingMarkStore => {
  const query = async (
    tenantId: string,
    before: number,
    limit: number,
    options: Partial<ReturnType<typeof optionalCall>> = {},
  ) => {
    const { Items = [] } = await dynamodb.send(
      new QueryCommand({
        TableName: table,
        KeyConditionExpression: 'pk = :pk AND sk < :before',
        ExpressionAttributeValues: { ':pk': { S: partitionOf(tenantId) }, ':before': { S: toIso(before) } },
        Limit: limit,
      }),
      options,
    );
    return Items.map(
      (item): PendingMark => ({
        key: item['sk']?.S ?? '',
        minutes: (item['minutes']?.L ?? []).map(({ N }) => Number(N)),
      }),
    );
  };
  return {
    add: async (tenantId, { key, minutes }) => {
      await dynamodb.send(
        new PutItemCommand({
          TableName: table,
          Item: {
            pk: { S: partitionOf(tenantId) },
            sk: { S: key },
            minutes: { L: minutes.map((minute) => ({ N: String(minute) })) },
            ttl: { N: String(Math.ceil((timeOfMark(key) + RETENTION_MS) / 1_000)) },
          },
        }),
      );
    },
    remove: async (tenantId, key) => {
      await dynamodb.send(
        new DeleteItemCommand({
          TableName: table,
          Key: { pk: { S: partitionOf(tenantId) }, sk: { S: key } },
        }),
      );
    },
    list: (tenantId, before) => query(tenantId, before, PAGE_MARKS),
    oldest: async (tenantId) => {
      const [mark] = await query(tenantId, END_OF_TIME, 1, optionalCall());
      return mark === undefined ? null : timeOfMark(mark.key);
    },
  };
};

/** Later than every mark. */
const END_OF_TIME = Date.UTC(9999, 0);
