import { BUCKET_WORDS, fillBucket, isFull, type Rate } from './tokenBucket.ts';

/** A table as the limits see it. */
export interface LimitedTable {
  readonly name: string;
  readonly arn: string;
  readonly partitionKey: string;
}

/** What all threads of a runtime share: plain data, and one memory block. */
export interface SharedLimits {
  readonly tables: readonly LimitedTable[];
  /** Multiplies throughput. 1 is AWS. */
  readonly scale: number;
  readonly memory: SharedArrayBuffer;
  /** Epoch milliseconds from which the times in the memory count. */
  readonly startedAt: number;
}

export type Access = 'write' | 'read';

/** One partition key sustains this on AWS, in capacity units a second. */
const KEY_UNITS: Readonly<Record<Access, number>> = { write: 1_000, read: 3_000 };
/** A new on-demand table sustains this. */
const TABLE_UNITS: Readonly<Record<Access, number>> = { write: 4_000, read: 12_000 };
/** The default quota of a table in an account. */
export const TABLE_QUOTA_UNITS = 40_000;
const KEY_BURST_SECONDS = 1;
/** DynamoDB keeps up to five minutes of unused throughput of a table. It does not guarantee them, so this is less. */
const TABLE_BURST_SECONDS = 5;

export const keyRate = (access: Access, scale: number): Rate => ({
  units: KEY_UNITS[access] * scale,
  burstSeconds: KEY_BURST_SECONDS,
});

/** An on-demand table sustains twice its previous peak, up to the quota. */
export const tableRate = (access: Access, scale: number, peakUnits: number): Rate => ({
  units: Math.min(TABLE_QUOTA_UNITS * scale, Math.max(TABLE_UNITS[access] * scale, 2 * peakUnits)),
  burstSeconds: TABLE_BURST_SECONDS,
});

/** Words of a table: a bucket, the peak and the units of the current minute for writes and reads, and two throttle shares. */
const ACCESS_WORDS = BUCKET_WORDS + 3;
const TABLE_WORDS = 2 * ACCESS_WORDS + 2;
/** Words of a partition key: its tag, a bucket for writes and one for reads. */
const KEY_WORDS = 1 + 2 * BUCKET_WORDS;
/** Partition keys with recent traffic that are told apart. A key beyond them is not limited. */
const KEY_SLOTS = 16_384;
const PROBES = 8;

const accessOffset = (access: Access): number => (access === 'write' ? 0 : 1);

export const limitMemory = (tables: number): SharedArrayBuffer =>
  new SharedArrayBuffer((tables * TABLE_WORDS + KEY_SLOTS * KEY_WORDS) * Int32Array.BYTES_PER_ELEMENT);

/** Word addresses in the shared memory. */
export const tableBucketAt = (table: number, access: Access): number =>
  table * TABLE_WORDS + accessOffset(access) * ACCESS_WORDS;
export const minuteAt = (table: number, access: Access): { start: number; units: number; peak: number } => {
  const at = tableBucketAt(table, access) + BUCKET_WORDS;
  return { start: at, units: at + 1, peak: at + 2 };
};
/** The share of calls to throttle on request, in thousandths. */
export const throttleAt = (table: number, access: Access): number =>
  table * TABLE_WORDS + 2 * ACCESS_WORDS + accessOffset(access);
export const keyBucketAt = (slot: number, access: Access): number =>
  slot + 1 + accessOffset(access) * BUCKET_WORDS;

/** FNV-1a. Zero marks a free slot. */
const tagOf = (table: number, key: string): number => {
  let hash = 0x811c9dc5 ^ table;
  for (let index = 0; index < key.length; index += 1) {
    hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  }
  return hash === 0 ? 1 : hash;
};

/** The slot of a partition key. Takes over a free slot, or one whose key has had no recent traffic. Undefined if all are busy. */
export const keySlot = (
  words: Int32Array,
  { tables, scale }: Pick<SharedLimits, 'tables' | 'scale'>,
  table: number,
  key: string,
  now: number,
): number | undefined => {
  const tag = tagOf(table, key);
  const first = (tag >>> 0) % KEY_SLOTS;
  const slotAt = (probe: number): number =>
    tables.length * TABLE_WORDS + ((first + probe) % KEY_SLOTS) * KEY_WORDS;
  for (let probe = 0; probe < PROBES; probe += 1) {
    if (Atomics.load(words, slotAt(probe)) === tag) return slotAt(probe);
  }
  for (let probe = 0; probe < PROBES; probe += 1) {
    const slot = slotAt(probe);
    const holder = Atomics.load(words, slot);
    const isIdle = (access: Access): boolean =>
      isFull(words, keyBucketAt(slot, access), keyRate(access, scale), now);
    if (holder !== 0 && !(isIdle('write') && isIdle('read'))) continue;
    if (Atomics.compareExchange(words, slot, holder, tag) !== holder) continue;
    fillBucket(words, keyBucketAt(slot, 'write'), keyRate('write', scale), now);
    fillBucket(words, keyBucketAt(slot, 'read'), keyRate('read', scale), now);
    return slot;
  }
  return undefined;
};
