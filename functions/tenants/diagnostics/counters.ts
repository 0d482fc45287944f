import type { Counter } from '../../../schemas/tenants/counters.ts';
import { setBounded } from '../../platform/shared/caches/boundedMap.ts';
import { describeError, log } from '../../platform/shared/log.ts';
import type { Clock } from '../../platform/shared/time/clock.ts';
import { type CounterStore, hourOf } from './counter.store.ts';

/** Most pairs of tenant and hour in memory. A pair that returns after its eviction starts a new shard. */
const CAPACITY = 1_000;

/**
 * Most names in a shard. Scopes and faults are named by what producers send, and an item holds at most 400 KB. Beyond that
 * number, new ones of them are not counted in this hour.
 */
const NAMES_MAXIMUM = 2_000;

interface OpenShard {
  readonly tenantId: string;
  readonly hour: string;
  readonly shard: string;
  readonly counts: Map<Counter, number>;
}

/**
 * A grow-only counter. Each process counts in its own shards and puts their running totals, so the sum stays exact when a
 * write is repeated, and no item is written by two processes. A failure of the table never fails the counted operation: the
 * next flush writes the same totals.
 */
export const hourlyCounters = (store: CounterStore, clock: Clock, newShard: () => string) => {
  const shards = new Map<string, OpenShard>();
  let unwritten = new Map<string, OpenShard>();

  return {
    note: (tenantId: string, name: Counter, count = 1): void => {
      if (count <= 0) return;
      const hour = hourOf(clock());
      const key = `${tenantId} ${hour}`;
      const open = shards.get(key) ??
        unwritten.get(key) ?? { tenantId, hour, shard: newShard(), counts: new Map<Counter, number>() };
      const isNew = !open.counts.has(name);
      if (isNew && open.counts.size >= NAMES_MAXIMUM && name.includes(' ')) return;
      open.counts.set(name, (open.counts.get(name) ?? 0) + count);
      setBounded(shards, key, open, CAPACITY);
      setBounded(unwritten, key, open, CAPACITY);
    },
    /** Call this before the invocation ends, because Lambda may freeze the process then. Without new counts it is free. */
    flush: async (): Promise<void> => {
      const taken = unwritten;
      unwritten = new Map();
      await Promise.all(
        [...taken].map(async ([key, open]) => {
          try {
            await store.put(open);
          } catch (error) {
            log({
              level: 'warn',
              message: 'counters were not written; the next flush retries',
              ...describeError(error),
            });
            setBounded(unwritten, key, open, CAPACITY);
          }
        }),
      );
    },
  };
};
