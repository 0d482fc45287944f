import { cacheLookups } from '../../platform/shared/lookupCache.ts';
import type { Clock } from '../../platform/shared/time/clock.ts';
import { isKeyThrottle, type SpreadStore } from './spread.store.ts';
import { NO_SPREAD, type SpreadState, spreadAfterRate, spreadAfterThrottle } from './spread.ts';

/** After this time, all writers use a changed spread. An id names its own spread, so they need not agree. */
const CACHE_TTL_MS = 5_000;
/** In tenants. */
const CACHE_CAPACITY = 1_000;

/** Adapts the number of ledger shards of each tenant to its rate. */
export const spreadControl = (store: SpreadStore, clock: Clock) => {
  const states = cacheLookups(async (tenantId: string) => (await store.read(tenantId)).document, {
    lifetime: CACHE_TTL_MS,
    capacity: CACHE_CAPACITY,
    clock,
  });

  /** A lost race needs no retry: the next minute or throttle decides again. */
  const change = async (
    tenantId: string,
    decide: (state: SpreadState) => SpreadState | null,
  ): Promise<void> => {
    const cached = (await states(tenantId)) ?? NO_SPREAD;
    if (decide(cached) === null) return;
    const current = await store.read(tenantId);
    const next = decide(current.document);
    if (next !== null) await store.replace(tenantId, current, next);
  };

  return {
    /** The spread for new records of a tenant. */
    current: async (tenantId: string): Promise<number> => ((await states(tenantId)) ?? NO_SPREAD).spread,
    /** Reports that a minute has this many records (by the time of the call). */
    observeMinute: (tenantId: string, records: number): Promise<void> =>
      change(tenantId, (state) => spreadAfterRate(state, records / 60, clock())),
    /** Runs the write of a record. When its key is throttled, raises the spread for later records and rethrows. */
    raisingWhenThrottled: async <Result>(
      tenantId: string,
      spread: number,
      write: () => Promise<Result>,
    ): Promise<Result> => {
      try {
        return await write();
      } catch (error) {
        if (isKeyThrottle(error))
          await change(tenantId, (state) => spreadAfterThrottle(state, spread, clock()));
        throw error;
      }
    },
  };
};
export type SpreadControl = ReturnType<typeof spreadControl>;
