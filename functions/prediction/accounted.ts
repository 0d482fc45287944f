import { type Partition, type Point, partition, valueAt, withValues } from './partition.ts';

/** A call as it was predicted before it was learned; labels by their numbers. */
export interface Predicted {
  readonly label: number;
  /** Null where the call has no label. */
  readonly truth: number | null;
  readonly point: Point;
}

/** The calls predicted as one label, by region. */
interface Measured {
  readonly label: number;
  /** Numbers of regions. */
  readonly regions: Partition;
  readonly tallies: readonly Tally[];
}

interface Tally {
  /** Labelled calls that truly are the label's. */
  right: number;
  unlabelled: number;
  /** Labels of all labelled calls. */
  readonly truths: number[];
}

const measured = (label: number, calls: readonly Predicted[]): Measured => {
  const tallies: Tally[] = [];
  const regions = partition(
    {
      first: calls.filter(({ truth }) => truth === label).map(({ point }) => point),
      second: calls.filter(({ truth }) => truth === null).map(({ point }) => point),
    },
    ({ first, second }) => tallies.push({ right: first.length, unlabelled: second.length, truths: [] }) - 1,
  );
  for (const { truth, point } of calls) {
    if (truth !== null) tallies[valueAt(regions, point)]?.truths.push(truth);
  }
  return { label, regions, tallies };
};

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Labelled calls that a ratio needs before it describes its label. */
const LABELLED_MINIMUM = 20;
/** Of a label's labelled calls, this share lies in regions at or below its ratio (measured). */
const RATIO_QUANTILE = 0.3;

/**
 * How many unlabelled calls a label's own service makes for each labelled one. Strangers only ever add unlabelled calls,
 * and not everywhere; so a low quantile over regions leaves them out. Natural logarithm; undefined where too little is known.
 */
const ratioOf = ({ tallies }: Measured): number | undefined => {
  const total = sum(tallies.map(({ right }) => right));
  if (total < LABELLED_MINIMUM) return undefined;
  const regions = tallies
    .map(({ right, unlabelled }) => ({ right, ratio: Math.log((unlabelled + 0.5) / right) }))
    .sort((a, b) => a.ratio - b.ratio);
  let covered = 0;
  return regions.find(({ right }) => {
    covered += right;
    return covered >= RATIO_QUANTILE * total;
  })?.ratio;
};

/** What the labels' ratios have in common. */
interface Custom {
  /** Ratio of most labels (logarithm), and how far it binds the others: 0 where there is no such custom, 1 where it is general. */
  readonly usual: number;
  readonly binding: number;
  /** The highest ratio of any label. */
  readonly highest: number;
}

/** Ratios this close are the same one. */
const SAME = Math.log(1.5);
/** Shares of labels with the same ratio from which it begins to bind, and from which it fully does (measured). */
const BINDING = { from: 0.45, to: 0.6 } as const;

const median = (sorted: readonly number[]): number => sorted[sorted.length >> 1] ?? 0;

const customOf = (ratios: readonly number[]): Custom => {
  const sorted = ratios.toSorted((a, b) => a - b);
  const groups = sorted.map((from) => sorted.filter((ratio) => ratio >= from && ratio <= from + SAME));
  const largest = groups.reduce((best, group) => (group.length > best.length ? group : best), []);
  const share = sorted.length === 0 ? 0 : largest.length / sorted.length;
  return {
    usual: median(largest),
    binding: Math.min(1, Math.max(0, (share - BINDING.from) / (BINDING.to - BINDING.from))),
    highest: sorted.at(-1) ?? 0,
  };
};

/** Ratios up to this far above the usual one are their label's own (logarithm). */
const TOLERANCE = 0.2;

/** The ratio to believe a label: its own, moved towards the usual one as far as that binds. */
const believed = (own: number | undefined, { usual, binding, highest }: Custom): number => {
  // Of a label hardly known it is only known that it is no more careless than the most careless one.
  const ratio = own ?? highest;
  return ratio <= usual + TOLERANCE ? ratio : binding * usual + (1 - binding) * ratio;
};

/**
 * Share of a region's unlabelled calls that the labelled ones account for, each standing for as many as its own label's
 * ratio says. Doubt about the numbers counts for them.
 */
const shareOf = (
  { truths, unlabelled }: Tally,
  ratioOfLabel: (label: number) => number,
  label: number,
): number => {
  const expected = truths.reduce(
    (total, truth) => total + Math.exp(ratioOfLabel(truth)),
    0.5 * Math.exp(ratioOfLabel(label)),
  );
  const calls = unlabelled + 0.5;
  const doubt = Math.sqrt(1 / (truths.length + 0.5) + 1 / calls);
  return Math.min(1, (expected / calls) * Math.exp(doubt));
};

/**
 * By label, the share of unlabelled calls predicted as it that it can account for, by region.
 *
 * A service that never labelled a call cannot be predicted, and its calls go to the label they resemble most. They show
 * there as unlabelled calls without their labelled part: in the regions where the stranger lives the ratio of unlabelled
 * to labelled calls is higher than elsewhere, or higher than that of the other labels where all are labelled alike.
 */
export const accountedShares = (calls: readonly Predicted[]): ReadonlyMap<number, Partition> => {
  const all = [...Map.groupBy(calls, ({ label }) => label)].map(([label, own]) => measured(label, own));
  const own = new Map(all.map((one) => [one.label, ratioOf(one)]));
  const custom = customOf([...own.values()].filter((ratio) => ratio !== undefined));
  const ratio = (label: number): number => believed(own.get(label), custom);
  return new Map(
    all.map(({ label, regions, tallies }) => [
      label,
      withValues(regions, (region) => {
        const tally = tallies[region];
        return tally === undefined ? 1 : shareOf(tally, ratio, label);
      }),
    ]),
  );
};

/** The share at a point; all of it where nothing is known against it. */
export const accountedAt = (regions: Partition | undefined, point: Point): number =>
  regions === undefined ? 1 : valueAt(regions, point);
