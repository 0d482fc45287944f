import type { CounterName } from '../../schemas/diagnostics.ts';
import type { Clock } from '../shared/clock.ts';
import { describeError, log } from '../shared/log.ts';
import { type CounterStore, hourOf } from './counter.store.ts';

/** Minimum time between two writes of a process. Every request may increment a counter. */
const FLUSH_INTERVAL_MS = 10_000;
/** Most pairs of tenant and hour held in memory. Counts of further pairs are dropped. */
const CAPACITY = 1_000;

interface Pending {
  readonly tenantId: string;
  readonly hour: string;
  readonly counts: Map<CounterName, number>;
}

/**
 * Counts in memory and writes to the table at most once in `flushIntervalMs` milliseconds. Counters are approximate: counts
 * in memory are lost when the process ends. A failure of the table never fails the counted operation.
 */
export const hourlyCounters = (
  store: CounterStore,
  clock: Clock,
  flushIntervalMs: number = FLUSH_INTERVAL_MS,
) => {
  let pending = new Map<string, Pending>();
  let flushedAt = Number.NEGATIVE_INFINITY;

  const put = (tenantId: string, hour: string, name: CounterName, count: number): void => {
    const key = `${tenantId} ${hour}`;
    const known = pending.get(key) ?? { tenantId, hour, counts: new Map<CounterName, number>() };
    if (!pending.has(key) && pending.size >= CAPACITY) return;
    pending.set(key, known);
    known.counts.set(name, (known.counts.get(name) ?? 0) + count);
  };

  return {
    note: (tenantId: string, name: CounterName, count = 1): void => {
      if (count > 0) put(tenantId, hourOf(clock()), name, count);
    },
    /** Call this at the end of each invocation, before Lambda may freeze the process. */
    flush: async (): Promise<void> => {
      const now = clock();
      if (pending.size === 0 || now - flushedAt < flushIntervalMs) return;
      const taken = pending;
      pending = new Map();
      flushedAt = now;
      await Promise.all(
        [...taken.values()].map(({ tenantId, hour, counts }) =>
          store.add(tenantId, hour, counts).catch((error: unknown) => {
            log({
              level: 'warn',
              message: 'counters were not written; the next flush retries',
              ...describeError(error),
            });
            for (const [name, count] of counts) put(tenantId, hour, name, count);
          }),
        ),
      );
    },
  };
};
export type HourlyCounters = ReturnType<typeof hourlyCounters>;
