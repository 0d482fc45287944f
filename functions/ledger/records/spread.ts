import * as z from 'zod';
import { HOUR_MS, MINUTE_MS } from '../../../schemas/durations.ts';

/**
 * How widely the records of a tenant are spread now: new records go to 2 to the power of `spread` shards of a month.
 * `busyAt` is the last time (epoch milliseconds) at which the tenant needed about that many.
 */
export const SpreadState = z.object({ spread: z.int().min(0), busyAt: z.number() });
export type SpreadState = z.infer<typeof SpreadState>;

/** The state of a tenant that never had more than one shard. */
export const NO_SPREAD: SpreadState = { spread: 0, busyAt: 0 };

/** The spread has 4 bits in an id. */
const MAX_SPREAD = 15;
/** Records a second for which a shard is planned: half of what DynamoDB accepts for a key, at one write unit a record. */
const PLANNED_RECORDS_PER_SHARD = 500;
/** A tenant below this share of the planned rate has too many shards. */
const IDLE_SHARE = 1 / 4;
/** Time without a higher rate after which the number of shards is halved. */
const LOWERED_AFTER_MS = HOUR_MS;
/** Precision of `busyAt`: a steady tenant costs one write in this time. */
const BUSY_PRECISION_MS = 10 * MINUTE_MS;

const plannedRate = (spread: number): number => PLANNED_RECORDS_PER_SHARD * 2 ** spread;

/** The smallest spread that is planned for a rate in records a second. */
export const spreadForRate = (rate: number): number => {
  let spread = 0;
  while (spread < MAX_SPREAD && plannedRate(spread) < rate) spread += 1;
  return spread;
};

/**
 * The state after a minute with this rate (records a second), summed at `now`. It rises at once to what the rate needs, and
 * falls by one after an hour below a quarter of what is planned. Null when nothing changes.
 */
export const spreadAfterRate = (state: SpreadState, rate: number, now: number): SpreadState | null => {
  const needed = spreadForRate(rate);
  if (needed > state.spread) return { spread: needed, busyAt: now };
  if (state.spread === 0) return null;
  if (rate >= IDLE_SHARE * plannedRate(state.spread)) {
    return now - state.busyAt >= BUSY_PRECISION_MS ? { ...state, busyAt: now } : null;
  }
  return now - state.busyAt >= LOWERED_AFTER_MS ? { spread: state.spread - 1, busyAt: now } : null;
};

/**
 * The state after DynamoDB refused a record of this spread because of the rate of its key. Null when the tenant has more
 * shards already, or as many as possible: then the record belongs to a backlog.
 */
export const spreadAfterThrottle = (state: SpreadState, spread: number, now: number): SpreadState | null =>
  state.spread === spread && spread < MAX_SPREAD ? { spread: spread + 1, busyAt: now } : null;
