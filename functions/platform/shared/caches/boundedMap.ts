/**
 * Sets an entry as the newest of a map, and evicts the oldest one when the map then holds more than `capacity` keys.
 * Keys of caches come from callers, so without a bound a warm process would grow forever. A plain Map keeps insertion
 * order, reads faster than an LRU library and adds nothing to a bundle.
 */
export const setBounded = <Key, Value>(
  map: Map<Key, Value>,
  key: Key,
  value: Value,
  capacity: number,
): void => {
  map.delete(key);
  map.set(key, value);
  const oldest = map.size > capacity ? map.keys().next() : undefined;
  if (oldest !== undefined && !oldest.done) map.delete(oldest.value);
};
