import type { CalledPage, TraceView } from '../../../ledger/records/trace/traceView.ts';
import { combineObservations, type ObservedSpan } from '../observedSpan.ts';
import { isOfSameCredential, type Repetition, type ReportingSpan, repetitionBy } from './repeatedUsage.ts';

/** Rows below a span that are read to find out whether another credential reports its usage. Beyond, nobody knows. */
const ROWS_MAXIMUM = 100;

/** Rows that are read to find one of another record than the own. */
const ROWS_OF_SEVERAL = 20;

interface Below {
  readonly spans: readonly ObservedSpan[];
  readonly isCut: boolean;
}

const readBelow = async (
  view: TraceView,
  { spanIds, record }: ObservedSpan,
  connectors: readonly (string | undefined)[],
  limit: number,
  called: readonly CalledPage[] = [],
): Promise<Below> => {
  const isRead = called.length > 0 && called.every(({ next }) => next === null);
  const pages = isRead
    ? called.map(({ spans }) => ({
        spans: spans.filter(({ hasUsage, connector }) => hasUsage && connectors.includes(connector)),
        next: null,
      }))
    : await Promise.all(
        spanIds.flatMap((spanId) => connectors.map((one) => view.usageBelow(spanId, one, limit))),
      );
  const rows = pages.flatMap(({ spans }) => spans).filter((row) => row.record !== record);
  return {
    spans: [...Map.groupBy(rows, (row) => row.record).values()].flatMap(
      (own) => combineObservations(own) ?? [],
    ),
    isCut: pages.some(({ next }) => next !== null),
  };
};

/**
 * Whether a span repeats usage that spans below it report. `connectors`: the parties that may inform the span. Undefined for the
 * tenant. `called`: the spans that it called. `payerOf`: whom the span, or who called it, names. `unknown`: more lies below it
 * than is read, or its usage is charged to another payer there.
 */
export const repetitionOf = async (
  view: TraceView,
  span: ObservedSpan,
  connectors: readonly (string | undefined)[],
  called: readonly CalledPage[],
  payerOf: () => Promise<string | undefined>,
): Promise<Repetition> => {
  // A span without usage repeats none. It has no cost, but who called it must know of what is below.
  if (!span.reportsUsage) {
    const { spans } = await readBelow(view, span, connectors, ROWS_OF_SEVERAL, called);
    return spans.length > 0 ? 'yes' : 'no';
  }
  const reporting: ReportingSpan[] = [];
  const seen = new Set([span.record]);
  let [pending, left] = [[span], ROWS_MAXIMUM];
  let isCut = false;
  while (pending.length > 0 && left > 0) {
    const [next, ...others] = pending;
    if (next === undefined) break;
    const read = await readBelow(view, next, connectors, left, next === span ? called : []);
    isCut ||= read.isCut;
    const below = read.spans.filter(({ record }) => !seen.has(record));
    const isLeaf = below.length === 0;
    if (next !== span && next.reportsUsage) reporting.push({ ...next, isLeaf });
    if (below.some((one) => one.reportsUsage && isOfSameCredential(span, one))) return 'yes';
    for (const { record } of below) seen.add(record);
    left -= Math.max(1, below.length);
    const payer = next === span ? undefined : next.payer;
    pending = [...others, ...below.map((one) => ({ ...one, payer: one.payer ?? payer }))];
  }
  if (reporting.length > 0) {
    const repetition = repetitionBy({ ...span, payer: await payerOf() }, reporting);
    if (repetition !== 'no') return repetition;
  }
  return isCut || pending.length > 0 ? 'unknown' : 'no';
};
