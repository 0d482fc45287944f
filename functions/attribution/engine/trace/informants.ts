import type { TraceStore } from '../../../ledger/records/trace/trace.store.ts';
import type { RecordRef } from '../../../ledger/records/trace/traceRow.store.ts';
import type { Span, TraceLane } from '../../../ledger/records/trace/traceSpan.ts';
import type { SpanPage, TraceView } from '../../../ledger/records/trace/traceView.ts';

/** Rows that are read of who reports, or was called by, a span. Most spans have fewer. */
export const ROWS_READ = 20;

/** The parties whose spans may inform one of this party, the tenant first. */
export const informantsOf = ({ connector }: Pick<Span, 'connector'>): readonly (string | undefined)[] =>
  connector === undefined ? [undefined] : [undefined, connector];

/** The first record that reports a span and may inform another one, and all that report it. */
export const reportersOf = async (
  view: TraceView,
  spanId: string,
  span: Pick<Span, 'connector'>,
): Promise<{ readonly informant: Span | null; readonly reporters: SpanPage }> => {
  const reporters = await view.withId(spanId, ROWS_READ);
  for (const connector of informantsOf(span)) {
    const read = reporters.spans.find((one) => one.connector === connector);
    const informant = read ?? (reporters.next === null ? null : await view.first(spanId, connector));
    if (informant !== null) return { informant, reporters };
  }
  return { informant: null, reporters };
};

/** The first record that reports a span and may inform another one. */
export const firstInformant = async (...request: Parameters<typeof reportersOf>): Promise<Span | null> =>
  (await reportersOf(...request)).informant;

/** Has whoever writes a record read its neighbours again. */
export const touchRecord = async (
  traces: Pick<TraceStore, 'touch'>,
  view: TraceView,
  trace: TraceLane,
  ref: RecordRef,
): Promise<void> => {
  for (const row of await view.ofRecord(ref)) await traces.touch(trace, row);
};
