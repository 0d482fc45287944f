import * as z from 'zod';
import { HOUR_MS, MINUTE_MS } from '../../../../schemas/durations.ts';

/**
 * How widely the records of a tenant are spread now: new records go to 2 to the power of `shardBits` shards of a month.
 * `busyAt` is the last time (epoch milliseconds) at which the tenant needed about that many.
 */
export const ShardBitsState = z.object({ shardBits: z.int().min(0), busyAt: z.number() });
export type ShardBitsState = z.infer<typeof ShardBitsState>;

/** The state of a tenant that never had more than one shard. */
export const ONE_SHARD: ShardBitsState = { shardBits: 0, busyAt: 0 };

/** The number of shard bits is 4 bits of an id. */
const MAX_SHARD_BITS = 15;
/** Records a second for which a shard is planned: half of what DynamoDB accepts for a key, at one write unit a record. */
const PLANNED_RECORDS_PER_SHARD = 500;
/** A tenant below this share of the planned rate has too many shards. */
const IDLE_SHARE = 1 / 4;
/** Time without a higher rate after which the number of shards is halved. */
const LOWERED_AFTER_MS = HOUR_MS;
/** Precision of `busyAt`: a steady tenant costs one write in this time. */
const BUSY_PRECISION_MS = 10 * MINUTE_MS;

const plannedRate = (shardBits: number): number => PLANNED_RECORDS_PER_SHARD * 2 ** shardBits;

/** The smallest number of shard bits that is planned for a rate in records a second. */
export const shardBitsForRate = (rate: number): number => {
  let shardBits = 0;
  while (shardBits < MAX_SHARD_BITS && plannedRate(shardBits) < rate) shardBits += 1;
  return shardBits;
};

/**
 * The state after a minute with this rate (records a second), summed at `now`. It rises at once to what the rate needs, and
 * falls by one after an hour below a quarter of what is planned. Null when nothing changes.
 */
export const shardBitsAfterRate = (
  state: ShardBitsState,
  rate: number,
  now: number,
): ShardBitsState | null => {
  const needed = shardBitsForRate(rate);
  if (needed > state.shardBits) return { shardBits: needed, busyAt: now };
  if (state.shardBits === 0) return null;
  if (rate >= IDLE_SHARE * plannedRate(state.shardBits)) {
    return now - state.busyAt >= BUSY_PRECISION_MS ? { ...state, busyAt: now } : null;
  }
  return now - state.busyAt >= LOWERED_AFTER_MS ? { shardBits: state.shardBits - 1, busyAt: now } : null;
};

/**
 * The state after DynamoDB refused a record of this number of shard bits because of the rate of its key. Null when the
 * tenant has more shards already, or as many as possible: then the record belongs to a backlog.
 */
export const shardBitsAfterThrottle = (
  state: ShardBitsState,
  shardBits: number,
  now: number,
): ShardBitsState | null =>
  state.shardBits === shardBits && shardBits < MAX_SHARD_BITS
    ? { shardBits: shardBits + 1, busyAt: now }
    : null;
