import { type Client, send } from '../src/client.ts';
import { AttributionError } from '../src/errors.ts';
import type { InvocationBatchAccepted, InvocationEvent } from '../src/types.ts';
import { eventIdOf, isUnique } from './eventId.ts';

/** An event without the members that the tracker adds. */
export type TrackedEvent = Omit<InvocationEvent, 'event_id' | 'ingestion_layer' | 'ingestion_timestamp'> &
  Partial<InvocationEvent> & {
    /** The id that the provider gave the response. The event id follows from it, unless there is one. */
    readonly response_id?: string;
  };

/** `full`: the queue was full. `invalid`: the event could not be made. `refused`: the service does not accept it. */
export type DropReason = 'full' | 'invalid' | 'refused';

export interface TrackerOptions {
  readonly client: Client;
  /** Events that are kept until they are sent. Default: 10,000. */
  readonly capacity?: number;
  /** Default: 500. The service takes at most 1,000. */
  readonly batchSize?: number;
  /** Longest time between an event and its batch. Default: 1,000. */
  readonly intervalMs?: number;
  /** Keeps a serverless function alive until the events are sent, such as `waitUntil` of Vercel or Cloudflare. */
  readonly waitUntil?: (work: Promise<unknown>) => void;
  readonly onDrop?: (count: number, reason: DropReason) => void;
  /** Where the calls are observed. Default: `sdk`. */
  readonly layer?: string;
}

export interface TrackerStats {
  readonly recorded: number;
  readonly sent: number;
  readonly queued: number;
  readonly dropped: Readonly<Record<DropReason, number>>;
}

/** Records inference calls without a risk for the traffic of the caller: it fails open. */
export interface Tracker {
  /** Queues an event, or the result of a function that makes it. Never throws and never waits. */
  readonly record: (event: TrackedEvent | (() => TrackedEvent)) => void;
  /** Sends what is queued. True if everything was sent within the time. On Lambda: `await flush(50)` in `finally`. */
  readonly flush: (ms: number) => Promise<boolean>;
  readonly stats: () => TrackerStats;
}

/** The text of an event, once its id is known. */
type Queued = string | Promise<string>;

const TIMEOUT_MS = 10_000;
const LONGEST_PAUSE_MS = 30_000;
const WAIT_UNTIL_MS = 15_000;
/** A valid event is shorter. A longer one would make its whole batch too large. */
const EVENT_CHARACTERS_MAXIMUM = 10_000;

/** Does not keep the process alive. */
const later = (ms: number, run: () => void): (() => void) => {
  const timer: unknown = setTimeout(run, ms);
  if (typeof timer === 'object' && timer !== null && 'unref' in timer && typeof timer.unref === 'function')
    timer.unref();
  return () => clearTimeout(timer as number);
};

/** Waits in a flush, which somebody waits for. */
const within = (ms: number, work: Promise<unknown> = new Promise(() => undefined)): Promise<unknown> => {
  let timer: ReturnType<typeof setTimeout>;
  const limit = new Promise((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  return Promise.race([work, limit]).finally(() => clearTimeout(timer));
};

/** Whether a batch that failed is kept: the service may accept it later. Below 400 something else answered. */
const isKept = (error: unknown): boolean =>
  !(error instanceof AttributionError) ||
  error.status < 400 ||
  error.status >= 500 ||
  [401, 403, 408, 429].includes(error.status) ||
  error.code === 'IDEMPOTENCY_IN_PROGRESS';

/** Whether the service refuses what a batch has, which a part of it may not have. */
const isAboutBody = (error: unknown): boolean =>
  error instanceof AttributionError && [400, 413, 422].includes(error.status);

export const createTracker = (options: TrackerOptions): Tracker => {
  const {
    capacity = 10_000,
    batchSize = 500,
    intervalMs = 1_000,
    layer = 'sdk',
    onDrop,
    waitUntil,
  } = options;
  const client: Client = { ...options.client, timeoutMs: TIMEOUT_MS };
  const dropped = { full: 0, invalid: 0, refused: 0 };
  const queue: Queued[] = [];
  let inFlight = 0;
  let recorded = 0;
  let sent = 0;
  let failures = 0;
  let sending: Promise<void> | undefined;
  let cancelTimer: (() => void) | undefined;
  let isWaitedFor = false;

  const drop = (count: number, reason: DropReason): void => {
    dropped[reason] += count;
    try {
      onDrop?.(count, reason);
    } catch {
      // The caller's fault must not reach its traffic.
    }
  };

  /** Sends events, and returns those that are to be sent again. */
  const sendBatch = async (events: readonly Queued[]): Promise<readonly Queued[]> => {
    try {
      const answer = await send<Partial<InvocationBatchAccepted> | null>(client, {
        method: 'POST',
        path: '/api/v1/invocations/batch',
        body: `{"events":[${(await Promise.all(events)).join(',')}]}`,
      });
      // Not the service: a proxy or a login page answered 200.
      if (typeof answer?.accepted !== 'number') return events;
      const refused = Number(answer.rejected ?? 0);
      sent += events.length - refused;
      if (refused > 0) drop(refused, 'refused');
      return [];
    } catch (error) {
      if (isKept(error)) return events;
      const half = events.length >> 1;
      if (half > 0 && isAboutBody(error)) {
        // One event, or how many they are, is why all are refused. A repeated event makes no second record.
        const rest = await sendBatch(events.slice(0, half));
        const others = events.slice(half);
        return rest.length > 0 ? [...rest, ...others] : sendBatch(others);
      }
      drop(events.length, 'refused');
      return [];
    }
  };

  const sendAll = async (): Promise<void> => {
    while (queue.length > 0) {
      const batch = queue.splice(0, batchSize);
      inFlight = batch.length;
      const rest = await sendBatch(batch);
      inFlight = 0;
      queue.unshift(...rest);
      failures = rest.length > 0 ? failures + 1 : 0;
      if (failures > 0) return;
    }
  };

  const pause = (): number => Math.min(intervalMs * 2 ** Math.min(failures, 10), LONGEST_PAUSE_MS);

  const schedule = (ms: number): void => {
    cancelTimer ??= later(ms, start);
  };

  /** One batch is under way at a time. */
  function start(): void {
    cancelTimer?.();
    cancelTimer = undefined;
    sending ??= sendAll().finally(() => {
      sending = undefined;
      if (queue.length > 0) schedule(pause());
    });
  }

  const flush = async (ms: number): Promise<boolean> => {
    const deadline = performance.now() + ms;
    while (queue.length > 0 || sending !== undefined) {
      const left = deadline - performance.now();
      if (left <= 0) return false;
      start();
      await within(left, sending);
      if (failures > 0) await within(Math.min(pause(), Math.max(deadline - performance.now(), 0)));
    }
    return true;
  };

  /** Promises that one flush follows, which also takes the events that are recorded during it. */
  const keepAlive = (): void => {
    if (waitUntil === undefined || isWaitedFor) return;
    isWaitedFor = true;
    const flushed = async (): Promise<void> => {
      // The events of the same request go with one batch.
      await Promise.resolve();
      await flush(WAIT_UNTIL_MS);
      isWaitedFor = false;
    };
    try {
      waitUntil(flushed());
    } catch {
      // Outside of a request. The timer sends the events.
    }
  };

  return {
    record: (event) => {
      try {
        const { response_id, ...made } = typeof event === 'function' ? event() : event;
        const ingestion_timestamp = new Date().toISOString();
        const textWith = (event_id: string): string =>
          JSON.stringify({ event_id, ingestion_timestamp, ingestion_layer: layer, ...made }, (_, value) =>
            typeof value === 'bigint' ? Number(value) : value,
          );
        const text = textWith(crypto.randomUUID());
        if (text.length > EVENT_CHARACTERS_MAXIMUM) return drop(1, 'invalid');
        if (queue.length + inFlight >= capacity) return drop(1, 'full');
        // A repeated batch awaits the same promises, so its ids do not change.
        queue.push(isUnique(response_id) ? eventIdOf(response_id).then(textWith, () => text) : text);
        recorded += 1;
      } catch {
        return drop(1, 'invalid');
      }
      if (failures === 0 && queue.length >= batchSize) {
        cancelTimer?.();
        cancelTimer = undefined;
        schedule(0);
      } else schedule(pause());
      keepAlive();
    },
    flush,
    stats: () => ({ recorded, sent, queued: queue.length + inFlight, dropped: { ...dropped } }),
  };
};
