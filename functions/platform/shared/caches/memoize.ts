import { setBounded } from './boundedMap.ts';

/**
 * Caches the results of a pure function, at most `capacity` keys, oldest out first.
 * Keys hold text from producers (model names), which could otherwise grow a warm process without limit.
 */
export const memoize = <Value>(
  compute: (key: string) => Value,
  capacity = 2_000,
): ((key: string) => Value) => {
  const cache = new Map<string, { readonly value: Value }>();
  return (key) => {
    const cached = cache.get(key);
    if (cached !== undefined) return cached.value;
    const value = compute(key);
    setBounded(cache, key, { value }, capacity);
    return value;
  };
};

/** Joins the parts of a key with NUL, which no label of an event may contain. */
export const memoKey = (...parts: readonly string[]): string => parts.join('\u0000');
