import { type Features, ROOT, STRIDE } from './features.ts';
import { laneOfLabel } from './labelLane.ts';
import { type Counts, toDense } from './naiveBayesCounts.ts';

/**
 * Returns a scorer: for each label the natural logarithm of the likelihood ratio of the features, relative to all labels
 * together. That of a label of another lane is minus infinity.
 *
 * The probability of a feature under its parent is the label's count plus a prior of `strength` calls from all labels:
 * p(f | parent, y) = (n(f, y) + strength · p(f | parent)) / (n(parent, y) + strength), divided here by p(f | parent).
 * A label without calls under the parent keeps its score, so only labels with the feature or its parent cost time. Counts
 * may grow between calls, but must not gain labels. The result is valid until the next call.
 */
export const likelihoodScorer = (counts: Counts): ((features: Features) => Float64Array) => {
  const size = counts.labels.length;
  const scores = new Float64Array(size);
  const all = toDense(counts.all, size);
  /** The amount that a root feature subtracts from every label, by strength. */
  const costs = new Map<number, Float64Array>();
  const costOf = (strength: number): Float64Array => {
    const known = costs.get(strength);
    if (known !== undefined) return known;
    const cost = all.map((weight) => Math.log(weight / strength + 1));
    costs.set(strength, cost);
    return cost;
  };

  const lanes = counts.labels.map(laneOfLabel);

  return ({ refinements, lane }) => {
    scores.fill(0);
    for (let at = 0; at < refinements.length; at += STRIDE) {
      const parent = refinements[at + 1] ?? ROOT;
      const strength = refinements[at + 2] ?? 1;
      const own = counts.buckets.get(refinements[at] ?? ROOT);
      // No label has the feature, so it carries no information.
      if (own === undefined) continue;
      const above = parent === ROOT ? counts.all : counts.buckets.get(parent);
      if (above === undefined) continue;
      if (parent === ROOT) {
        const cost = costOf(strength);
        for (let label = 0; label < size; label += 1)
          scores[label] = (scores[label] ?? 0) - (cost[label] ?? 0);
      } else {
        for (let cell = 0; cell < above.labels.length; cell += 1) {
          const label = above.labels[cell] ?? 0;
          scores[label] = (scores[label] ?? 0) - Math.log((above.weights[cell] ?? 0) / strength + 1);
        }
      }
      // After a hash collision the parent can have fewer calls than the feature.
      const expected = Math.min(1, own.total / above.total) * strength;
      for (let cell = 0; cell < own.labels.length; cell += 1) {
        const label = own.labels[cell] ?? 0;
        scores[label] = (scores[label] ?? 0) + Math.log((own.weights[cell] ?? 0) / expected + 1);
      }
    }
    for (let label = 0; label < size; label += 1) if (lanes[label] !== lane) scores[label] = -Infinity;
    return scores;
  };
};
