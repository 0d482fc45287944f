import { ownIdsOf, type Span } from '../../../ledger/records/trace/traceSpan.ts';
import type { ObservedSpan } from '../observedSpan.ts';
import { ROWS_READ } from './informants.ts';
import type { ReadEvidence } from './traceEvidence.ts';

/** A span that reports usage, and those below it that do, by their records. */
export interface NestedUsage {
  readonly upper: string;
  readonly lower: readonly string[];
}

/** The spans that report usage directly above and below a span that does. A span with too many below is left out. */
export const nestedUsageOf = async (
  span: ObservedSpan,
  { view, caller, evidence }: ReadEvidence,
): Promise<NestedUsage[]> => {
  if (!span.reportsUsage) return [];
  const upper: Span[] = [
    ...(caller?.reportsUsage === true ? [caller] : []),
    ...(evidence.repeatsUsage ? [span] : []),
  ];
  return Promise.all(
    upper.map(async (one) => {
      const pages = await Promise.all(
        ownIdsOf(one).map((id) => view.usageBelow(id, one.connector, ROWS_READ)),
      );
      const records = pages.flatMap(({ spans }) => spans.map(({ record }) => record));
      return { upper: one.record, lower: [...new Set(records)].filter((record) => record !== one.record) };
    }),
  );
};
