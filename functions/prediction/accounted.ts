import { boundBy, CARELESS, normOf } from './labellingNorm.ts';
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
  /** Labelled calls that truly are the label's, and the labels of those that are not. */
  right: number;
  readonly wrong: number[];
  unlabelled: number;
}

const measured = (label: number, calls: readonly Predicted[]): Measured => {
  const tallies: Tally[] = [];
  const regions = partition(
    {
      first: calls.filter(({ truth }) => truth === label).map(({ point }) => point),
      second: calls.filter(({ truth }) => truth === null).map(({ point }) => point),
    },
    ({ first, second }) => tallies.push({ right: first.length, wrong: [], unlabelled: second.length }) - 1,
  );
  for (const { truth, point } of calls) {
    if (truth === null || truth === label) continue;
    tallies[valueAt(regions, point)]?.wrong.push(truth);
  }
  return { label, regions, tallies };
};

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Labelled calls that a ratio needs before it describes its label. */
const LABELLED_MINIMUM = 20;
/** Of a label's labelled calls, this share lies in regions at or below its ratio (measured). */
const RATIO_QUANTILE = 0.3;

/** Of unlabelled calls, at least this share is left to the label itself, whatever the others claim (judgement). */
const LEFT_MINIMUM = 0.1;

/**
 * How many unlabelled calls a label's own service makes for each labelled one. Strangers only ever add unlabelled calls,
 * and not everywhere; so a low quantile over regions leaves them out. `others`: ratios of the labels mistaken for this one.
 * Natural logarithm; undefined where too little is known.
 */
const ratioOf = ({ tallies }: Measured, others: (label: number) => number): number | undefined => {
  const total = sum(tallies.map(({ right }) => right));
  if (total < LABELLED_MINIMUM) return undefined;
  const regions = tallies
    .map(({ right, wrong, unlabelled }) => {
      const calls = unlabelled + 0.5;
      const own = calls - sum(wrong.map((label) => Math.exp(others(label))));
      return { right, ratio: Math.log(Math.max(LEFT_MINIMUM * calls, own) / right) };
    })
    .sort((a, b) => a.ratio - b.ratio);
  let covered = 0;
  return regions.find(({ right }) => {
    covered += right;
    return covered >= RATIO_QUANTILE * total;
  })?.ratio;
};

/** Standard errors by which the numbers may be off before a label is blamed. */
const DOUBT = 1.5;

/** Share of unlabelled calls that the labelled ones account for, each standing for as many as its own label's ratio says. */
const shareOf = (
  { right, wrong, unlabelled }: Tally,
  ratio: number,
  others: (label: number) => number,
): number => {
  const expected = (right + 0.5) * Math.exp(ratio) + sum(wrong.map((label) => Math.exp(others(label))));
  const labelled = right + wrong.length + 0.5;
  const doubt = DOUBT * Math.sqrt(1 / labelled + 1 / (unlabelled + 0.5));
  return Math.min(1, (expected / (unlabelled + 0.5)) * Math.exp(doubt));
};

/**
 * By label, the share of unlabelled calls predicted as it that labelled ones account for, by region.
 *
 * A service that never labelled a call cannot be predicted, and its calls go to the label they resemble most. They show
 * there as unlabelled calls without their labelled part: in the regions where the stranger lives the ratio of unlabelled
 * to labelled calls is higher than elsewhere, or higher than that of the other labels where all are labelled alike.
 */
export const accountedShares = (calls: readonly Predicted[]): ReadonlyMap<number, Partition> => {
  const all = [...Map.groupBy(calls, ({ label }) => label)].map(([label, own]) => measured(label, own));
  const ratiosBy = (others: (label: number) => number) =>
    new Map(all.map((one) => [one.label, ratioOf(one, others)]));
  const alone = ratiosBy(() => -Infinity);
  const ratios = ratiosBy((label) => alone.get(label) ?? -Infinity);
  const norm = normOf([...ratios.values()].filter((ratio) => ratio !== undefined));
  const own = (label: number): number => ratios.get(label) ?? CARELESS;
  const bound = (label: number): number => boundBy(norm, own(label));
  return new Map(
    all.map(({ label, regions, tallies }) => [
      label,
      withValues(regions, (region) => {
        const tally = tallies[region];
        if (tally === undefined) return 1;
        const underNorm = shareOf(tally, bound(label), bound);
        return norm.certainty * underNorm + (1 - norm.certainty) * shareOf(tally, own(label), own);
      }),
    ]),
  );
};

/** The share at a point; all of it where nothing is known against it. */
export const accountedAt = (regions: Partition | undefined, point: Point): number =>
  regions === undefined ? 1 : valueAt(regions, point);
