import type { TraceStore } from '../../../ledger/records/trace/trace.store.ts';
import type { TraceLane } from '../../../ledger/records/trace/traceSpan.ts';
import { combineObservations, type ObservedSpan } from '../observedSpan.ts';
import { isOfSameCredential, type ReportingSpan, repeatsUsage } from './repeatedUsage.ts';

/** Rows below a span that are read to find out whether another credential reports its usage. Beyond, it is not proven. */
const ROWS_MAXIMUM = 100;

/** Rows that are read to find one of another record than the own. */
const ROWS_OF_SEVERAL = 20;

/** Returns a function that tells whether a span repeats usage which spans below it report. */
export const usageBelowReader = ({ traces }: { readonly traces: Pick<TraceStore, 'usageBelow'> }) => {
  const readBelow = async (
    trace: TraceLane,
    { spanIds, record }: ObservedSpan,
    connectors: readonly (string | undefined)[],
    limit: number,
  ): Promise<ObservedSpan[]> => {
    const pages = await Promise.all(
      spanIds.flatMap((spanId) => connectors.map((one) => traces.usageBelow(trace, spanId, one, limit))),
    );
    const rows = pages.flatMap(({ spans }) => spans).filter((row) => row.record !== record);
    return [...Map.groupBy(rows, (row) => row.record).values()].flatMap(
      (own) => combineObservations(own) ?? [],
    );
  };

  /** `connectors`: the parties that may inform the span. Undefined for the tenant. */
  return async (
    trace: TraceLane,
    span: ObservedSpan,
    connectors: readonly (string | undefined)[],
  ): Promise<boolean> => {
    // A span without usage repeats none. It has no cost, but who called it must know of what is below.
    if (!span.reportsUsage) return (await readBelow(trace, span, connectors, ROWS_OF_SEVERAL)).length > 0;
    const reporting: ReportingSpan[] = [];
    const seen = new Set([span.record]);
    let [pending, left] = [[span], ROWS_MAXIMUM];
    while (pending.length > 0 && left > 0) {
      const [next, ...others] = pending;
      if (next === undefined) break;
      const below = (await readBelow(trace, next, connectors, left)).filter(
        ({ record }) => !seen.has(record),
      );
      const isLeaf = below.length === 0;
      if (next !== span && next.reportsUsage) reporting.push({ ...next, isLeaf });
      if (below.some((one) => one.reportsUsage && isOfSameCredential(span, one))) return true;
      for (const { record } of below) seen.add(record);
      left -= Math.max(1, below.length);
      pending = [...others, ...below];
    }
    return repeatsUsage(span, reporting);
  };
};
