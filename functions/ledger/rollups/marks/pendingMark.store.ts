import {
  type AttributeValue,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  PutItemCommand,
  QueryCommand,
  type QueryCommandInput,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { DAY_MS } from '../../../../schemas/durations.ts';
import { batchGet } from '../../../platform/shared/aws/batches/batchGet.store.ts';
import { optionalCall } from '../../../platform/shared/aws/calls/optionalCall.ts';
import { dynamodb } from '../../../platform/shared/aws/dynamodb.client.ts';
import { isHeld } from '../../../platform/shared/time/lease.ts';
import { toIso } from '../../../platform/shared/time/toIso.ts';

/** The request to sum minutes again. It is stored until they are summed, so that a lost message is noticed and repeated. */
export interface NewMark {
  /** Starts with the time of the mark, so that keys sort by time. */
  readonly key: string;
  /** Minutes since the epoch, without repetition. */
  readonly minutes: readonly number[];
  /** The ledger shard to sum. Undefined: all of them. */
  readonly shard?: number | undefined;
  /**
   * The mark stands for writes before this instant (epoch milliseconds), so any sum that begins later settles it. Undefined: only
   * its own message does.
   */
  readonly coversUntil?: number | undefined;
}

/** A stored mark. Its minutes are those that are not summed yet. */
export interface PendingMark extends NewMark {
  /** How many messages have continued it. Only a message of this turn may continue it again. */
  readonly turn: number;
}

/** Longer than any outage of the sweep that repeats lost marks. */
const RETENTION_MS = 35 * DAY_MS;
const INSTANT_LENGTH = '2026-01-01T00:00:00.000Z'.length;
/** Most marks in one answer. The next sweep reads the others. */
export const PAGE_MARKS = 200;

const partitionOf = (tenantId: string): string => `${tenantId}#marks`;

/** The key of a mark that is made at `at` (epoch milliseconds). `id` is unique. */
export const markKeyOf = (at: number, id: string): string => `${toIso(at)}#${id}`;

/** When a mark was made, epoch milliseconds. */
export const timeOfMark = (key: string): number => Date.parse(key.slice(0, INSTANT_LENGTH));

/** Whether a mark is at least `age` milliseconds old at `now`. One of a clock that was ahead is: its age is not known. */
export const isOlder = ({ key }: Pick<NewMark, 'key'>, age: number, now: number): boolean =>
  !isHeld({ until: timeOfMark(key) + age }, age, now);

export interface PendingMarkStore {
  readonly add: (tenantId: string, mark: NewMark) => Promise<void>;
  /** The marks that exist under these keys, strongly consistent. A mark that is missing is done. */
  readonly read: (tenantId: string, keys: readonly string[]) => Promise<PendingMark[]>;
  /** Stores what is left of a mark. Returns false if it was completed or continued since it was read in turn `read`. */
  readonly keep: (tenantId: string, mark: PendingMark, read: Pick<PendingMark, 'turn'>) => Promise<boolean>;
  readonly remove: (tenantId: string, key: string) => Promise<void>;
  /** The oldest marks, at most 200, strongly consistent. One that was made by a clock ahead is later than now. */
  readonly list: (tenantId: string) => Promise<PendingMark[]>;
  /** When the oldest mark was made, epoch milliseconds; null without one. */
  readonly oldest: (tenantId: string) => Promise<number | null>;
}

const toList = (minutes: readonly number[]): AttributeValue => ({
  L: minutes.map((minute) => ({ N: String(minute) })),
});

const markIn = (item: Record<string, AttributeValue>): PendingMark => ({
  key: item['sk']?.S ?? '',
  minutes: (item['minutes']?.L ?? []).map(({ N }) => Number(N)),
  turn: Number(item['turn']?.N ?? 0),
  ...(item['shard']?.N !== undefined && { shard: Number(item['shard'].N) }),
  ...(item['covers_until']?.N !== undefined && { coversUntil: Number(item['covers_until'].N) }),
});

export const pendingMarkStore = (table: string): PendingMarkStore => {
  const query = async (
    tenantId: string,
    request: Pick<QueryCommandInput, 'Limit' | 'ConsistentRead'>,
    options: Partial<ReturnType<typeof optionalCall>> = {},
  ) => {
    const { Items = [] } = await dynamodb.send(
      new QueryCommand({
        TableName: table,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': { S: partitionOf(tenantId) } },
        ...request,
      }),
      options,
    );
    return Items.map(markIn);
  };
  return {
    add: async (tenantId, { key, minutes, shard, coversUntil }) => {
      await dynamodb.send(
        new PutItemCommand({
          TableName: table,
          Item: {
            pk: { S: partitionOf(tenantId) },
            sk: { S: key },
            minutes: toList(minutes),
            ...(shard !== undefined && { shard: { N: String(shard) } }),
            ...(coversUntil !== undefined && { covers_until: { N: String(coversUntil) } }),
            ttl: { N: String(Math.ceil((timeOfMark(key) + RETENTION_MS) / 1_000)) },
          },
        }),
      );
    },
    read: async (tenantId, keys) => {
      const pk = { S: partitionOf(tenantId) };
      const distinct = [...new Set(keys)].map((key) => ({ pk, sk: { S: key } }));
      return (await batchGet(table, distinct, { isConsistent: true })).map(markIn);
    },
    keep: async (tenantId, { key, minutes, turn }, read) => {
      try {
        await dynamodb.send(
          new UpdateItemCommand({
            TableName: table,
            Key: { pk: { S: partitionOf(tenantId) }, sk: { S: key } },
            UpdateExpression: 'SET minutes = :minutes, turn = :turn',
            ConditionExpression: 'attribute_exists(pk) AND (attribute_not_exists(turn) OR turn = :read)',
            ExpressionAttributeValues: {
              ':minutes': toList(minutes),
              ':turn': { N: String(turn) },
              ':read': { N: String(read.turn) },
            },
          }),
        );
        return true;
      } catch (error) {
        if (error instanceof ConditionalCheckFailedException) return false;
        throw error;
      }
    },
    remove: async (tenantId, key) => {
      await dynamodb.send(
        new DeleteItemCommand({
          TableName: table,
          Key: { pk: { S: partitionOf(tenantId) }, sk: { S: key } },
        }),
      );
    },
    list: (tenantId) => query(tenantId, { Limit: PAGE_MARKS, ConsistentRead: true }),
    oldest: async (tenantId) => {
      const [mark] = await query(tenantId, { Limit: 1 }, optionalCall());
      return mark === undefined ? null : timeOfMark(mark.key);
    },
  };
};
