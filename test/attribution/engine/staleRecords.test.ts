import fc from 'fast-check';
import { expect, it } from 'vitest';
import { correlate } from '../../../functions/attribution/engine/trace.ts';
import { staleRecords } from '../../../functions/attribution/engine/traceCorrelation.ts';
import type { Span } from '../../../functions/ledger/records/trace/traceSpan.ts';
import { anySpans, anyTree, resolveName } from './spans.ts';

it('includes every record that may have been written before all spans were known', () => {
  fc.assert(
    fc.property(anyTree(), (spans) => {
      const now = correlate(spans, resolveName);
      const propagatedSpans = spans.filter(({ propagated }) => propagated);
      const selected = new Set(staleRecords(spans, resolveName));

      // Any subset of the spans that are not propagated may have been known when a record was written.
      const parts = spans
        .filter(({ propagated }) => !propagated)
        .reduce<Span[][]>(
          (subsets, span) => subsets.flatMap((subset) => [subset, [...subset, span]]),
          [propagatedSpans],
        );
      const stale = parts.flatMap((known) =>
        [...correlate(known, resolveName)].filter(
          ([record, evidence]) => JSON.stringify(evidence) !== JSON.stringify(now.get(record)),
        ),
      );
      expect(stale.filter(([record]) => !selected.has(record))).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

it('is empty when all spans are propagated', () => {
  fc.assert(
    fc.property(anySpans(), (spans) => {
      const allPropagated = spans.map((span) => ({ ...span, propagated: true }));

      expect(staleRecords(allPropagated, resolveName)).toEqual([]);
    }),
  );
});
