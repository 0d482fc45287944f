import { buildRegionTree, mapValues, type Point, type RegionTree, valueAt } from './densityRatioTree.ts';
import { clampToNorm, DEFAULT_RATIO, estimateNorm } from './labellingNorm.ts';

/** A call as it was predicted before it was learned; labels by their numbers. */
export interface PredictedCall {
  readonly label: number;
  /** Null where the call has no label. */
  readonly truth: number | null;
  readonly point: Point;
}

/** The calls predicted as one label, by region. */
interface LabelRegions {
  readonly label: number;
  /** Numbers of regions. */
  readonly regions: RegionTree;
  readonly counts: readonly RegionCounts[];
}

interface RegionCounts {
  /** Labelled calls by the label they truly have. */
  readonly labelled: Map<number, number>;
  readonly unlabelled: number;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const countByRegion = (label: number, calls: readonly PredictedCall[]): LabelRegions => {
  const tallies: RegionCounts[] = [];
  const regions = buildRegionTree(
    {
      first: calls.filter(({ truth }) => truth === label).map(({ point }) => point),
      second: calls.filter(({ truth }) => truth === null).map(({ point }) => point),
    },
    ({ second }) => tallies.push({ labelled: new Map(), unlabelled: second.length }) - 1,
  );
  for (const { truth, point } of calls) {
    const labelled = tallies[valueAt(regions, point)]?.labelled;
    if (truth !== null) labelled?.set(truth, (labelled.get(truth) ?? 0) + 1);
  }
  return { label, regions, counts: tallies };
};

/** Labelled calls that a ratio needs before it describes its label. */
const LABELLED_MINIMUM = 20;
/** Of a label's labelled calls, this share lies in regions at or below its ratio (measured). */
const RATIO_QUANTILE = 0.2;
/** Ratios have settled after so many. */
const ROUNDS = 10;

type RatioOf = (label: number) => number;

/** Unlabelled calls that the labelled ones stand for, each for as many as its label's ratio says. */
const estimateUnlabelled = ({ labelled }: RegionCounts, ratioOf: RatioOf): number =>
  sum([...labelled].map(([label, calls]) => calls * Math.exp(ratioOf(label))));

/** A region as one of its labels sees it. */
interface WeightedExcess {
  /** Labelled calls of the label, fewer where other labels explain the region's unlabelled calls. */
  readonly weight: number;
  /** Logarithm of how many times as many unlabelled calls there are as the labelled ones stand for. */
  readonly excess: number;
}

/** The excess in the region that completes the lowest share of the weight. */
const lowerQuantileExcess = (views: readonly WeightedExcess[]): number => {
  let left = RATIO_QUANTILE * sum(views.map(({ weight }) => weight));
  const sorted = views.toSorted((a, b) => a.excess - b.excess);
  const found = sorted.find(({ weight }) => {
    left -= weight;
    return left <= 0;
  });
  return found?.excess ?? 0;
};

const excessesByLabel = (
  tallies: readonly RegionCounts[],
  ratioOf: RatioOf,
): ReadonlyMap<number, readonly WeightedExcess[]> => {
  const byLabel = new Map<number, WeightedExcess[]>();
  for (const tally of tallies) {
    const expected = estimateUnlabelled(tally, ratioOf);
    const excess = Math.log((tally.unlabelled + 0.5) / expected);
    for (const [label, calls] of tally.labelled) {
      const view = { weight: (calls * calls * Math.exp(ratioOf(label))) / expected, excess };
      const views = byLabel.get(label);
      if (views === undefined) byLabel.set(label, [view]);
      else views.push(view);
    }
  }
  return byLabel;
};

/**
 * How many unlabelled calls each label's own service makes for one labelled, as a natural logarithm; only of labels with
 * enough labelled calls. Strangers only ever add unlabelled calls, and not everywhere. So each ratio moves until the
 * regions of its label that are lowest in unlabelled calls have just those that labelled ones stand for.
 */
const estimateLabellingRatios = (tallies: readonly RegionCounts[]): ReadonlyMap<number, number> => {
  const labelled = new Map<number, number>();
  for (const [label, calls] of tallies.flatMap((tally) => [...tally.labelled])) {
    labelled.set(label, (labelled.get(label) ?? 0) + calls);
  }
  const ratios = new Map<number, number>();
  const ratioOf = (label: number): number => ratios.get(label) ?? 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [label, views] of excessesByLabel(tallies, ratioOf))
      ratios.set(label, ratioOf(label) + lowerQuantileExcess(views));
  }
  return new Map([...ratios].filter(([label]) => (labelled.get(label) ?? 0) >= LABELLED_MINIMUM));
};

/** Standard errors by which the numbers may be off before a label is blamed. */
const TOLERANCE_STANDARD_ERRORS = 1.5;

/** Share of unlabelled calls predicted as a label that the labelled ones account for. */
const knownShareOf = (label: number, tally: RegionCounts, ratioOf: RatioOf): number => {
  const unlabelled = tally.unlabelled + 0.5;
  // Half a call of the label itself, in case that none was labelled by chance.
  const expected = estimateUnlabelled(tally, ratioOf) + 0.5 * Math.exp(ratioOf(label));
  const doubt =
    TOLERANCE_STANDARD_ERRORS * Math.sqrt(1 / (sum([...tally.labelled.values()]) + 0.5) + 1 / unlabelled);
  return Math.min(1, (expected / unlabelled) * Math.exp(doubt));
};

/**
 * By label, the share of unlabelled calls predicted as it that labelled ones account for, by region.
 *
 * A service that never labelled a call cannot be predicted, and its calls go to the label they resemble most. They show
 * there as unlabelled calls without their labelled part: in the regions where the stranger lives the ratio of unlabelled
 * to labelled calls is higher than elsewhere, or higher than that of the other labels where all are labelled alike.
 */
export const knownShares = (calls: readonly PredictedCall[]): ReadonlyMap<number, RegionTree> => {
  const all = [...Map.groupBy(calls, ({ label }) => label)].map(([label, own]) => countByRegion(label, own));
  const ratios = estimateLabellingRatios(all.flatMap(({ counts }) => counts));
  const norm = estimateNorm([...ratios.values()]);
  const own = (label: number): number => ratios.get(label) ?? DEFAULT_RATIO;
  const bound = (label: number): number => clampToNorm(norm, own(label));
  return new Map(
    all.map(({ label, regions, counts }) => [
      label,
      mapValues(regions, (region) => {
        const tally = counts[region];
        if (tally === undefined) return 1;
        const underNorm = knownShareOf(label, tally, bound);
        return norm.certainty * underNorm + (1 - norm.certainty) * knownShareOf(label, tally, own);
      }),
    ]),
  );
};

/** The share at a point; all of it where nothing is known against it. */
export const knownShareAt = (regions: RegionTree | undefined, point: Point): number =>
  regions === undefined ? 1 : valueAt(regions, point);
