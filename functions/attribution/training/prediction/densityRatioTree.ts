import * as z from 'zod';

/** Coordinates of a point. */
export type Point = readonly number[];

/** A tree of values by region of space: a value, or a split on an axis with a subtree on either side. */
export type RegionTree = number | Split;

interface Split {
  readonly axis: number;
  /** Points with a coordinate up to this value are below. */
  readonly at: number;
  readonly below: RegionTree;
  readonly above: RegionTree;
}

const Split: z.ZodType<Split> = z.object({
  axis: z.int().min(0),
  at: z.number(),
  get below() {
    return RegionTree;
  },
  get above() {
    return RegionTree;
  },
});

export const RegionTree: z.ZodType<RegionTree> = z.union([z.number(), Split]);

/** The value of the region that holds the point. */
export const valueAt = (tree: RegionTree, point: Point): number => {
  let node = tree;
  while (typeof node !== 'number') {
    node = (point[node.axis] ?? 0) <= node.at ? node.below : node.above;
  }
  return node;
};

/** Two samples of points. */
export interface Samples {
  readonly first: readonly Point[];
  readonly second: readonly Point[];
}

/** Smallest number of points of each sample in a region. With fewer points the ratio is noise. */
const REGION_MINIMUM = { first: 10, second: 20 } as const;
const DEPTH_MAXIMUM = 5;
/**
 * Least gain of a split in twice the log-likelihood. The best of thirty random splits rarely reaches it (chi-squared, 1 df).
 */
const GAIN_MINIMUM = 15;
const QUANTILES = [0.1, 0.25, 0.5, 0.75, 0.9] as const;

/** Log-likelihood of the counts of both samples under their own shares. */
const logLikelihood = (first: number, second: number): number => {
  const part = (count: number): number => (count === 0 ? 0 : count * Math.log(count / (first + second)));
  return part(first) + part(second);
};

const quantilesOf = (points: readonly Point[], axis: number): number[] => {
  const sorted = Float64Array.from(points, (point) => point[axis] ?? 0).sort();
  return QUANTILES.map((share) => sorted[Math.floor(share * (sorted.length - 1))] ?? 0);
};

const countUpTo = (points: readonly Point[], axis: number, at: number): number => {
  let count = 0;
  for (const point of points) if ((point[axis] ?? 0) <= at) count += 1;
  return count;
};

/** The split with the largest difference of the sample ratio between the sides. Undefined when no gain is large enough. */
const bestSplit = ({
  first,
  second,
}: Samples): { readonly axis: number; readonly at: number } | undefined => {
  const whole = logLikelihood(first.length, second.length);
  let best: { readonly axis: number; readonly at: number } | undefined;
  let bestGain: number = GAIN_MINIMUM;
  const axes = first[0]?.length ?? 0;
  for (let axis = 0; axis < axes; axis += 1) {
    for (const at of new Set([...quantilesOf(first, axis), ...quantilesOf(second, axis)])) {
      const [a, b] = [countUpTo(first, axis, at), countUpTo(second, axis, at)];
      const [c, d] = [first.length - a, second.length - b];
      if (Math.min(a, c) < REGION_MINIMUM.first || Math.min(b, d) < REGION_MINIMUM.second) continue;
      const gain = 2 * (logLikelihood(a, b) + logLikelihood(c, d) - whole);
      if (gain > bestGain) {
        bestGain = gain;
        best = { axis, at };
      }
    }
  }
  return best;
};

/** Builds a density ratio tree: splits space where the ratio of two samples changes. `measure` gives each region a value. */
export const buildRegionTree = (
  samples: Samples,
  measure: (samples: Samples) => number,
  depth = DEPTH_MAXIMUM,
): RegionTree => {
  const split = depth === 0 ? undefined : bestSplit(samples);
  if (split === undefined) return measure(samples);
  const isBelow = (point: Point): boolean => (point[split.axis] ?? 0) <= split.at;
  const side = (below: boolean): Samples => ({
    first: samples.first.filter((point) => isBelow(point) === below),
    second: samples.second.filter((point) => isBelow(point) === below),
  });
  return {
    ...split,
    below: buildRegionTree(side(true), measure, depth - 1),
    above: buildRegionTree(side(false), measure, depth - 1),
  };
};

/** The same regions with other values. */
export const mapValues = (tree: RegionTree, measure: (value: number) => number): RegionTree =>
  typeof tree === 'number'
    ? measure(tree)
    : {
        ...tree,
        below: mapValues(tree.below, measure),
        above: mapValues(tree.above, measure),
      };
