/** The likelihoods of the labels that are possible for a call. The lists are parallel. */
export interface LabelLikelihoods {
  readonly labels: readonly number[];
  /** Likelihoods up to a common factor. */
  readonly likelihoods: readonly number[];
}

/** Labels whose joint probability is below this fraction of the best one are dropped, which saves time. */
const NEGLIGIBLE = Math.log(1e-6);
const LABELS_MAXIMUM = 24;

/**
 * The likelihoods of the labels that are not negligible. `logarithms` are the scores of the likelihood scorer. Dividing
 * them by the temperature corrects for dependent features that count twice.
 */
export const selectLikelyLabels = (
  logarithms: Float64Array,
  shares: Float64Array,
  temperature: number,
): LabelLikelihoods => {
  const joint = new Float64Array(logarithms.length);
  let top = -Infinity;
  for (let label = 0; label < joint.length; label += 1) {
    const value = (logarithms[label] ?? 0) / temperature + Math.log(shares[label] ?? 0);
    joint[label] = value;
    if (value > top) top = value;
  }
  const labels: number[] = [];
  for (let label = 0; label < joint.length; label += 1) {
    if ((joint[label] ?? 0) > top + NEGLIGIBLE) labels.push(label);
  }
  if (labels.length > LABELS_MAXIMUM) {
    labels.sort((a, b) => (joint[b] ?? 0) - (joint[a] ?? 0) || a - b);
    labels.length = LABELS_MAXIMUM;
  }
  // Relative to the largest logarithm, which prevents overflow.
  let most = -Infinity;
  for (const label of labels) most = Math.max(most, logarithms[label] ?? 0);
  return {
    labels,
    likelihoods: labels.map((label) => Math.exp(((logarithms[label] ?? 0) - most) / temperature)),
  };
};

export interface LabelPosterior {
  /** Number of a label. */
  readonly label: number;
  readonly share: number;
}

/** Posterior probabilities of the labels, most probable first. */
export const posteriorsOf = (
  { labels, likelihoods }: LabelLikelihoods,
  shares: Float64Array,
): LabelPosterior[] => {
  const joint = labels.map((label, at) => (shares[label] ?? 0) * (likelihoods[at] ?? 0));
  const total = joint.reduce((sum, value) => sum + value, 0);
  return labels
    .map((label, at) => ({ label, share: (joint[at] ?? 0) / total }))
    .sort((a, b) => b.share - a.share || a.label - b.label);
};
