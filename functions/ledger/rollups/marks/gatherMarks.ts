import type { MarkDirty } from './markDirty.ts';

/**
 * Gathers the marks of an invocation, so that a batch of events costs a few messages instead of one an event. A write counts
 * as marked only after `flush`, so call it before the messages that caused the writes are acknowledged.
 */
export const gatherMarks = (mark: MarkDirty) => {
  let gathered = new Map<string, number[]>();
  return {
    add: async (tenantId: string, instants: readonly number[]): Promise<void> => {
      if (instants.length === 0) return;
      const known = gathered.get(tenantId) ?? [];
      known.push(...instants);
      gathered.set(tenantId, known);
    },
    /** Rejects when a message could not be sent. */
    flush: async (): Promise<void> => {
      const marks = gathered;
      gathered = new Map();
      await Promise.all([...marks].map(([tenantId, instants]) => mark(tenantId, instants)));
    },
  };
};
