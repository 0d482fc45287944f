import type { AttributionRecord } from '../../schemas/attribution/attributionRecord.ts';
import { describeFault, RequestAborted, RequestRejected } from './errors.ts';
import type { PendingRows } from './pendingRows.ts';
import type { Period, ServiceClient } from './serviceClient.ts';
import type { Wait } from './wait.ts';

const POLL_MS = 500;
/** Accepted events are readable within about 30 s; so long nothing new may appear before the search ends. */
const QUIET_LIMIT_MS = 30_000;
/** After so long without a find, the records may lie elsewhere: the same events came before, with other times. */
const FULL_SCAN_AFTER_MS = 4_000;
/** The service takes events some minutes ahead of its clock, which may differ from ours. */
const CLOCK_SKEW_MS = 3_600_000;
const FORBIDDEN: ReadonlySet<number> = new Set([401, 403]);

export interface RecordSearch {
  readonly client: Pick<ServiceClient, 'records'>;
  readonly awaiting: PendingRows;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly onFound: (record: AttributionRecord) => void;
  readonly wait: Wait;
  /** When aborted, the list is read once more at most and not waited for. */
  readonly stop: AbortSignal;
}

/** `unreadable` where nothing can be told about visibility, `missing` where records did not appear; with the reason. */
export type SearchResult =
  | { readonly kind: 'all' }
  | { readonly kind: 'missing' | 'unreadable'; readonly reason: string };

const readPeriod = async (
  { client, awaiting, onFound, stop }: RecordSearch,
  period: Period,
  order: 'oldest first' | 'newest first',
): Promise<void> => {
  for await (const record of client.records(period, order, stop)) {
    if (awaiting.markFound(record.event_id)) onFound(record);
    if (awaiting.remaining === 0) return;
  }
};

/** Reads the list until every awaited record was seen, or nothing new appeared for 30 s. Never throws. */
export const findRecords = async (search: RecordSearch): Promise<SearchResult> => {
  const { awaiting, now, wait, stop } = search;
  try {
    for (let quiet = 0; awaiting.remaining > 0; quiet += POLL_MS) {
      const before = awaiting.remaining;
      if (quiet === FULL_SCAN_AFTER_MS)
        await readPeriod(search, { from: 0, to: now() + CLOCK_SKEW_MS }, 'newest first');
      else for (const gap of awaiting.gaps()) await readPeriod(search, gap, 'oldest first');
      if (awaiting.remaining === 0) break;
      if (awaiting.remaining < before) quiet = 0;
      if (stop.aborted) return { kind: 'missing', reason: 'interrupted' };
      if (quiet >= QUIET_LIMIT_MS) return { kind: 'missing', reason: 'nothing more appeared for 30 s' };
      await wait(POLL_MS, stop);
    }
    return { kind: 'all' };
  } catch (fault) {
    if (fault instanceof RequestRejected && FORBIDDEN.has(fault.status)) {
      return { kind: 'unreadable', reason: 'the key may not read' };
    }
    const reason = fault instanceof RequestAborted ? 'interrupted' : describeFault(fault);
    return { kind: 'missing', reason };
  }
};
