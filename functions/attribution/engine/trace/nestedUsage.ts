import { canKnowMore, type Knowledge } from '../../../ingest/formats/fullerUsage.ts';
import { ownIdsOf, type Span } from '../../../ledger/records/trace/traceSpan.ts';
import type { ObservedSpan } from '../observedSpan.ts';
import { ROWS_READ } from './informants.ts';
import { areStoredTogether } from './packedTrace.ts';
import type { ReadEvidence } from './traceEvidence.ts';

/** A call with the records of the calls below it. */
export interface NestedUsage {
  readonly upper: string;
  /** The only call below, if the upper one can know more of its usage. */
  readonly only: string | null;
  /** Calls that were the only one before. */
  readonly earlier: readonly string[];
}

/**
 * Of several calls below one, at most the first had its usage, until the second came. A few more than that are compared, because
 * several can come at a time.
 */
const COMPARED_MAXIMUM = 3;

const knowledgeOf = ({ knows = [2, 0, 0] }: Span): Knowledge => knows;

/** The calls directly above and below a call, as far as one of them can know more of the usage of the other. */
export const nestedUsageOf = async (
  span: ObservedSpan,
  { view, caller, evidence }: ReadEvidence,
): Promise<NestedUsage[]> => {
  if (!span.reportsUsage) return [];
  const uppers: Span[] = [
    ...(caller?.reportsUsage === true ? [caller] : []),
    ...(evidence.repeatsUsage ? [span] : []),
  ];
  // In a large trace, each is a read. Most calls state nothing that others leave out.
  const known = uppers.filter(
    (one) =>
      view.packed !== null ||
      one.knows !== undefined ||
      (one !== span && canKnowMore(knowledgeOf(one), knowledgeOf(span))),
  );
  const nested = await Promise.all(
    known.map(async (upper): Promise<NestedUsage> => {
      const pages = await Promise.all(
        ownIdsOf(upper).map((id) => view.usageBelow(id, upper.connector, ROWS_READ)),
      );
      const rows = pages.flatMap(({ spans }) => spans).filter(({ record }) => record !== upper.record);
      const lower = [...new Map(rows.map((row) => [row.record, row])).values()];
      const fillable = lower.filter((one) => canKnowMore(knowledgeOf(upper), knowledgeOf(one)));
      const others = fillable.filter(
        (one) => lower.length > 1 && one.record !== span.record && !areStoredTogether(one, span),
      );
      return {
        upper: upper.record,
        only: lower.length === 1 ? (fillable[0]?.record ?? null) : null,
        earlier: others.length > COMPARED_MAXIMUM ? [] : others.map(({ record }) => record),
      };
    }),
  );
  return nested.filter(({ only, earlier }) => only !== null || earlier.length > 0);
};
