import type { Point } from '../densityRatioTree.ts';
import { typicalityAt } from '../point.ts';
import { type MixtureShares, type Share, shareOf, totalWeight, type Weighted } from './strangers.ts';

/** A call with the label that it is predicted as. */
export interface PlacedCall extends Weighted {
  readonly predicted: number;
  readonly point: Point;
}

/** How many calls of a label are at least as typical for it as a cut. */
interface Comparison {
  readonly cut: number;
  readonly members: Share;
  readonly open: Share;
}

/** The labelled and the open calls that are predicted as one label, compared at each of {@link CUT_QUANTILES}. */
export interface ComparedLabel {
  readonly openWeight: number;
  readonly comparisons: readonly Comparison[];
}

/** Parts of the labelled calls of a label, each below another cut. */
const CUT_QUANTILES = [0.05, 0.1, 0.25, 0.5, 0.75] as const;
/** Labelled calls that a label needs. With fewer their quantiles are noise. */
const MEMBERS_MINIMUM = 20;

const typicalityOf = ({ point }: PlacedCall): number => typicalityAt(point);

const compareLabel = (members: readonly PlacedCall[], open: readonly PlacedCall[]): ComparedLabel => {
  const sorted = members.toSorted((a, b) => typicalityOf(a) - typicalityOf(b));
  const total = totalWeight(sorted);
  const cutAt = (quantile: number): number => {
    let left = quantile * total;
    const at = sorted.find(({ weight }) => {
      left -= weight;
      return left <= 0;
    });
    return at === undefined ? Number.NEGATIVE_INFINITY : typicalityOf(at);
  };
  return {
    openWeight: totalWeight(open),
    comparisons: CUT_QUANTILES.map(cutAt).map((cut) => {
      const isAbove = (call: PlacedCall): boolean => typicalityOf(call) >= cut;
      return { cut, members: shareOf(members, isAbove), open: shareOf(open, isAbove) };
    }),
  };
};

/**
 * Compares how typical labelled and open calls are for the label that they are predicted as. A service that labels few of its
 * calls adds open calls, but as typical ones as those that it labels. Calls of a service that never labels are less typical,
 * whatever the rates are. `members` carry the weight of the open calls that they represent.
 */
export const compareTypicality = (
  members: readonly PlacedCall[],
  open: readonly PlacedCall[],
): ReadonlyMap<number, ComparedLabel> => {
  const openByLabel = Map.groupBy(open, ({ predicted }) => predicted);
  return new Map(
    [...Map.groupBy(members, ({ predicted }) => predicted)]
      .filter(([, own]) => own.length >= MEMBERS_MINIMUM)
      .map(([label, own]) => [label, compareLabel(own, openByLabel.get(label) ?? [])]),
  );
};

/** Part of the open calls of a label that may be too untypical for it. Chance and drift make less (measured). */
const UNTYPICAL_MAXIMUM = 0.1;
/** One of some 150 comparisons, of 30 labels at five cuts, exceeds this many standard errors in one training of five. */
const STANDARD_ERRORS = 3;

/**
 * Whether a service that never labels resembles a label: more of its open calls than chance explains are untypical. Then its
 * typical open calls can be of that service too.
 */
export const isResembled = ({ openWeight, comparisons }: ComparedLabel): boolean =>
  openWeight > 0 &&
  comparisons.some(
    ({ members, open }) =>
      members.value - open.value - STANDARD_ERRORS * Math.sqrt(members.variance + open.variance) >
      UNTYPICAL_MAXIMUM * members.value,
  );

/**
 * The shares of typical calls over all labels, for each cut. The labelled calls of a label count as much as its open ones, so
 * different label rates alone make no difference.
 */
export const sharesByTypicality = (
  compared: ReadonlyMap<number, ComparedLabel>,
  strangers: readonly PlacedCall[],
): MixtureShares[] => {
  const labels = [...compared.values()].filter(({ openWeight }) => openWeight > 0);
  const total = labels.reduce((sum, { openWeight }) => sum + openWeight, 0);
  if (total === 0) return [];
  const comparable = strangers.filter(({ predicted }) => compared.has(predicted));
  return CUT_QUANTILES.map((_, at) => {
    const pooled = (side: 'members' | 'open'): Share =>
      labels.reduce(
        (sum, { openWeight, comparisons }) => {
          const { value, variance } = comparisons[at]?.[side] ?? { value: 0, variance: 0 };
          const part = openWeight / total;
          return { value: sum.value + part * value, variance: sum.variance + part ** 2 * variance };
        },
        { value: 0, variance: 0 },
      );
    return {
      members: pooled('members'),
      open: pooled('open'),
      strangers: shareOf(
        comparable,
        (call) => typicalityOf(call) >= (compared.get(call.predicted)?.comparisons[at]?.cut ?? 0),
      ),
    };
  });
};
