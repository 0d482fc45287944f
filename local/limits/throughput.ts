import {
  type Access,
  keyBucketAt,
  keyRate,
  keySlot,
  limitMemory,
  minuteAt,
  type SharedLimits,
  TABLE_QUOTA_UNITS,
  tableBucketAt,
  tableRate,
  throttleAt,
} from './limitState.ts';
import type { TableAccess } from './tableAccess.ts';
import { type Refusal, throttle } from './tableErrors.ts';
import { fillBucket, hasTokens, type Rate, takeTokens } from './tokenBucket.ts';

const MINUTE_MS = 60_000;
const THOUSAND = 1_000;

/** The limits of the tables, with the same state in all threads that share `limits`. */
export interface Throughput {
  /** Why DynamoDB would refuse this access now. Undefined if it would not. */
  refuse(access: TableAccess): Refusal | undefined;
  /** Records the capacity units that an access consumed. */
  consume(access: TableAccess, units: number): void;
  /** Throttles a share of the accesses of a table, from 0 to 1, or all of them. */
  throttle(table: string, access: Access, share: number): void;
}

/** Describes the limits of tables for all threads. */
export const shareLimits = (
  tables: SharedLimits['tables'],
  scale: number,
  startedAt: number = Date.now(),
): SharedLimits => {
  const limits = { tables, scale, memory: limitMemory(tables.length), startedAt };
  const words = new Int32Array(limits.memory);
  for (const [table] of tables.entries()) {
    for (const access of ['write', 'read'] as const) {
      fillBucket(words, tableBucketAt(table, access), tableRate(access, scale, 0), 0);
    }
  }
  return limits;
};

export const throughputOf = (
  limits: SharedLimits,
  clock: () => number = Date.now,
  uniform: () => number = Math.random,
): Throughput => {
  const words = new Int32Array(limits.memory);
  const { tables, scale, startedAt } = limits;
  const indexes = new Map(tables.map(({ name }, index) => [name, index]));
  const now = (): number => clock() - startedAt;

  /** The rate of a table. Starts a new minute if the last one is over. */
  const rateOf = (table: number, access: Access): Rate => {
    const minute = minuteAt(table, access);
    const start = Atomics.load(words, minute.start);
    const elapsed = now() - start;
    if (elapsed >= MINUTE_MS && Atomics.compareExchange(words, minute.start, start, now()) === start) {
      const units = Atomics.exchange(words, minute.units, 0);
      const average = Math.floor((units * THOUSAND) / elapsed);
      if (average > Atomics.load(words, minute.peak)) Atomics.store(words, minute.peak, average);
    }
    return tableRate(access, scale, Atomics.load(words, minute.peak));
  };

  return {
    refuse({ table: name, key, access }) {
      const table = indexes.get(name);
      const declared = tables[table ?? -1];
      if (table === undefined || declared === undefined) return undefined;
      if (uniform() * THOUSAND < Atomics.load(words, throttleAt(table, access))) {
        return throttle(access, 'AccountLimitExceeded', declared.arn);
      }
      const rate = rateOf(table, access);
      if (!hasTokens(words, tableBucketAt(table, access), rate, now())) {
        const isQuota = rate.units >= TABLE_QUOTA_UNITS * scale;
        const limit = isQuota ? 'AccountLimitExceeded' : 'KeyRangeThroughputExceeded';
        return throttle(access, limit, declared.arn);
      }
      const slot = key === undefined ? undefined : keySlot(words, limits, table, key, now());
      if (slot === undefined) return undefined;
      return hasTokens(words, keyBucketAt(slot, access), keyRate(access, scale), now())
        ? undefined
        : throttle(access, 'KeyRangeThroughputExceeded', declared.arn);
    },
    consume({ table: name, key, access }, units) {
      const table = indexes.get(name);
      if (table === undefined) return;
      takeTokens(words, tableBucketAt(table, access), units);
      Atomics.add(words, minuteAt(table, access).units, Math.ceil(units));
      const slot = key === undefined ? undefined : keySlot(words, limits, table, key, now());
      if (slot !== undefined) takeTokens(words, keyBucketAt(slot, access), units);
    },
    throttle(name, access, share) {
      const table = indexes.get(name);
      if (table === undefined) throw new Error(`There is no table ${name} to throttle`);
      Atomics.store(words, throttleAt(table, access), Math.round(share * THOUSAND));
    },
  };
};
