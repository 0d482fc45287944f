/** Capacity units are counted in tenths, because an eventually consistent read costs half a unit. */
const TENTHS = 10;

/** Where a bucket is stored: the time of its last refill, and the tenths of units in it. */
const TIME = 0;
const TOKENS = 1;
/** Words of a bucket. */
export const BUCKET_WORDS = 2;

/** A rate in capacity units a second, and the seconds of it that an unused bucket collects. */
export interface Rate {
  readonly units: number;
  readonly burstSeconds: number;
}

const capacityOf = ({ units, burstSeconds }: Rate): number => Math.max(1, units * burstSeconds) * TENTHS;

/** Fills a new bucket. `now` is in milliseconds since the start of the runtime. */
export const fillBucket = (words: Int32Array, at: number, rate: Rate, now: number): void => {
  Atomics.store(words, at + TOKENS, Math.floor(capacityOf(rate)));
  Atomics.store(words, at + TIME, now);
};

/** Adds what the rate gave since the last refill. Of concurrent threads, one adds each part. */
const refill = (words: Int32Array, at: number, rate: Rate, now: number): void => {
  const last = Atomics.load(words, at + TIME);
  const added = Math.floor(((now - last) / 1_000) * rate.units * TENTHS);
  if (added < 1) return;
  if (Atomics.compareExchange(words, at + TIME, last, now) !== last) return;
  const excess = Atomics.add(words, at + TOKENS, added) + added - Math.floor(capacityOf(rate));
  if (excess > 0) Atomics.sub(words, at + TOKENS, excess);
};

/** Whether the bucket holds anything. A call may then take more than is left, and later calls wait for the difference. */
export const hasTokens = (words: Int32Array, at: number, rate: Rate, now: number): boolean => {
  refill(words, at, rate, now);
  return Atomics.load(words, at + TOKENS) > 0;
};

/** Takes the units that a call consumed. */
export const takeTokens = (words: Int32Array, at: number, units: number): void => {
  Atomics.sub(words, at + TOKENS, Math.round(units * TENTHS));
};

/** Whether nothing was taken for so long that the bucket is full again. */
export const isFull = (words: Int32Array, at: number, rate: Rate, now: number): boolean => {
  refill(words, at, rate, now);
  return Atomics.load(words, at + TOKENS) >= Math.floor(capacityOf(rate));
};
