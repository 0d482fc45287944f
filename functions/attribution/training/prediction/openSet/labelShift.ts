import { type LabelLikelihoods, posteriorsOf } from '../posterior.ts';

/** The likelihoods of a call that represents `weight` current calls. */
export interface WeightedLikelihoods {
  readonly evidence: LabelLikelihoods;
  readonly weight: number;
}

const ROUNDS = 12;
/** Weight of the expected shares against the traffic, in calls. */
const PRIOR_STRENGTH = 50;
/** Bounds of a label's ratio. Wider bounds let a few unusual calls decide, narrower ones cost calibration (measured). */
const RATIO = { least: 0.03, most: 40 } as const;

const normalize = (values: Float64Array): Float64Array => {
  const total = values.reduce((sum, value) => sum + value, 0);
  return values.map((value) => value / total);
};

/**
 * The shares of the labels in unlabelled traffic, by expectation maximisation (Saerens et al. 2002). Starts from the
 * expected shares.
 */
export const estimateLabelShares = (
  traffic: readonly WeightedLikelihoods[],
  expected: Float64Array,
): Float64Array => {
  let shares = expected;
  for (let round = 0; round < ROUNDS; round += 1) {
    const next = expected.map((share) => share * PRIOR_STRENGTH);
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

/** Adds the expected number of calls of each label to `calls`, under the given shares. */
export const addAssignedCalls = (
  calls: Float64Array,
  traffic: readonly WeightedLikelihoods[],
  shares: Float64Array,
): void => {
  for (const { evidence, weight } of traffic) {
    for (const { label, share } of posteriorsOf(evidence, shares)) {
      calls[label] = (calls[label] ?? 0) + weight * share;
    }
  }
};

/** Calls of the average service that are added to the calls of each label, as a few calls prove little. */
const SMOOTHING_CALLS = 10;

/**
 * For each label the number of unlabelled calls that a labelled call represents, relative to the average, within bounds. The
 * share of its calls that a service labels changes rarely, so long histories are compared.
 */
export const shiftRatiosOf = (assigned: Float64Array, labelled: Float64Array): Float64Array => {
  const total = (calls: Float64Array): number => calls.reduce((sum, value) => sum + value, 0);
  const average = total(assigned) / total(labelled) || 1;
  return labelled.map((calls, label) => {
    const ratio = ((assigned[label] ?? 0) / average + SMOOTHING_CALLS) / (calls + SMOOTHING_CALLS);
    return Math.min(RATIO.most, Math.max(RATIO.least, ratio));
  });
};

/** The labelled shares multiplied by the ratios, normalized. */
export const applyShift = (labelled: Float64Array, ratios: Float64Array): Float64Array =>
  normalize(labelled.map((share, label) => share * (ratios[label] ?? 1)));

/**
 * The shares of the labels in recent labelled traffic. The all-time shares serve as a prior that weighs `calls` calls. The
 * all-time counts are smoothed by half a call per label.
 */
export const estimateLabelledShares = (recent: Float64Array, all: Float64Array, calls = 20): Float64Array => {
  const allTime = normalize(all.map((weight) => weight + 0.5));
  return normalize(recent.map((weight, label) => weight + calls * (allTime[label] ?? 0)));
};
