import fc from 'fast-check';
import type { ResolveSpanName } from '../../../functions/attribution/engine/trace.ts';
import type { Span } from '../../../functions/ledger/records/trace/traceSpan.ts';

/** Takes the name from the identity or service. A provider key alone gives no name. */
export const resolveName: ResolveSpanName = ({ evidence }) =>
  evidence.attributed_identity === undefined && evidence.attributed_service === undefined
    ? null
    : { owner: evidence.attributed_identity ?? null, service: evidence.attributed_service ?? null };

const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

/** Spans with missing parents, duplicate ids and parent cycles. */
export const anySpans = (): fc.Arbitrary<Span[]> =>
  fc
    .array(
      fc.record({
        span_id: fc.option(fc.constantFrom(...names)),
        parent_span_id: fc.option(fc.constantFrom(...names, 'lost')),
        reportsUsage: fc.boolean(),
        propagated: fc.boolean(),
        evidence: fc.constantFrom({}, {}, { attributed_identity: 'x' }, { attributed_identity: 'y' }),
      }),
      { maxLength: names.length },
    )
    .map((spans) => spans.map((span, index): Span => ({ record: `record-${index}`, ...span })));

/** Valid spans: one event per span, and no parent cycles. Parents may come after their children. */
export const anyTree = (): fc.Arbitrary<Span[]> =>
  fc.tuple(anySpans(), fc.shuffledSubarray(names, { minLength: names.length })).map(([spans, order]) =>
    spans.map((span, index): Span => {
      const own = order.indexOf(names[index] ?? '');
      const parent = order.indexOf(span.parent_span_id ?? '');
      return {
        ...span,
        span_id: names[index] ?? null,
        ...(parent >= own && { parent_span_id: null }),
      };
    }),
  );
