import { buildRegionTree, type Point, type RegionTree, valueAt } from '../densityRatioTree.ts';

/** The prediction of a call before it was added to the counts. Labels are numbers. */
export interface PredictedCall {
  /** When the call occurred, epoch milliseconds. */
  readonly at: number;
  readonly label: number;
  /** The true label. Null for an unlabelled call. */
  readonly truth: number | null;
  readonly point: Point;
}

/** The calls predicted as one label, by region. */
export interface LabelRegions {
  readonly label: number;
  /** Tree of indexes into `counts`. */
  readonly regions: RegionTree;
  readonly counts: readonly RegionCounts[];
}

export interface RegionCounts {
  /** Labelled calls by true label. */
  readonly labelled: Map<number, number>;
  readonly unlabelled: number;
}

/** Divides the calls predicted as a label into regions where the share of labelled calls is even. */
export const countByRegion = (label: number, calls: readonly PredictedCall[]): LabelRegions => {
  const countsByRegion: RegionCounts[] = [];
  const regions = buildRegionTree(
    {
      first: calls.filter(({ truth }) => truth === label).map(({ point }) => point),
      second: calls.filter(({ truth }) => truth === null).map(({ point }) => point),
    },
    ({ second }) => countsByRegion.push({ labelled: new Map(), unlabelled: second.length }) - 1,
  );
  for (const { truth, point } of calls) {
    const labelled = countsByRegion[valueAt(regions, point)]?.labelled;
    if (truth !== null) labelled?.set(truth, (labelled.get(truth) ?? 0) + 1);
  }
  return { label, regions, counts: countsByRegion };
};

/** The number of labelled calls of a region. */
export const labelledIn = ({ labelled }: RegionCounts): number =>
  [...labelled.values()].reduce((total, calls) => total + calls, 0);

/** By label, the natural logarithm of the number of unlabelled calls per labelled call. */
export type RatioOf = (label: number) => number;

/** The number of unlabelled calls that the labelled calls of a region explain, by the ratios of their labels. */
export const estimateUnlabelled = ({ labelled }: RegionCounts, ratioOf: RatioOf): number =>
  [...labelled].reduce((total, [label, calls]) => total + calls * Math.exp(ratioOf(label)), 0);
