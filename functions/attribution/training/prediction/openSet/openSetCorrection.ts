import { mapValues, type Point, type RegionTree, valueAt } from '../densityRatioTree.ts';
import { clampToNorm, DEFAULT_RATIO, estimateNorm } from './labellingNorm.ts';
import { supportedRegions } from './labelSupport.ts';
import {
  countByRegion,
  estimateUnlabelled,
  labelledIn,
  type PredictedCall,
  type RatioOf,
  type RegionCounts,
} from './regionCounts.ts';

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Labelled calls needed to estimate the ratio of a label. */
const LABELLED_MINIMUM = 20;
/** Share of a label's labelled calls that lies in regions at or below its ratio (measured). */
const RATIO_QUANTILE = 0.2;
/** The ratios converge within this number of rounds. */
const ROUNDS = 10;

/** The excess of a region, weighted for one of its labels. */
interface WeightedExcess {
  /** Labelled calls of the label, reduced by the part of the region's unlabelled calls that other labels explain. */
  readonly weight: number;
  /** Natural logarithm of the unlabelled calls divided by the number that labelled calls explain. */
  readonly excess: number;
}

/** The weighted {@link RATIO_QUANTILE} quantile of the excesses. */
const lowerQuantileExcess = (views: readonly WeightedExcess[]): number => {
  let remaining = RATIO_QUANTILE * sum(views.map(({ weight }) => weight));
  const sorted = views.toSorted((a, b) => a.excess - b.excess);
  const quantile = sorted.find(({ weight }) => {
    remaining -= weight;
    return remaining <= 0;
  });
  return quantile?.excess ?? 0;
};

const excessesByLabel = (
  countsByRegion: readonly RegionCounts[],
  ratioOf: RatioOf,
): ReadonlyMap<number, readonly WeightedExcess[]> => {
  const byLabel = new Map<number, WeightedExcess[]>();
  for (const regionCounts of countsByRegion) {
    const expected = estimateUnlabelled(regionCounts, ratioOf);
    const excess = Math.log((regionCounts.unlabelled + 0.5) / expected);
    for (const [label, calls] of regionCounts.labelled) {
      const view = { weight: (calls * calls * Math.exp(ratioOf(label))) / expected, excess };
      const views = byLabel.get(label);
      if (views === undefined) byLabel.set(label, [view]);
      else views.push(view);
    }
  }
  return byLabel;
};

/**
 * The number of unlabelled calls that the service of a label makes per labelled call, as a natural logarithm, for labels
 * with enough labelled calls. Services that never label only add unlabelled calls, and only in some regions. Each ratio is
 * therefore fitted to the regions of its label with the fewest unlabelled calls.
 */
const estimateLabellingRatios = (countsByRegion: readonly RegionCounts[]): ReadonlyMap<number, number> => {
  const labelled = new Map<number, number>();
  for (const [label, calls] of countsByRegion.flatMap((regionCounts) => [...regionCounts.labelled])) {
    labelled.set(label, (labelled.get(label) ?? 0) + calls);
  }
  const ratios = new Map<number, number>();
  const ratioOf = (label: number): number => ratios.get(label) ?? 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [label, views] of excessesByLabel(countsByRegion, ratioOf))
      ratios.set(label, ratioOf(label) + lowerQuantileExcess(views));
  }
  return new Map([...ratios].filter(([label]) => (labelled.get(label) ?? 0) >= LABELLED_MINIMUM));
};

/** Tolerated deviation of the counts, in standard errors. */
const TOLERANCE_STANDARD_ERRORS = 1.5;

/** The share of a region's unlabelled calls, predicted as a label, that labelled calls explain. */
const knownShareOf = (label: number, regionCounts: RegionCounts, ratioOf: RatioOf): number => {
  const unlabelled = regionCounts.unlabelled + 0.5;
  // Half a call of the label itself, because the region may have no labelled call by chance.
  const expected = estimateUnlabelled(regionCounts, ratioOf) + 0.5 * Math.exp(ratioOf(label));
  const tolerance =
    TOLERANCE_STANDARD_ERRORS * Math.sqrt(1 / (labelledIn(regionCounts) + 0.5) + 1 / unlabelled);
  return Math.min(1, (expected / unlabelled) * Math.exp(tolerance));
};

/** What shows calls of services that never label, by label number and region. */
export interface OpenSet {
  /** The share of unlabelled calls predicted as the label that labelled calls explain. */
  readonly knownShares: ReadonlyMap<number, RegionTree>;
  /** 1 where labelled calls support the label well enough for a charge, otherwise 0. */
  readonly supported: ReadonlyMap<number, RegionTree>;
  /** Whether services probably label the same share of their calls. */
  readonly labelAlike: boolean;
}

/**
 * Fits the open-set correction to calls in time order.
 *
 * A service that never labels cannot be predicted, so its calls are predicted as the most similar label. They show as an
 * excess of unlabelled calls: in the regions of that service, the ratio of unlabelled to labelled calls is higher than in
 * the other regions of the label, or higher than that of other labels if all services label alike.
 */
export const fitOpenSet = (calls: readonly PredictedCall[]): OpenSet => {
  const all = [...Map.groupBy(calls, ({ label }) => label)].map(([label, own]) => countByRegion(label, own));
  const ratios = estimateLabellingRatios(all.flatMap(({ counts }) => counts));
  const norm = estimateNorm([...ratios.values()]);
  const own = (label: number): number => ratios.get(label) ?? DEFAULT_RATIO;
  const bound = (label: number): number => clampToNorm(norm, own(label));
  const shares = new Map(
    all.map(({ label, regions, counts }) => [
      label,
      mapValues(regions, (region) => {
        const regionCounts = counts[region];
        if (regionCounts === undefined) return 1;
        const underNorm = knownShareOf(label, regionCounts, bound);
        return norm.certainty * underNorm + (1 - norm.certainty) * knownShareOf(label, regionCounts, own);
      }),
    ]),
  );
  return {
    knownShares: shares,
    supported: supportedRegions(calls, all, norm, own),
    labelAlike: norm.agreement === 'likely',
  };
};

/** The known share at a point. 1 without a tree. */
export const knownShareAt = (regions: RegionTree | undefined, point: Point): number =>
  regions === undefined ? 1 : valueAt(regions, point);
