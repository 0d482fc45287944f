import type { Clock } from './clock.ts';

/**
 * Remembers what a look-up found for `lifetime` milliseconds, at most `capacity` keys.
 * Only what was found is kept: a failure of the store, or "not there", is asked again each time,
 * so that an outage is never mistaken for a wrong credential. Concurrent callers share one look-up.
 */
export const cacheLookups = <Value>(
  lookUp: (key: string) => Promise<Value | null>,
  options: { readonly lifetime: number; readonly capacity: number; readonly clock: Clock },
): ((key: string) => Promise<Value | null>) => {
  const found = new Map<string, { readonly value: Value; readonly until: number }>();
  const pending = new Map<string, Promise<Value | null>>();

  const fetch = async (key: string): Promise<Value | null> => {
    // The lifetime runs from before the look-up: what it returns may already be that old.
    const until = options.clock() + options.lifetime;
    const value = await lookUp(key);
    found.delete(key);
    if (value !== null) {
      const oldest = found.size >= options.capacity ? found.keys().next().value : undefined;
      if (oldest !== undefined) found.delete(oldest);
      found.set(key, { value, until });
    }
    return value;
  };

  return async (key) => {
    const hit = found.get(key);
    if (hit !== undefined && hit.until > options.clock()) return hit.value;
    const running = pending.get(key) ?? fetch(key).finally(() => pending.delete(key));
    pending.set(key, running);
    return running;
  };
};
