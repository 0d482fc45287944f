import type { LabelLikelihoods } from './posterior.ts';

/** A call that stands for `weight` calls of now. */
export interface WeightedLikelihoods {
  readonly evidence: LabelLikelihoods;
  readonly weight: number;
}

const ROUNDS = 12;
/** Calls for which the expectation counts against the traffic. */
const STRENGTH = 50;
/** Bounds of a label's ratio: beyond them a few odd calls would decide; narrower ones cost calibration (measured). */
const RATIO = { least: 0.03, most: 40 } as const;

const normalize = (values: Float64Array): Float64Array => {
  const total = values.reduce((sum, value) => sum + value, 0);
  return values.map((value) => value / total);
};

/**
 * Shares of the labels in traffic whose labels are unknown, by expectation maximisation (Saerens et al. 2002),
 * beginning from what labelled traffic lets expect.
 */
export const estimateLabelShares = (
  traffic: readonly WeightedLikelihoods[],
  expected: Float64Array,
): Float64Array => {
  let shares = expected;
  for (let round = 0; round < ROUNDS; round += 1) {
    const next = expected.map((share) => share * STRENGTH);
    for (const { evidence, weight } of traffic) {
      const { labels, likelihoods } = evidence;
      let sum = 0;
      for (let at = 0; at < labels.length; at += 1) {
        sum += (shares[labels[at] ?? 0] ?? 0) * (likelihoods[at] ?? 0);
      }
      if (sum === 0) continue;
      for (let at = 0; at < labels.length; at += 1) {
        const label = labels[at] ?? 0;
        next[label] = (next[label] ?? 0) + (weight * (shares[label] ?? 0) * (likelihoods[at] ?? 0)) / sum;
      }
    }
    shares = normalize(next);
  }
  return shares;
};

/** How much more often than labelled traffic says each label occurs, within bounds. */
export const shiftRatiosOf = (shares: Float64Array, labelled: Float64Array): Float64Array =>
  shares.map((share, label) => Math.min(RATIO.most, Math.max(RATIO.least, share / (labelled[label] ?? 1))));

/** The labelled shares, moved by the ratios. */
export const applyShift = (labelled: Float64Array, ratios: Float64Array): Float64Array =>
  normalize(labelled.map((share, label) => share * (ratios[label] ?? 1)));

/**
 * Shares of the labels in labelled traffic of late. Where it is thin, the shares of all time fill in:
 * they count as `calls` calls, and every label as half a call more than it had.
 */
export const estimateLabelledShares = (recent: Float64Array, all: Float64Array, calls = 20): Float64Array => {
  const long = normalize(all.map((weight) => weight + 0.5));
  return normalize(recent.map((weight, label) => weight + calls * (long[label] ?? 0)));
};
