import type { AttributionLookup } from '../src/types.ts';

interface Entry {
  /** Null: the service refused these signals. */
  readonly answer: AttributionLookup | null;
  /** Epoch milliseconds. */
  readonly storedAt: number;
}

export interface Cached {
  readonly answer: AttributionLookup | null;
  readonly isFresh: boolean;
}

export interface AnswerCache {
  /** Undefined if there is no answer, or only one that is too old to use. */
  readonly get: (key: string) => Cached | undefined;
  readonly set: (key: string, answer: AttributionLookup | null) => void;
}

/** Keeps the answers that were set last, at most `capacity`, so that it never grows without bound. */
export const answerCache = (
  capacity: number,
  freshMs: number,
  staleMs: number,
  now: () => number,
): AnswerCache => {
  const entries = new Map<string, Entry>();
  return {
    get: (key) => {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      const age = now() - entry.storedAt;
      if (age >= staleMs) {
        entries.delete(key);
        return undefined;
      }
      return { answer: entry.answer, isFresh: age < freshMs };
    },
    set: (key, answer) => {
      entries.delete(key);
      entries.set(key, { answer, storedAt: now() });
      // A Map iterates in the order of insertion: the first key is the oldest.
      for (const oldest of entries.keys()) {
        if (entries.size <= capacity) break;
        entries.delete(oldest);
      }
    },
  };
};
