import { MINUTE_MS } from '../../../../schemas/durations.ts';
import { setBounded } from '../../../platform/shared/caches/boundedMap.ts';
import type { Clock } from '../../../platform/shared/time/clock.ts';
import { isHeld } from '../../../platform/shared/time/lease.ts';
import type { PendingMarkStore } from './pendingMark.store.ts';
import type { MinuteActivity, RollupQueue } from './queue.aws.ts';
import { sumRequester } from './requestSums.ts';

/** Part of the longest delay during which a message also covers new writes. Later writes send another message. */
const COVERED_FRACTION = 0.7;
/**
 * Part of the longest delay that a message waits after the writes that it covers: 6 s of 30 s, so that all of them have
 * ended.
 */
const MARGIN_FRACTION = 0.2;
/**
 * Part of the longest delay over which processes spread their messages, so that one sum is early enough for most of them.
 */
const JITTER_FRACTION = 0.1;
/** Most minutes whose pending message and activity are remembered. */
const CAPACITY = 10_000;

interface PendingMessage {
  /** How long it covers writes at most, in milliseconds, and until when by each of the two clocks. */
  readonly lifetime: number;
  readonly until: number;
  readonly elapsedUntil: number;
  readonly sent: Promise<void>;
}

const NO_ACTIVITY: MinuteActivity = { messages: 0, calls: 0 };

/**
 * Returns a function that requests recomputation of the rollups of written minutes. Call it after the write and before the
 * write is acknowledged. A message that is still delayed covers the write. Otherwise a new message is sent. So a stream of
 * events costs a few messages a minute, and no write is missed. The messages of all processes cover the same time slots, so
 * that a minute is summed once for a slot, and not once for each process.
 * When the write cannot be retried, call it before the write
 * with `isAhead`: the delay of the message is longer than the write can take.
 *
 * Each message has a pending mark, which is removed after its minutes are summed. So readers know up to when totals are
 * complete, and a sweep repeats a message that was lost.
 */
export const dirtyMarker = ({
  queue,
  pendingMarks,
  clock,
  elapsed,
  newId,
  random,
}: {
  readonly queue: RollupQueue;
  readonly pendingMarks: Pick<PendingMarkStore, 'add'>;
  readonly clock: Clock;
  /**
   * A monotonic clock, in milliseconds. The queue delays a message by elapsed time, so a message that would cover writes after a
   * step back of `clock` would arrive before them. `clock` also counts while the process is frozen.
   */
  readonly elapsed: () => number;
  /** Returns a unique id. */
  readonly newId: () => string;
  /** Returns a number from 0 to 1. */
  readonly random: () => number;
}) => {
  const requestSums = sumRequester({ queue, pendingMarks, clock, newId });
  const pendingMessages = new Map<string, PendingMessage>();
  const activities = new Map<string, MinuteActivity>();

  const activityOf = (tenantId: string, minute: number): MinuteActivity =>
    activities.get(`${tenantId} ${minute}`) ?? NO_ACTIVITY;

  const observe = (tenantId: string, minute: number, { messages, calls }: MinuteActivity): void => {
    const before = activityOf(tenantId, minute);
    const after = { messages: before.messages + messages, calls: before.calls + calls };
    setBounded(activities, `${tenantId} ${minute}`, after, CAPACITY);
  };

  const send = (
    tenantId: string,
    minutes: readonly number[],
    longest: number,
    now: number,
    isAhead: boolean,
  ): Promise<void> => {
    const keys = minutes.map((minute) => `${tenantId} ${minute}`);
    const slot = longest * COVERED_FRACTION;
    const until = isAhead || slot === 0 ? now + slot : (Math.floor(now / slot) + 1) * slot;
    const delay = isAhead ? longest : until - now + longest * (MARGIN_FRACTION + JITTER_FRACTION * random());
    const coversUntil = isAhead ? undefined : Math.floor(until);
    const sent = requestSums(tenantId, minutes, { at: now, coversUntil, delay }).catch((error: unknown) => {
      for (const key of keys) pendingMessages.delete(key);
      throw error;
    });
    const pending = { lifetime: slot, until, elapsedUntil: elapsed() + until - now, sent };
    for (const key of keys) setBounded(pendingMessages, key, pending, CAPACITY);
    for (const minute of minutes) observe(tenantId, minute, { messages: 1, calls: 0 });
    return sent;
  };

  /** `instants` are the times of the calls, one for each call, epoch milliseconds. Rejects when a message could not be sent. */
  return async (
    tenantId: string,
    instants: readonly number[],
    { isAhead = false }: { readonly isAhead?: boolean } = {},
  ): Promise<void> => {
    const now = clock();
    const calls = Map.groupBy(instants, (at) => Math.floor(at / MINUTE_MS));
    const minutes = [...calls.keys()];
    for (const [minute, own] of calls) observe(tenantId, minute, { messages: 0, calls: own.length });
    const waiting: Promise<void>[] = [];
    const uncovered = minutes.filter((minute) => {
      const pending = pendingMessages.get(`${tenantId} ${minute}`);
      const isCovered =
        pending !== undefined && isHeld(pending, pending.lifetime, now) && elapsed() < pending.elapsedUntil;
      if (isAhead || !isCovered) return true;
      waiting.push(pending.sent);
      return false;
    });
    const delayOf = (minute: number): number => queue.delayOf(activityOf(tenantId, minute));
    for (const [longest, group] of Map.groupBy(uncovered, delayOf)) {
      waiting.push(send(tenantId, group, longest, now, isAhead));
    }
    await Promise.all(waiting);
  };
};
export type MarkDirty = ReturnType<typeof dirtyMarker>;
