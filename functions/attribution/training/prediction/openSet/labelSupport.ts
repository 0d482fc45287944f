import { HOUR_MS } from '../../../../../schemas/durations.ts';
import { mapValues, type RegionTree } from '../densityRatioTree.ts';
import { clampToNorm, type LabellingNorm } from './labellingNorm.ts';
import {
  estimateUnlabelled,
  type LabelRegions,
  labelledIn,
  type PredictedCall,
  type RatioOf,
  type RegionCounts,
} from './regionCounts.ts';

/** Labelled calls that a label needs before any call is charged to it. */
const LABELLED_MINIMUM = 5;
/**
 * Unlabelled calls per labelled call that a label may have: as a factor of the usual ratio if services label alike, and of
 * the ratio over all calls if they differ. A label with more probably attracts calls of services that label little or never.
 */
const EXCESS_MAXIMUM = { ofCommon: Math.log(1.35), ofAll: Math.log(12) } as const;

/** Standard errors by which a label may exceed the usual ratio while few labels are known. */
const UNKNOWN_STANDARD_ERRORS = 1;

/** The newest calls show a burst of an unknown service before it changes the long memory. */
const RECENT_MS = HOUR_MS;
const RECENT_CALLS_MINIMUM = 10;
const RECENT_EXCESS_MAXIMUM = 0.2;
const RECENT_STANDARD_ERRORS = 1.5;

/** Share of a region's unlabelled calls that labelled calls must explain, within this many standard errors. */
const EXPLAINED_MINIMUM = 0.9;
const EXPLAINED_STANDARD_ERRORS = 0.5;

/**
 * Labelled and unlabelled calls predicted as a label. Labelled ones of other labels count too: as often as these, unlabelled ones
 * of other services are predicted as it, and they are no sign of a service that never labels.
 */
interface Support {
  readonly labelled: number;
  readonly unlabelled: number;
}

const supportOf = (calls: readonly PredictedCall[]): Support => ({
  labelled: calls.filter(({ truth }) => truth !== null).length,
  unlabelled: calls.filter(({ truth }) => truth === null).length,
});

/** Standard error of the logarithm of a ratio of two counts. */
const standardError = (labelled: number, unlabelled: number): number =>
  Math.sqrt(1 / (labelled + 0.5) + 1 / (unlabelled + 0.5));

const logRatio = ({ labelled, unlabelled }: Support): number =>
  Math.log((unlabelled + 0.5) / (labelled + 0.5));

const hasRecentExcess = (recent: Support, ratio: number): boolean =>
  recent.unlabelled >= RECENT_CALLS_MINIMUM &&
  logRatio(recent) - RECENT_STANDARD_ERRORS * standardError(recent.labelled, recent.unlabelled) >
    ratio + RECENT_EXCESS_MAXIMUM;

const isExplained = (label: number, region: RegionCounts, ratioOf: RatioOf): boolean => {
  const expected = estimateUnlabelled(region, ratioOf) + 0.5 * Math.exp(ratioOf(label));
  const tolerance = EXPLAINED_STANDARD_ERRORS * standardError(labelledIn(region), region.unlabelled);
  return (expected / (region.unlabelled + 0.5)) * Math.exp(tolerance) >= EXPLAINED_MINIMUM;
};

/**
 * By label number: 1 in the regions where labelled calls support the label well enough for a charge, otherwise 0. Unlike
 * the share of known calls, which is an estimate, this gives unknown services the benefit of the doubt: a wrong charge is
 * worse than none.
 */
export const supportedRegions = (
  calls: readonly PredictedCall[],
  all: readonly LabelRegions[],
  norm: LabellingNorm,
  ownRatio: RatioOf,
): ReadonlyMap<number, RegionTree> => {
  const unlabelled = calls.filter(({ truth }) => truth === null).length;
  const ratioOfAll = Math.log((unlabelled + 0.5) / (calls.length - unlabelled + 0.5));
  const { agreement } = norm;
  const usual = agreement === 'likely' ? norm.commonRatio : ratioOfAll;
  // While it is unknown whether services label alike, they are assumed to, within the error of the counts.
  const most = usual + (agreement === 'unlikely' ? EXCESS_MAXIMUM.ofAll : EXCESS_MAXIMUM.ofCommon);
  const tolerated = agreement === 'unknown' ? UNKNOWN_STANDARD_ERRORS : 0;
  const ratioOf: RatioOf = (label) =>
    agreement === 'likely' ? clampToNorm(norm, ownRatio(label)) : ownRatio(label);
  const byLabel = Map.groupBy(calls, ({ label }) => label);
  const since = (calls.at(-1)?.at ?? 0) - RECENT_MS;
  return new Map(
    all.map(({ label, regions, counts }) => {
      const own = byLabel.get(label) ?? [];
      const support = supportOf(own);
      const recent = supportOf(own.filter(({ at }) => at >= since));
      // A ratio far below the usual one is an estimate from few calls.
      const expected = Math.max(ratioOf(label), usual - 1);
      const isSupported =
        own.filter(({ truth }) => truth === label).length >= LABELLED_MINIMUM &&
        logRatio(support) - tolerated * standardError(support.labelled, support.unlabelled) <= most &&
        !hasRecentExcess(recent, expected);
      const regionValue = (region: number): number => {
        const regionCounts = counts[region];
        return regionCounts !== undefined && isExplained(label, regionCounts, ratioOf) ? 1 : 0;
      };
      return [label, isSupported ? mapValues(regions, regionValue) : 0];
    }),
  );
};
