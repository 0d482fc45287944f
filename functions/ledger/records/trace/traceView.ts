import {
  callerRange,
  isUsageEntry,
  ownIdPrefix,
  ownIdRange,
  type RecordRef,
  recordKey,
  recordRange,
  type SpanEntry,
  usagePrefix,
} from './traceRow.store.ts';
import type { Span, TraceLane } from './traceSpan.ts';

/** A part of the spans of a trace. `next` reads on; null at the end. */
export interface SpanPage {
  readonly spans: readonly Span[];
  readonly next: string | null;
}

/** A span that another one called. */
export interface CalledSpan extends Span {
  /** It, or a span below it, reports usage. */
  readonly hasUsage: boolean;
}
export interface CalledPage extends SpanPage {
  readonly spans: readonly CalledSpan[];
}

/** The spans next to a span, by key. No read depends on the size of the trace. */
export interface TraceView {
  /** All spans of the lane, if the trace is small. Null if they are read by key, strongly consistent, one by one. */
  readonly packed: readonly Span[] | null;
  /** What the observers of a record say about its span. */
  readonly ofRecord: (ref: RecordRef) => Promise<readonly Span[]>;
  /** The first record of a party that reports a span. */
  readonly first: (spanId: string, connector: string | undefined) => Promise<Span | null>;
  /** All records that report a span, at most `limit`. */
  readonly withId: (spanId: string, limit: number) => Promise<SpanPage>;
  /** The spans that a span called, at most `limit`. */
  readonly calledBy: (spanId: string, limit: number) => Promise<CalledPage>;
  /** What a party says about spans that a span called and that report usage, or have such a span below them. */
  readonly usageBelow: (spanId: string, connector: string | undefined, limit: number) => Promise<SpanPage>;
  /** The spans of a trace by record, at most `limit` after a key. */
  readonly page: (after: string | null, limit: number) => Promise<SpanPage>;
}

export type KeyRange = { readonly prefix: string } | { readonly from: string; readonly to: string };
/** Reads entries in order of their keys. */
export type QueryEntries = (
  range: KeyRange,
  page: { readonly limit: number; readonly after?: string | null },
) => Promise<{ readonly entries: readonly SpanEntry[]; readonly next: string | null }>;

/** A record has at most eight observers of each credential. More rows of it than this are never read at once. */
const OBSERVERS_READ = 100;

export const traceView = (
  { lane }: Pick<TraceLane, 'lane'>,
  packed: readonly Span[] | null,
  queryEntries: QueryEntries,
): TraceView => {
  const query = async (...request: Parameters<QueryEntries>): Promise<SpanPage> => {
    const { entries, next } = await queryEntries(...request);
    return { spans: entries.map(({ span }) => span), next };
  };
  return {
    packed,
    ofRecord: async (ref) => (await query({ prefix: recordKey(ref) }, { limit: OBSERVERS_READ })).spans,
    first: async (spanId, connector) =>
      (await query({ prefix: ownIdPrefix(lane, spanId, connector) }, { limit: 1 })).spans[0] ?? null,
    withId: (spanId, limit) => query({ prefix: ownIdRange(lane, spanId) }, { limit }),
    calledBy: async (spanId, limit) => {
      const prefix = callerRange(lane, spanId);
      const { entries, next } = await queryEntries({ prefix }, { limit });
      const spans = entries.map((entry) => ({ ...entry.span, hasUsage: isUsageEntry(entry, prefix) }));
      return { spans, next };
    },
    usageBelow: (spanId, connector, limit) =>
      query({ prefix: usagePrefix(lane, spanId, connector) }, { limit }),
    page: (after, limit) => {
      const [from, to] = recordRange(lane);
      return query({ from, to }, { limit, after });
    },
  };
};

/** The position of the first entry at or after a key. */
const positionOf = (entries: readonly SpanEntry[], key: string): number => {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((entries[middle]?.sk ?? '') < key) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** Reads entries in memory, which are in order of their keys. */
export const queryInMemory =
  (entries: readonly SpanEntry[]): QueryEntries =>
  (range, { limit, after = null }) => {
    const isIn = ({ sk }: SpanEntry): boolean =>
      'prefix' in range ? sk.startsWith(range.prefix) : sk >= range.from && sk <= range.to;
    const from = 'prefix' in range ? range.prefix : range.from;
    let start = positionOf(entries, after === null || after < from ? from : after);
    if (entries[start]?.sk === after) start += 1;
    let end = start;
    for (let entry = entries[end]; entry !== undefined && isIn(entry); entry = entries[end]) {
      if (end === start + limit) break;
      end += 1;
    }
    const next = entries[end];
    const isMore = next !== undefined && isIn(next);
    return Promise.resolve({
      entries: entries.slice(start, end),
      next: isMore ? (entries[end - 1]?.sk ?? null) : null,
    });
  };
