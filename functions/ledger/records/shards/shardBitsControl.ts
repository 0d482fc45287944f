import { cacheLookups } from '../../../platform/shared/caches/lookupCache.ts';
import type { Clock } from '../../../platform/shared/time/clock.ts';
import { isKeyThrottle, type ShardBitsStore } from './shardBits.store.ts';
import { ONE_SHARD, type ShardBitsState, shardBitsAfterRate, shardBitsAfterThrottle } from './shardBits.ts';

/**
 * After this time, all writers use a changed number of shard bits. An id names its own number of shard bits, so they need
 * not agree.
 */
const CACHE_TTL_MS = 5_000;
/** In tenants. */
const CACHE_CAPACITY = 1_000;

const CACHE = { lifetime: CACHE_TTL_MS, capacity: CACHE_CAPACITY };

/**
 * The number of shard bits for new records of a tenant, for requests. Null while it cannot be read. That is remembered too, so
 * that not each request waits for a table that is down.
 */
export const currentShardBits = (
  read: (tenantId: string) => Promise<number>,
  clock: Clock,
): ((tenantId: string) => Promise<number | null>) => {
  const readOrNull = async (tenantId: string) => ({ shardBits: await read(tenantId).catch(() => null) });
  const known = cacheLookups(readOrNull, { ...CACHE, clock });
  return async (tenantId) => (await known(tenantId))?.shardBits ?? null;
};

/** Adapts the number of ledger shards of each tenant to its rate. */
export const shardBitsControl = (store: ShardBitsStore, clock: Clock) => {
  const states = cacheLookups(async (tenantId: string) => (await store.read(tenantId)).document, {
    ...CACHE,
    clock,
  });

  /** A lost race needs no retry: the next minute or throttle decides again. */
  const change = async (
    tenantId: string,
    decide: (state: ShardBitsState) => ShardBitsState | null,
  ): Promise<void> => {
    const cached = (await states(tenantId)) ?? ONE_SHARD;
    if (decide(cached) === null) return;
    const current = await store.read(tenantId);
    const next = decide(current.document);
    if (next !== null) await store.replace(tenantId, current, next);
  };

  return {
    /** The number of shard bits for new records of a tenant. */
    current: async (tenantId: string): Promise<number> => ((await states(tenantId)) ?? ONE_SHARD).shardBits,
    /** Reports that a minute has this many records (by the time of the call). */
    observeMinute: (tenantId: string, records: number): Promise<void> =>
      change(tenantId, (state) => shardBitsAfterRate(state, records / 60, clock())),
    /**
     * Runs the write of a record. When its key is throttled, raises the number of shard bits for later records and rethrows.
     */
    raisingWhenThrottled: async <Result>(
      tenantId: string,
      shardBits: number,
      write: () => Promise<Result>,
    ): Promise<Result> => {
      try {
        return await write();
      } catch (error) {
        if (isKeyThrottle(error))
          await change(tenantId, (state) => shardBitsAfterThrottle(state, shardBits, clock()));
        throw error;
      }
    },
  };
};
export type ShardBitsControl = ReturnType<typeof shardBitsControl>;
