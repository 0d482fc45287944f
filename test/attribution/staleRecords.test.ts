import fc from 'fast-check';
import { expect, it } from 'vitest';
import { correlate } from '../../functions/attribution/trace.ts';
import { staleRecords } from '../../functions/attribution/traceCorrelation.ts';
import type { Span } from '../../functions/ledger/traceSpan.ts';
import { anySpans, anyTree, resolveName } from './spans.ts';

it('looks at every record that may have been made before some of the trace was known', () => {
  fc.assert(
    fc.property(anyTree(), (spans) => {
      const now = correlate(spans, resolveName);
      const settled = spans.filter(({ propagated }) => propagated);
      const looked = new Set(staleRecords(spans, resolveName));

      // Whatever part of what has not settled was known when a record was made or revised
      const parts = spans
        .filter(({ propagated }) => !propagated)
        .reduce<Span[][]>(
          (subsets, span) => subsets.flatMap((subset) => [subset, [...subset, span]]),
          [settled],
        );
      const stale = parts.flatMap((known) =>
        [...correlate(known, resolveName)].filter(
          ([record, learnt]) => JSON.stringify(learnt) !== JSON.stringify(now.get(record)),
        ),
      );
      expect(stale.filter(([record]) => !looked.has(record))).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

it('looks at no record again once all has settled', () => {
  fc.assert(
    fc.property(anySpans(), (spans) => {
      const settled = spans.map((span) => ({ ...span, propagated: true }));

      expect(staleRecords(settled, resolveName)).toEqual([]);
    }),
  );
});
