/** What a call's features say, for the labels they do not rule out. Both lists run in parallel. */
export interface LabelLikelihoods {
  readonly labels: readonly number[];
  /** Likelihoods up to a common factor. */
  readonly likelihoods: readonly number[];
}

/** Labels this much less likely than the best one say nothing; the rest would only cost time. */
const NEGLIGIBLE = Math.log(1e-6);
const LABELS_MAXIMUM = 24;

/**
 * The likelihoods worth keeping. `logarithms` as {@link likelihoods} tells them; dividing them by the temperature
 * takes back what dependent features say twice.
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
  // Relative to the largest of them, so that none overflows.
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

/** Labels by how probable they are, the most probable first. */
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
