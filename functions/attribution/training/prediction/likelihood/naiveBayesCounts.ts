import { type Features, ROOT, STRIDE } from './features.ts';

/** Weights of the calls with a feature, by label number. The lists are parallel. */
export interface LabelCounts {
  total: number;
  readonly labels: number[];
  readonly weights: number[];
}

/** The counts of naive Bayes. They are sums, so the order of the calls does not matter. */
export interface Counts {
  /** Labels by number. */
  readonly labels: string[];
  readonly labelNumbers: Map<string, number>;
  readonly all: LabelCounts;
  readonly buckets: Map<number, LabelCounts>;
}

const emptyLabelCounts = (): LabelCounts => ({ total: 0, labels: [], weights: [] });

/** Empty counts. */
export const emptyCounts = (): Counts => ({
  labels: [],
  labelNumbers: new Map(),
  all: emptyLabelCounts(),
  buckets: new Map(),
});

/** The number of a label. Assigns the next number to a new label. */
const ensureLabelNumber = (counts: Counts, label: string): number => {
  const known = counts.labelNumbers.get(label);
  if (known !== undefined) return known;
  counts.labelNumbers.set(label, counts.labels.length);
  return counts.labels.push(label) - 1;
};

const add = (cells: LabelCounts, label: number, weight: number): void => {
  const at = cells.labels.indexOf(label);
  cells.total += weight;
  if (at === -1) {
    cells.labels.push(label);
    cells.weights.push(weight);
  } else cells.weights[at] = (cells.weights[at] ?? 0) + weight;
};

const ensureBucket = (counts: Counts, bucket: number): LabelCounts => {
  const known = counts.buckets.get(bucket);
  if (known !== undefined) return known;
  const cells = emptyLabelCounts();
  counts.buckets.set(bucket, cells);
  return cells;
};

/** Adds a labelled call to the counts. */
export const learn = (counts: Counts, { refinements }: Features, label: string, weight = 1): void => {
  const number = ensureLabelNumber(counts, label);
  add(counts.all, number, weight);
  for (let at = 0; at < refinements.length; at += STRIDE) {
    add(ensureBucket(counts, refinements[at] ?? ROOT), number, weight);
  }
};

/** The weights as an array of `size` elements, by label number. */
export const toDense = ({ labels, weights }: LabelCounts, size: number): Float64Array => {
  const all = new Float64Array(size);
  labels.forEach((label, at) => {
    all[label] = weights[at] ?? 0;
  });
  return all;
};
