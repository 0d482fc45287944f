/**
 * Remembers the results of a pure function, at most `capacity` keys, oldest out first.
 * Keys hold producer text (model names), so without the bound a producer could grow a warm process without end.
 */
export const memoize = <Value>(
  compute: (key: string) => Value,
  capacity = 2_000,
): ((key: string) => Value) => {
  const known = new Map<string, { readonly value: Value }>();
  return (key) => {
    const hit = known.get(key);
    if (hit !== undefined) return hit.value;
    const value = compute(key);
    const oldest = known.size >= capacity ? known.keys().next().value : undefined;
    if (oldest !== undefined) known.delete(oldest);
    known.set(key, { value });
    return value;
  };
};

/** Joins the parts of a key with a character no label of an event may hold. */
export const memoKey = (...parts: readonly string[]): string => parts.join('\u0000');
