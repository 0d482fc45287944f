import type { CounterName } from '../../schemas/diagnostics.ts';
import type { Clock } from '../shared/clock.ts';
import { describeError, log } from '../shared/log.ts';
import { type CounterStore, hourOf } from './counter.store.ts';

/** How long counts gather in a process that answers requests, in milliseconds: each of them may count something. */
const FLUSH_INTERVAL_MS = 10_000;
/** Tenants and hours gathered at most; what is beyond is not counted. */
const CAPACITY = 1_000;

interface Pending {
  readonly tenantId: string;
  readonly hour: string;
  readonly counts: Map<CounterName, number>;
}

/**
 * Counts in memory and adds to the table once in `gather` milliseconds at most. Counts are for diagnosis: one may be lost with its process, and
 * neither a count nor its table being down ever fails what it counts.
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
    /** Call it at the end of each invocation, before the process may be frozen. */
    flush: async (): Promise<void> => {
      const now = clock();
      if (pending.size === 0 || now - flushedAt < flushIntervalMs) return;
      const taken = pending;
      pending = new Map();
      flushedAt = now;
      await Promise.all(
        [...taken.values()].map(({ tenantId, hour, counts }) =>
          store.add(tenantId, hour, counts).catch((error: unknown) => {
            log({ level: 'warn', message: 'counts are kept back', ...describeError(error) });
            for (const [name, count] of counts) put(tenantId, hour, name, count);
          }),
        ),
      );
    },
  };
};
export type HourlyCounters = ReturnType<typeof hourlyCounters>;
