import type { Clock } from '../time/clock.ts';
import { isHeld } from '../time/lease.ts';
import { setBounded } from './boundedMap.ts';

/**
 * Caches the results of an asynchronous lookup for `lifetime` milliseconds, at most `capacity` keys, oldest out first.
 * Concurrent calls for one key share one lookup. Failures and null are not cached: otherwise an outage of the store
 * could pass for a wrong credential. Throws what the lookup throws.
 */
export const cacheLookups = <Value>(
  lookUp: (key: string) => Promise<Value | null>,
  options: { readonly lifetime: number; readonly capacity: number; readonly clock: Clock },
): ((key: string) => Promise<Value | null>) => {
  const cache = new Map<string, { readonly value: Value; readonly until: number }>();
  const pending = new Map<string, Promise<Value | null>>();

  const fetch = async (key: string): Promise<Value | null> => {
    // The lifetime starts before the lookup: its result may already be that old when it arrives.
    const until = options.clock() + options.lifetime;
    const value = await lookUp(key);
    if (value === null) cache.delete(key);
    else setBounded(cache, key, { value, until }, options.capacity);
    return value;
  };

  return async (key) => {
    const cached = cache.get(key);
    if (cached !== undefined && isHeld(cached, options.lifetime, options.clock())) return cached.value;
    const lookup = pending.get(key) ?? fetch(key).finally(() => pending.delete(key));
    pending.set(key, lookup);
    return lookup;
  };
};
