import { callersOf, type Span } from '../../../ledger/records/trace/traceSpan.ts';
import type { ObservedSpan } from '../observedSpan.ts';
import { firstInformant } from './informants.ts';
import { informs } from './trace.ts';
import type { ReadEvidence } from './traceEvidence.ts';

/** Spans above a span that are searched for those of another credential. Beyond, a pass over the trace compares them. */
const LEVELS_MAXIMUM = 16;

/**
 * Spans further above that report usage for another credential: whether a span takes their cost away depends on all spans
 * below them, also on those that change nothing in between. `isCut`: there are more levels.
 */
export const othersAbove = async ({
  view,
  span,
  evidence,
  caller,
  severalCredentials,
}: ReadEvidence & { readonly span: ObservedSpan }): Promise<{
  readonly found: readonly Span[];
  readonly isCut: boolean;
}> => {
  const found: Span[] = [];
  const isAlone = severalCredentials === 'no' || !(span.reportsUsage || evidence.repeatsUsage);
  let above = isAlone ? null : caller;
  for (let level = 1; above !== null; level += 1) {
    if (above.reportsUsage && above.credential !== span.credential && informs(span, above)) found.push(above);
    const [next] = callersOf(above);
    if (next === undefined) break;
    if (level >= LEVELS_MAXIMUM) return { found, isCut: true };
    above = await firstInformant(view, next, span);
  }
  return { found, isCut: false };
};
