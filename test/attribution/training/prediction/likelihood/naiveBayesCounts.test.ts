import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { featuresOf } from '../../../../../functions/attribution/training/prediction/likelihood/features.ts';
import { likelihoodScorer } from '../../../../../functions/attribution/training/prediction/likelihood/likelihood.ts';
import {
  type Counts,
  emptyCounts,
  learn,
  toDense,
} from '../../../../../functions/attribution/training/prediction/likelihood/naiveBayesCounts.ts';
import { aCall } from '../syntheticTraffic.ts';

const anyCall = fc.record({
  label: fc.constantFrom('a', 'b', 'c'),
  seen: fc.record({
    input_tokens: fc.nat(5_000),
    requested_model: fc.constantFrom('gpt-4o', 'gpt-4o-mini'),
    tags: fc.uniqueArray(fc.constantFrom('x', 'y', 'z')),
  }),
});
type AnyCall = { label: string; seen: { input_tokens: number; requested_model: string; tags: string[] } };

const learned = (calls: readonly AnyCall[]): Counts => {
  const counts = emptyCounts();
  for (const { label, seen } of calls) learn(counts, featuresOf(aCall(seen)), label);
  return counts;
};

/** The counts by label name, independent of label numbers. */
const plain = ({ labels, all, buckets }: Counts) => {
  const named = (weights: Float64Array) =>
    Object.fromEntries(
      [...weights].map((weight, label) => [labels[label], weight]).filter(([, weight]) => weight),
    );
  return {
    all: named(toDense(all, labels.length)),
    buckets: new Map(
      [...buckets].map(([bucket, cells]) => [bucket, [cells.total, named(toDense(cells, labels.length))]]),
    ),
  };
};

describe('learn', () => {
  it('does not depend on the order of calls', () => {
    fc.assert(
      fc.property(fc.array(anyCall, { maxLength: 30 }), (calls) => {
        expect(plain(learned(calls.toReversed()))).toEqual(plain(learned(calls)));
      }),
    );
  });

  it('counts a call by its weight', () => {
    const [twice, heavy] = [emptyCounts(), emptyCounts()];
    const features = featuresOf(aCall());

    learn(twice, features, 'a');
    learn(twice, features, 'a');
    learn(heavy, features, 'a', 2);

    expect(plain(heavy)).toEqual(plain(twice));
  });
});

describe('likelihoodScorer', () => {
  const counts = learned([
    ...Array.from({ length: 40 }, () => ({
      label: 'a',
      seen: { input_tokens: 100, requested_model: 'm', tags: [] },
    })),
    ...Array.from({ length: 40 }, () => ({
      label: 'b',
      seen: { input_tokens: 9_000, requested_model: 'm', tags: [] },
    })),
  ]);

  it('scores the label with similar calls higher', () => {
    const [a = 0, b = 0] = likelihoodScorer(counts)(
      featuresOf(aCall({ input_tokens: 100, requested_model: 'm' })),
    );

    expect(a).toBeGreaterThan(b + 2);
  });

  it('scores every label 0 when no feature is known', () => {
    const stranger = { ...aCall(), provider: 'p', ingestion_layer: 'l', input_tokens: 3, output_tokens: 1 };

    expect([...likelihoodScorer(counts)(featuresOf(stranger))]).toEqual([0, 0]);
  });

  it('weighs an exact size more than its octave', () => {
    const near = learned([
      ...Array.from({ length: 40 }, () => ({
        label: 'a',
        seen: { input_tokens: 70, requested_model: 'm', tags: [] },
      })),
      ...Array.from({ length: 40 }, (_, at) => ({
        label: 'b',
        seen: { input_tokens: 70 + at, requested_model: 'm', tags: [] },
      })),
    ]);
    const gap = (input_tokens: number): number => {
      const [a = 0, b = 0] = likelihoodScorer(near)(
        featuresOf(aCall({ input_tokens, requested_model: 'm' })),
      );
      return a - b;
    };

    expect(gap(70)).toBeGreaterThan(0.5);
    expect(gap(100)).toBeLessThan(-0.5);
  });
});
