import type { BucketStore, ChargeRequest } from '../../../functions/platform/limits/bucket.store.ts';
import { MAX_CLOCK_SKEW } from '../../../functions/platform/limits/bucket.ts';

/** An in-memory model of the bucket store: each charge is atomic. */
export const inMemoryBucketStore = () => {
  const tats = new Map<string, number>();
  let charged = 0;
  const apply = ({ key, amount, floor, latest, emptied }: ChargeRequest) => {
    const tat = tats.get(key) ?? 0;
    const start = Math.max(tat, floor);
    if (start > latest) {
      if (floor > latest || tat <= emptied + MAX_CLOCK_SKEW) return { admitted: false, tat };
      tats.set(key, emptied);
      return { admitted: false, tat: emptied };
    }
    tats.set(key, start + amount);
    charged += amount;
    return { admitted: true, tat: start + amount };
  };
  const store: BucketStore = {
    charge: async (request) => {
      await Promise.resolve();
      const result = apply(request);
      await Promise.resolve();
      return result;
    },
    peek: async (key) => tats.get(key) ?? 0,
  };
  return {
    store,
    /** The sum of all charges in microseconds. */
    charged: () => charged,
  };
};
