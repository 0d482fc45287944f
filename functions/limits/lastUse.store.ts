import { BatchGetItemCommand } from '@aws-sdk/client-dynamodb';
import { rateClasses } from '../../schemas/limits.ts';
import { dynamodb } from '../shared/dynamodb.client.ts';
import { bucketKey } from './store.ts';

/** The most keys one request may ask for. */
const KEYS_MAXIMUM = 100;
const MINUTE = 60_000;

export interface LastUse {
  /** When each principal last called, epoch milliseconds to the minute; absent when it never did. */
  readonly of: (tenantId: string, principals: readonly string[], now: number) => Promise<Map<string, number>>;
}

/**
 * Every call moves its bucket's theoretical arrival time, so the buckets already know when a principal last called:
 * no write is spent on it, and none is lost. A bucket that was drained stands some seconds ahead, hence the minute.
 */
export const lastUse = (table: string): LastUse => {
  const read = async (keys: readonly string[]): Promise<[string, number][]> => {
    const found: [string, number][] = [];
    let left = keys.map((key) => ({ pk: { S: key } }));
    while (left.length > 0) {
      const { Responses, UnprocessedKeys } = await dynamodb.send(
        new BatchGetItemCommand({ RequestItems: { [table]: { Keys: left } } }),
      );
      for (const item of Responses?.[table] ?? []) {
        found.push([item['pk']?.S ?? '', Number(item['tat']?.N ?? 0) / 1_000]);
      }
      left = (UnprocessedKeys?.[table]?.Keys ?? []).map(({ pk }) => ({ pk: { S: pk?.S ?? '' } }));
    }
    return found;
  };

  return {
    of: async (tenantId, principals, now) => {
      const owners = new Map(
        principals.flatMap((principal) =>
          rateClasses.map((rateClass) => [bucketKey(tenantId, principal, rateClass), principal]),
        ),
      );
      const keys = [...owners.keys()];
      const chunks = Array.from({ length: Math.ceil(keys.length / KEYS_MAXIMUM) }, (_, index) =>
        keys.slice(index * KEYS_MAXIMUM, (index + 1) * KEYS_MAXIMUM),
      );
      const latest = new Map<string, number>();
      for (const [key, at] of (await Promise.all(chunks.map(read))).flat()) {
        const principal = owners.get(key) ?? '';
        const minute = Math.floor(Math.min(at, now) / MINUTE) * MINUTE;
        latest.set(principal, Math.max(latest.get(principal) ?? 0, minute));
      }
      return latest;
    },
  };
};
