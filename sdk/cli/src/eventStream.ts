import { setTimeout as wait } from 'node:timers/promises';
import {
  AttributionError,
  type Client,
  ConnectionError,
  listWebhookEvents,
  type WebhookEventEntry,
} from '../../typescript/src/index.ts';
import { describeFault } from './faults.ts';
import { note, type Terminal } from './terminal.ts';

/** A page of the service has at most this many events. */
const PAGE_SIZE = 200;
/** How far the service looks back by default. Requests that are closer together miss nothing. */
const LOOK_BACK_MS = 60_000;
/** The service keeps no older events. */
const RETAINED_SECONDS = 30 * 24 * 60 * 60;
/** Above the events that a request can repeat. The oldest ids are forgotten first. */
const REMEMBERED = 100_000;

export interface StreamOptions {
  /** Comma-separated. Default: all that the credential may read. */
  readonly types: string | undefined;
  /** Also events of the past, from this time. */
  readonly from: string | undefined;
  readonly intervalMs: number;
  /** Ends after the first request that succeeds. */
  readonly once: boolean;
  /** The most events that are returned at once. */
  readonly size: number;
}

/**
 * Faults that can pass: no connection, a page of the network with a status below 400, an overloaded service, and a cursor that
 * expired because the machine was suspended within a list, which is then read again.
 */
const isPassing = (fault: unknown): boolean =>
  fault instanceof ConnectionError ||
  (fault instanceof AttributionError &&
    (fault.status >= 500 || fault.status < 400 || fault.status === 429 || fault.code === 'INVALID_CURSOR'));

/** Waits, or returns false when the command is stopped. */
const pause = (ms: number, signal: AbortSignal): Promise<boolean> =>
  wait(ms, true, { signal }).catch(() => false);

/**
 * The events of the tenant as they are raised, each once, in lists of at most `size`, until the command is stopped. With `once`, only those
 * that the first successful request returns. A fault that can pass is noted, and the next request covers the time since
 * the last success.
 */
export const eventStream = async function* (
  client: Client,
  terminal: Terminal,
  { types, from, intervalMs, once, size }: StreamOptions,
): AsyncGenerator<readonly WebhookEventEntry[]> {
  const { signal, now } = terminal;
  const known = new Set<string>();
  const waiting: WebhookEventEntry[] = [];
  let isFirst = from === undefined;
  let range: object = from === undefined ? {} : { from };
  let succeededAt = now();
  do {
    const requestedAt = now();
    const elapsed = requestedAt - succeededAt;
    // A duration, because the clock of this machine can differ from that of the service.
    if (elapsed > LOOK_BACK_MS / 2 && !('from' in range))
      range = { last_seconds: Math.min(Math.ceil((elapsed + LOOK_BACK_MS) / 1_000), RETAINED_SECONDS) };
    const query: object = { limit: PAGE_SIZE, types, ...range };
    try {
      for await (const event of listWebhookEvents(client, query, { signal })) {
        if (known.has(event.id)) continue;
        known.add(event.id);
        if (!isFirst) waiting.push(event);
        if (waiting.length === size) yield waiting.splice(0);
      }
      if (waiting.length > 0) yield waiting.splice(0);
      if (once) return;
      [isFirst, range, succeededAt] = [false, {}, requestedAt];
      for (const id of known) {
        if (known.size <= REMEMBERED) break;
        known.delete(id);
      }
    } catch (fault) {
      if (signal.aborted) return;
      if (!isPassing(fault)) throw fault;
      note(terminal, `${describeFault(fault)}\nTrying again.`);
    }
  } while (await pause(intervalMs, signal));
};
