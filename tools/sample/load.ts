import pMap from 'p-map';
import type { AttributionRecord } from '../../schemas/attribution/attributionRecord.ts';
import type { InvocationEvent } from '../../schemas/ingest/invocationEvent.ts';
import { findRecords } from '../client/findRecords.ts';
import { PendingRows } from '../client/pendingRows.ts';
import type { ServiceClient } from '../client/serviceClient.ts';
import { wait as realWait, type Wait } from '../client/wait.ts';

export interface LoadOptions {
  readonly client: Pick<ServiceClient, 'postBatch' | 'records'>;
  readonly traffic: Iterable<InvocationEvent>;
  readonly log: (line: string) => void;
  /** Called with the number of readable events each time it grows. */
  readonly onProgress?: (readable: number) => void;
  /** Ends the wait for records. */
  readonly stop?: AbortSignal;
  readonly wait?: Wait;
  /** Epoch milliseconds. */
  readonly now?: () => number;
}

/** The service retries a failed event for about 40 minutes. An accepted event that is missing after that is lost. */
const QUIET_LIMIT_MS = 3_600_000;
const BATCH_EVENTS = 200;
const IN_FLIGHT = 2;

/** So many events wait in the queue of the service at most, and a call of the user behind them: a few seconds. */
const ROUND_EVENTS = IN_FLIGHT * BATCH_EVENTS;

function* chunksOf<Item>(items: Iterable<Item>, size: number): Generator<Item[]> {
  let chunk: Item[] = [];
  for (const item of items) {
    chunk.push(item);
    if (chunk.length === size) {
      yield chunk;
      chunk = [];
    }
  }
  if (chunk.length > 0) yield chunk;
}

/** Sends events, and registers the accepted ones as pending. */
const post = async (
  { client, stop }: LoadOptions,
  events: readonly InvocationEvent[],
  pending: PendingRows,
): Promise<{ rejected: number }> => {
  let [number, rejected] = [0, 0];
  await pMap(
    chunksOf(events, BATCH_EVENTS),
    async (batch) => {
      const { results } = await client.postBatch(batch, stop);
      const accepted = batch.filter((_, index) => results[index]?.status === 'queued');
      rejected += batch.length - accepted.length;
      const first = number;
      number += accepted.length;
      pending.expect(
        accepted.map(({ event_id, occurred_at, ingestion_timestamp }, index) => ({
          number: first + index,
          eventId: event_id,
          at: Date.parse(occurred_at ?? ingestion_timestamp),
        })),
      );
    },
    { concurrency: IN_FLIGHT },
  );
  return { rejected };
};

/**
 * Sends the traffic in rounds, and waits until the accepted events of each are readable, however slow the machine is, or no new
 * record appears for an hour. Then the rest is not sent either.
 * Loading the same traffic again adds nothing, because event ids, batches and Idempotency-Keys are the same.
 * Resolves to the readable records. Throws the errors of the client.
 */
export const loadSample = async (options: LoadOptions): Promise<AttributionRecord[]> => {
  const {
    client,
    traffic,
    log,
    onProgress,
    stop = new AbortController().signal,
    wait = realWait,
    now = Date.now,
  } = options;
  const records: AttributionRecord[] = [];
  const onFound = (record: AttributionRecord): void => {
    records.push(record);
    onProgress?.(records.length);
  };
  let refused = 0;
  for (const events of chunksOf(traffic, ROUND_EVENTS)) {
    const pending = new PendingRows(() => undefined);
    const { rejected } = await post(options, events, pending);
    refused += rejected;
    const search = { client, pending, onFound, quietLimitMs: QUIET_LIMIT_MS, now, wait, stop };
    const result = await findRecords(search);
    if (result.kind === 'all') continue;
    log(`${pending.remaining} sample events are not readable yet: ${result.reason}.`);
    break;
  }
  if (refused > 0) log(`The service rejected ${refused} sample events.`);
  return records;
};
