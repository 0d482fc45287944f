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

function* batchesOf(traffic: Iterable<InvocationEvent>): Generator<InvocationEvent[]> {
  let batch: InvocationEvent[] = [];
  for (const event of traffic) {
    batch.push(event);
    if (batch.length === BATCH_EVENTS) {
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}

/** Sends all events, and registers the accepted ones as pending. */
const post = async (
  { client, traffic, stop }: LoadOptions,
  pending: PendingRows,
): Promise<{ accepted: number; rejected: number }> => {
  let [number, rejected] = [0, 0];
  await pMap(
    batchesOf(traffic),
    async (events) => {
      const { results } = await client.postBatch(events, stop);
      const accepted = events.filter((_, index) => results[index]?.status === 'queued');
      rejected += events.length - accepted.length;
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
  return { accepted: number, rejected };
};

/**
 * Sends the traffic and waits until every accepted event is readable, however slow the machine is, or no new record
 * appears for an hour.
 * Loading the same traffic again adds nothing, because event ids, batches and Idempotency-Keys are the same.
 * Resolves to the readable records. Throws the errors of the client.
 */
export const loadSample = async (options: LoadOptions): Promise<AttributionRecord[]> => {
  const {
    client,
    log,
    onProgress,
    stop = new AbortController().signal,
    wait = realWait,
    now = Date.now,
  } = options;
  const pending = new PendingRows(() => undefined);
  const { accepted, rejected } = await post(options, pending);
  if (rejected > 0) log(`The service rejected ${rejected} sample events.`);
  const records: AttributionRecord[] = [];
  const result = await findRecords({
    client,
    pending,
    onFound: (record) => {
      records.push(record);
      onProgress?.(records.length);
    },
    quietLimitMs: QUIET_LIMIT_MS,
    now,
    wait,
    stop,
  });
  if (result.kind !== 'all')
    log(`${accepted - records.length} sample events are not readable yet: ${result.reason}.`);
  return records;
};
