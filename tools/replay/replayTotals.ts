import type { InvocationEvent } from '../../schemas/ingest/invocationEvent.ts';
import type { PendingRows } from '../client/pendingRows.ts';
import type { Period } from '../client/serviceClient.ts';
import { type Batch, REFUSALS_KEPT } from './batches.ts';
import type { Refusal } from './row.ts';
import type { BatchResult } from './sendBatch.ts';

/** Counts the results of the rows. Batches are added in file order. */
export class ReplayTotals {
  sent = 0;
  accepted = 0;
  refused = 0;
  /** Rows that were sent, or refused before sending. */
  done = 0;
  fault: Error | undefined;
  readonly refusals: Refusal[] = [];
  readonly #pending: PendingRows;
  #period: Period | undefined;

  constructor(pending: PendingRows) {
    this.#pending = pending;
  }

  /** First and last event time as sent, in epoch milliseconds. */
  get period(): Period | undefined {
    return this.#period;
  }

  /** `events` belong to the rows of the batch, in the same order. */
  add(batch: Batch, events: readonly InvocationEvent[], { verdicts, fault }: BatchResult): void {
    this.sent += events.length;
    this.done += events.length + batch.refused;
    this.#refuse(batch.refused, batch.refusals);
    const accepted = batch.rows.flatMap(({ number }, index) => {
      const event = events[index];
      if (event === undefined) return [];
      const at = Date.parse(event.occurred_at ?? event.ingestion_timestamp);
      this.#extendPeriod(at);
      return verdicts[index] === true ? [{ number, eventId: event.event_id, at }] : [];
    });
    this.accepted += accepted.length;
    this.#pending.expect(accepted);
    const rejected = batch.rows.flatMap(({ line }, index): Refusal[] => {
      const verdict = verdicts[index];
      return typeof verdict === 'string' ? [{ line, reason: verdict }] : [];
    });
    this.#refuse(rejected.length, rejected);
    this.fault ??= fault;
  }

  #refuse(count: number, first: readonly Refusal[]): void {
    this.refused += count;
    this.refusals.push(...first.slice(0, REFUSALS_KEPT - this.refusals.length));
  }

  #extendPeriod(at: number): void {
    const { from = at, to = at } = this.#period ?? {};
    this.#period = { from: Math.min(from, at), to: Math.max(to, at) };
  }
}
