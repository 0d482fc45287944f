import type { RollupMessage } from '../../schemas/rollup.ts';
import type { Clock } from '../shared/clock.ts';
import { LENGTH } from './grain.ts';

/** A waiting message covers what is written in this part of its delay; behind it another is sent. */
const COVERED_FRACTION = 0.8;
/** Minutes whose messages are remembered. */
const CAPACITY = 10_000;
/** Minutes named in one message. */
const MINUTES_MAXIMUM = 200;

export interface RollupQueue {
  /** How long a message waits before it is received, in milliseconds. */
  readonly delay: number;
  readonly send: (message: RollupMessage) => Promise<void>;
}

interface PendingMessage {
  readonly until: number;
  readonly sent: Promise<void>;
}

/**
 * Has what was written summed anew. Call it behind the write and before the write is acknowledged: a message that is
 * still waiting covers it, otherwise another is sent, so that a stream of events costs a few messages a minute and
 * nothing written is ever left out. Where a write cannot be tried again, call it before instead, with `isAhead`: the
 * message waits longer than the write can take.
 */
export const dirtyMarker = (queue: RollupQueue, clock: Clock) => {
  const pendingMessages = new Map<string, PendingMessage>();

  const send = (tenantId: string, minutes: readonly number[], now: number): Promise<void> => {
    const keys = minutes.map((minute) => `${tenantId} ${minute}`);
    const sent = queue.send({ tenant_id: tenantId, minutes: [...minutes] }).catch((error: unknown) => {
      for (const key of keys) pendingMessages.delete(key);
      throw error;
    });
    for (const key of keys) {
      pendingMessages.delete(key);
      const oldest = pendingMessages.size >= CAPACITY ? pendingMessages.keys().next().value : undefined;
      if (oldest !== undefined) pendingMessages.delete(oldest);
      pendingMessages.set(key, { until: now + queue.delay * COVERED_FRACTION, sent });
    }
    return sent;
  };

  /** `instants` are when the calls were made, epoch milliseconds. Throws where a message could not be sent. */
  return async (
    tenantId: string,
    instants: readonly number[],
    { isAhead = false }: { readonly isAhead?: boolean } = {},
  ): Promise<void> => {
    const now = clock();
    const minutes = [...new Set(instants.map((at) => Math.floor(at / LENGTH.minute)))];
    const waiting: Promise<void>[] = [];
    const uncovered = minutes.filter((minute) => {
      const cover = pendingMessages.get(`${tenantId} ${minute}`);
      if (isAhead || cover === undefined || cover.until <= now) return true;
      waiting.push(cover.sent);
      return false;
    });
    for (let at = 0; at < uncovered.length; at += MINUTES_MAXIMUM) {
      waiting.push(send(tenantId, uncovered.slice(at, at + MINUTES_MAXIMUM), now));
    }
    await Promise.all(waiting);
  };
};
export type MarkDirty = ReturnType<typeof dirtyMarker>;
