import * as z from 'zod';

/** A point by its coordinates. */
export type Point = readonly number[];

/** Values by region of space: one value, or a cut across an axis with a partition on either side. */
export type RegionTree = number | Split;

interface Split {
  readonly axis: number;
  /** Points up to here lie below. */
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
export const valueAt = (partition: RegionTree, point: Point): number => {
  let within = partition;
  while (typeof within !== 'number') {
    within = (point[within.axis] ?? 0) <= within.at ? within.below : within.above;
  }
  return within;
};

/** Two samples of points. */
export interface Samples {
  readonly first: readonly Point[];
  readonly second: readonly Point[];
}

/** A region keeps so many points of the first sample, or its ratio is noise; of the second, so that a ratio exists. */
const REGION_MINIMUM = { first: 10, second: 20 } as const;
const DEPTH_MAXIMUM = 5;
/** Likelihood ratio a cut must gain: far beyond the chance of the best of some thirty cuts (chi-squared, one degree). */
const GAIN_MINIMUM = 15;
const QUANTILES = [0.1, 0.25, 0.5, 0.75, 0.9] as const;

/** Log-likelihood of numbers of both samples under their own share. */
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

/** The cut after which the ratio of the samples differs most between the sides; undefined where none differs enough. */
const bestSplit = ({
  first,
  second,
}: Samples): { readonly axis: number; readonly at: number } | undefined => {
  const whole = logLikelihood(first.length, second.length);
  let best: { readonly axis: number; readonly at: number } | undefined;
  let most: number = GAIN_MINIMUM;
  const axes = first[0]?.length ?? 0;
  for (let axis = 0; axis < axes; axis += 1) {
    for (const at of new Set([...quantilesOf(first, axis), ...quantilesOf(second, axis)])) {
      const [a, b] = [countUpTo(first, axis, at), countUpTo(second, axis, at)];
      const [c, d] = [first.length - a, second.length - b];
      if (Math.min(a, c) < REGION_MINIMUM.first || Math.min(b, d) < REGION_MINIMUM.second) continue;
      const gain = 2 * (logLikelihood(a, b) + logLikelihood(c, d) - whole);
      if (gain > most) {
        most = gain;
        best = { axis, at };
      }
    }
  }
  return best;
};

/** Cuts space where the ratio of two samples changes; `measure` gives a region its value (a density ratio tree). */
export const buildRegionTree = (
  samples: Samples,
  measure: (samples: Samples) => number,
  depth = DEPTH_MAXIMUM,
): RegionTree => {
  const cut = depth === 0 ? undefined : bestSplit(samples);
  if (cut === undefined) return measure(samples);
  const isBelow = (point: Point): boolean => (point[cut.axis] ?? 0) <= cut.at;
  const side = (below: boolean): Samples => ({
    first: samples.first.filter((point) => isBelow(point) === below),
    second: samples.second.filter((point) => isBelow(point) === below),
  });
  return {
    ...cut,
    below: buildRegionTree(side(true), measure, depth - 1),
    above: buildRegionTree(side(false), measure, depth - 1),
  };
};

/** The same regions with other values. */
export const mapValues = (partition: RegionTree, measure: (value: number) => number): RegionTree =>
  typeof partition === 'number'
    ? measure(partition)
    : {
        ...partition,
        below: mapValues(partition.below, measure),
        above: mapValues(partition.above, measure),
      };
