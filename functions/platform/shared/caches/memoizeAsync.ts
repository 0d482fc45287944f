import { setBounded } from './boundedMap.ts';

/**
 * Remembers at most `capacity` results by key, oldest out first. Concurrent calls share one computation. Failures are
 * forgotten.
 */
export const memoizeAsync = <Value>(capacity: number) => {
  const memory = new Map<string, Promise<Value>>();
  return (key: string, compute: () => Promise<Value>): Promise<Value> => {
    const value = memory.get(key) ?? compute();
    setBounded(memory, key, value, capacity);
    value.catch(() => memory.delete(key));
    return value;
  };
};
