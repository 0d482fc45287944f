import { rateClasses } from '../../schemas/platform/limits.ts';
import { batchGet } from '../shared/aws/batchGet.store.ts';
import { bucketKey } from './bucket.store.ts';

const MINUTE = 60_000;

export interface LastUse {
  /** When each principal last called, epoch milliseconds to the minute; absent when it never did. */
  readonly read: (
    tenantId: string,
    principals: readonly string[],
    now: number,
  ) => Promise<Map<string, number>>;
}

/**
 * Every call moves its bucket's theoretical arrival time, so the buckets already know when a principal last called:
 * no write is spent on it, and none is lost. A bucket that was drained stands some seconds ahead, hence the minute.
 */
export const lastUse = (table: string): LastUse => {
  return {
    read: async (tenantId, principals, now) => {
      const owners = new Map(
        principals.flatMap((principal) =>
          rateClasses.map((rateClass) => [bucketKey(tenantId, principal, rateClass), principal]),
        ),
      );
      const keys = [...owners.keys()].map((key) => ({ pk: { S: key } }));
      const latest = new Map<string, number>();
      for (const item of await batchGet(table, keys, { isConsistent: false })) {
        const at = Number(item['tat']?.N ?? 0) / 1_000;
        const principal = owners.get(item['pk']?.S ?? '') ?? '';
        const minute = Math.floor(Math.min(at, now) / MINUTE) * MINUTE;
        latest.set(principal, Math.max(latest.get(principal) ?? 0, minute));
      }
      return latest;
    },
  };
};
