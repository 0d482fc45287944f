import { MINUTE_MS } from '../../../schemas/durations.ts';
import { rateClasses } from '../../../schemas/platform/limits.ts';
import { batchGet } from '../shared/aws/batches/batchGet.store.ts';
import { bucketKey } from './bucket.store.ts';

export interface LastUse {
  /** The last call of each principal, in epoch milliseconds, rounded down to the minute. Absent if it never called. */
  readonly read: (
    tenantId: string,
    principals: readonly string[],
    now: number,
  ) => Promise<Map<string, number>>;
}

/**
 * Reads the last use from the rate-limit buckets: every call moves the theoretical arrival time of its bucket, so no
 * extra write is needed. A drained bucket can be some seconds ahead of the call, so the time is rounded to the minute.
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
        const minute = Math.floor(Math.min(at, now) / MINUTE_MS) * MINUTE_MS;
        latest.set(principal, Math.max(latest.get(principal) ?? 0, minute));
      }
      return latest;
    },
  };
};
