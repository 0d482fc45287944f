import {
  type AttributeValue,
  ConditionalCheckFailedException,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { DAY_SECONDS } from '../../../schemas/durations.ts';
import type { Counter } from '../../../schemas/tenants/counters.ts';
import type { CounterSums } from '../../ingest/otlp/counterSums.ts';
import { optionalCall } from '../../platform/shared/aws/calls/optionalCall.ts';
import { dynamodb } from '../../platform/shared/aws/dynamodb.client.ts';
import { queryPages } from '../../platform/shared/aws/queryPages.store.ts';

/** Sorts after the `#` that separates hour and shard. */
const AFTER_ALL_SHARDS = '~';
const RETENTION_SECONDS = 8 * DAY_SECONDS;

/** The UTC hour of an instant (epoch milliseconds) as a sort key: `2026-03-01T09`. */
export const hourOf = (at: number): string => new Date(at).toISOString().slice(0, 13);

/** The part of the counts of a tenant and hour that one process has counted. */
export interface CounterShard {
  readonly tenantId: string;
  readonly hour: string;
  /** Unique among all processes. */
  readonly shard: string;
  readonly counts: ReadonlyMap<Counter, number>;
}

export interface CounterStore {
  /** Replaces the shard, unless a later state of it is stored. So a repeated or delayed write changes nothing. */
  readonly put: (shard: CounterShard) => Promise<void>;
}

export const counterStore = (table: string): CounterStore => ({
  put: async ({ tenantId, hour, shard, counts }) => {
    // Counts only grow, so their sum orders the states of a shard.
    const revision = { N: String([...counts.values()].reduce((sum, count) => sum + count, 0)) };
    const write = dynamodb.send(
      new PutItemCommand({
        TableName: table,
        Item: {
          ...Object.fromEntries([...counts].map(([name, count]) => [name, { N: String(count) }])),
          pk: { S: tenantId },
          sk: { S: `${hour}#${shard}` },
          revision,
          ttl: { N: String(Date.parse(`${hour}:00:00Z`) / 1_000 + RETENTION_SECONDS) },
        },
        ConditionExpression: 'attribute_not_exists(revision) OR revision < :revision',
        ExpressionAttributeValues: { ':revision': revision },
      }),
      optionalCall(),
    );
    await write.catch((error: unknown) => {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
    });
  },
});

/** Attributes of a shard that are no counters. */
const ATTRIBUTES: ReadonlySet<string> = new Set(['pk', 'sk', 'revision', 'ttl']);

export interface CounterReader {
  /** The sum of all shards from the hour of `from` to the hour of `to`, both inclusive (epoch milliseconds). */
  readonly between: (tenantId: string, from: number, to: number) => Promise<CounterSums>;
}

export const counterReader = (table: string): CounterReader => {
  const shardsBetween = async (tenantId: string, from: number, to: number) => {
    const shards: Record<string, AttributeValue>[] = [];
    const query = {
      TableName: table,
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
      ExpressionAttributeValues: {
        ':pk': { S: tenantId },
        ':from': { S: hourOf(from) },
        ':to': { S: `${hourOf(to)}${AFTER_ALL_SHARDS}` },
      },
      ConsistentRead: true,
    };
    for await (const items of queryPages(query)) shards.push(...items);
    return shards;
  };
  return {
    between: async (tenantId, from, to) => {
      const sums = new Map<string, number>();
      for (const shard of await shardsBetween(tenantId, from, to)) {
        for (const [name, { N: count = '0' }] of Object.entries(shard))
          if (!ATTRIBUTES.has(name)) sums.set(name, (sums.get(name) ?? 0) + Number(count));
      }
      return sums;
    },
  };
};
