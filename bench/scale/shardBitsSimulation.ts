import { shardBitsOf, shardOfRecord } from '../../functions/ledger/records/ledgerKey.ts';
import {
  ONE_SHARD,
  type ShardBitsState,
  shardBitsAfterRate,
  shardBitsAfterThrottle,
} from '../../functions/ledger/records/shards/shardBits.ts';
import { recordUlid } from '../../functions/platform/shared/ids.ts';
import { type Draws, seededDraws } from '../../functions/tenants/sandbox/sample/seededRandom.ts';

/** What DynamoDB accepts for a partition key, in write units a second. A record is one unit. */
export const KEY_WRITE_UNITS = 1_000;
/** Writers cache the number of shard bits for this long. */
const CACHE_MS = 5_000;
const TICK_MS = 100;
const TICKS_PER_SECOND = 1_000 / TICK_MS;
const MINUTE_MS = 60_000;
/** Batching window of the queue, and the time to sum a minute and to read its mark. */
const MINUTE_RULE_DELAY_MS = 5_000;

/** A tenant's load, and what limits its writers. */
export interface SimulatedLoad {
  /** Events a second at a second of the run. */
  readonly rateAt: (second: number) => number;
  readonly seconds: number;
  /** Write units a second that the table accepts over all keys. */
  readonly tableUnits: number;
  /** Records that all workers together have claimed and not written yet, at most. */
  readonly inFlight: number;
}

/** One second of the run. */
export interface SimulatedSecond {
  readonly second: number;
  /** The number of shard bits that new records of most writers get. */
  readonly shardBits: number;
  /** Write units of the busiest partition key. */
  readonly highestKey: number;
  readonly written: number;
  /** Events that arrived and are not written. */
  readonly backlog: number;
  /** Age of the oldest of them in seconds. */
  readonly oldest: number;
}

interface Claimed {
  readonly arrivedAt: number;
  readonly shardBits: number;
  readonly shard: number;
}

/** Poisson-distributed arrivals, by the normal approximation for large means. */
const arrivals = (mean: number, draws: Draws): number =>
  Math.max(0, Math.round(mean + Math.sqrt(mean) * draws.normal()));

/**
 * Simulates the writers of one tenant, in steps of 100 ms, with the rules and the keys of the service: each record gets the
 * number of shard bits that its writer knows when it claims the record, and keeps it. A key and the table accept their units a second
 * and no burst. A refused record stays in flight and is tried again in the next step.
 */
export const simulateShardBits = (name: string, load: SimulatedLoad): SimulatedSecond[] => {
  const { rateAt, seconds, tableUnits, inFlight } = load;
  const draws = seededDraws(`spread ${name}`);
  let state: ShardBitsState = ONE_SHARD;
  let known = { shardBits: 0, readAt: 0 };
  let claimed: Claimed[] = [];
  const queued: { arrivedAt: number; events: number }[] = [];
  const minutes = new Map<number, number>();
  const results: SimulatedSecond[] = [];
  let serial = 0;
  let unitsByKey = new Map<string, number>();
  let written = 0;

  const claim = (now: number): void => {
    while (queued[0] !== undefined && claimed.length < inFlight) {
      const [oldest] = queued;
      const ulid = recordUlid('bench', `${name} ${serial}`, now, known.shardBits);
      serial += 1;
      claimed.push({ arrivedAt: oldest.arrivedAt, shardBits: shardBitsOf(ulid), shard: shardOfRecord(ulid) });
      oldest.events -= 1;
      if (oldest.events === 0) queued.shift();
    }
  };
  const write = (now: number): void => {
    const left = new Map<string, number>();
    let tableLeft = tableUnits / TICKS_PER_SECOND;
    const refused: Claimed[] = [];
    for (const record of claimed) {
      const key = `${record.shard}`;
      const remaining = left.get(key) ?? KEY_WRITE_UNITS / TICKS_PER_SECOND;
      if (tableLeft >= 1 && remaining >= 1) {
        tableLeft -= 1;
        left.set(key, remaining - 1);
        unitsByKey.set(key, (unitsByKey.get(key) ?? 0) + 1);
        written += 1;
        const minute = Math.floor(record.arrivedAt / MINUTE_MS);
        minutes.set(minute, (minutes.get(minute) ?? 0) + 1);
        continue;
      }
      refused.push(record);
      if (tableLeft >= 1) state = shardBitsAfterThrottle(state, record.shardBits, now) ?? state;
    }
    claimed = refused;
  };

  for (let tick = 0; tick < seconds * TICKS_PER_SECOND; tick += 1) {
    const now = tick * TICK_MS;
    const second = Math.floor(tick / TICKS_PER_SECOND);
    if (now - known.readAt >= CACHE_MS) known = { shardBits: state.shardBits, readAt: now };
    const count = arrivals(rateAt(second) / TICKS_PER_SECOND, draws);
    if (count > 0) queued.push({ arrivedAt: now, events: count });
    claim(now);
    write(now);
    // A minute is summed when its first mark is read, and after its end.
    if (now % MINUTE_MS === MINUTE_RULE_DELAY_MS) {
      const records = minutes.get(Math.floor(now / MINUTE_MS) - 1) ?? 0;
      state = shardBitsAfterRate(state, records / 60, now) ?? state;
    }
    if (tick % TICKS_PER_SECOND === TICKS_PER_SECOND - 1) {
      const oldest = Math.min(claimed[0]?.arrivedAt ?? now, queued[0]?.arrivedAt ?? now);
      results.push({
        second,
        shardBits: known.shardBits,
        highestKey: Math.max(0, ...unitsByKey.values()),
        written,
        backlog: claimed.length + queued.reduce((sum, { events }) => sum + events, 0),
        oldest: (now - oldest) / 1_000,
      });
      unitsByKey = new Map();
      written = 0;
    }
  }
  return results;
};
