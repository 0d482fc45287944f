import type { MarkDirty } from './markDirty.ts';

/**
 * Gathers the marks of an invocation, so that a batch of events costs a few messages instead of one an event. A write counts
 * as marked only after `flush`, so call it before the messages that caused the writes are acknowledged.
 */
export const gatherMarks = (mark: MarkDirty) => {
  let gathered = new Map<string, Set<number>>();
  return {
    add: async (tenantId: string, instants: readonly number[]): Promise<void> => {
      const known = gathered.get(tenantId) ?? new Set<number>();
      for (const at of instants) known.add(at);
      if (known.size > 0) gathered.set(tenantId, known);
    },
    /** Rejects when a message could not be sent. */
    flush: async (): Promise<void> => {
      const marks = gathered;
      gathered = new Map();
      await Promise.all([...marks].map(([tenantId, instants]) => mark(tenantId, [...instants])));
    },
  };
};
