import type { AttributionRecord } from '../../schemas/attribution/attributionRecord.ts';
import { describeFault, RequestAborted, RequestRejected } from './errors.ts';
import type { PendingRows } from './pendingRows.ts';
import type { Period, ServiceClient } from './serviceClient.ts';
import type { Wait } from './wait.ts';

const POLL_MS = 500;
/** Accepted events are readable within about 30 s. By default, the search ends after this time without a new record. */
const QUIET_LIMIT_MS = 30_000;
/** After this time without a new record, search all times: earlier events with the same ids may have other times. */
const FULL_SCAN_AFTER_MS = 4_000;
/** The service accepts events some minutes in the future, and its clock may differ from ours. */
const CLOCK_SKEW_MS = 3_600_000;
const FORBIDDEN: ReadonlySet<number> = new Set([401, 403]);

export interface RecordSearch {
  readonly client: Pick<ServiceClient, 'records'>;
  readonly pending: PendingRows;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly onFound: (record: AttributionRecord) => void;
  readonly wait: Wait;
  /** After an abort, the list is read at most once more, without waiting. */
  readonly stop: AbortSignal;
  /** The search ends after this time without a new record. */
  readonly quietLimitMs?: number;
}

/** `unreadable` if the records cannot be read, `missing` if some did not appear. Both have a reason. */
export type SearchResult =
  | { readonly kind: 'all' }
  | { readonly kind: 'missing' | 'unreadable'; readonly reason: string };

const readPeriod = async (
  { client, pending, onFound, stop }: RecordSearch,
  period: Period,
  order: 'oldest first' | 'newest first',
): Promise<void> => {
  for await (const record of client.records(period, order, stop)) {
    if (pending.markFound(record.event_id)) onFound(record);
    if (pending.remaining === 0) return;
  }
};

/** Reads the record list until every pending record is found, or no new one appears for `quietLimitMs`. Never throws. */
export const findRecords = async (search: RecordSearch): Promise<SearchResult> => {
  const { pending, now, wait, stop, quietLimitMs = QUIET_LIMIT_MS } = search;
  try {
    for (let quietMs = 0; pending.remaining > 0; quietMs += POLL_MS) {
      const before = pending.remaining;
      if (quietMs === FULL_SCAN_AFTER_MS)
        await readPeriod(search, { from: 0, to: now() + CLOCK_SKEW_MS }, 'newest first');
      else for (const gap of pending.gaps()) await readPeriod(search, gap, 'oldest first');
      if (pending.remaining === 0) break;
      if (pending.remaining < before) quietMs = 0;
      if (stop.aborted) return { kind: 'missing', reason: 'interrupted' };
      if (quietMs >= quietLimitMs)
        return { kind: 'missing', reason: `no new record appeared for ${quietLimitMs / 1_000} s` };
      await wait(POLL_MS, stop);
    }
    return { kind: 'all' };
  } catch (fault) {
    if (fault instanceof RequestRejected && FORBIDDEN.has(fault.status)) {
      return { kind: 'unreadable', reason: 'the API key has no permission to read' };
    }
    const reason = fault instanceof RequestAborted ? 'interrupted' : describeFault(fault);
    return { kind: 'missing', reason };
  }
};
