import { CHARGEBACK_FLOOR } from '../../../../../schemas/values.ts';
import { effectiveSize } from '../calibration/recency.ts';
import type { LabelPosterior } from '../posterior.ts';

/** The best label of a call without its own label, and its share among the others. Null without another label. */
export const withoutLabel = (posteriors: readonly LabelPosterior[], own: number): LabelPosterior | null => {
  const others = posteriors.filter(({ label }) => label !== own);
  const [best] = others;
  if (best === undefined) return null;
  return { label: best.label, share: best.share / others.reduce((sum, { share }) => sum + share, 0) };
};

/** A weighted share of calls, and its variance by chance. */
export interface Share {
  readonly value: number;
  readonly variance: number;
}

export interface Weighted {
  readonly weight: number;
}

export const totalWeight = (calls: readonly Weighted[]): number =>
  calls.reduce((sum, { weight }) => sum + weight, 0);

/** The share of calls that pass a test. Without calls it can be any. */
export const shareOf = <Call extends Weighted>(
  calls: readonly Call[],
  passes: (call: Call) => boolean,
): Share => {
  if (calls.length === 0) return { value: 0, variance: Number.POSITIVE_INFINITY };
  const value = totalWeight(calls.filter(passes)) / (totalWeight(calls) || 1);
  return { value, variance: (value * (1 - value)) / (effectiveSize(calls) || 1) };
};

/** Share that is assumed while it is not known that all services label alike: one call in five (measured). */
const ASSUMED_SHARE = 0.2;
/** With a larger share nothing could be charged anyway. */
const SHARE_MAXIMUM = 0.99;

/** How many calls of services that label, of open calls and of strangers pass a test, such as enough confidence. */
export interface MixtureShares {
  readonly members: Share;
  readonly open: Share;
  readonly strangers: Share;
}

/** Calls of strangers for one call of a service that labels. */
export interface StrangerOdds {
  /** As far as the open calls show it. */
  readonly measured: number;
  /** At least a share that is assumed, as long as nothing shows that services label alike. */
  readonly assumed: number;
}

/** Calls of strangers for one call of a service that labels, from their share of all. */
export const oddsOf = (share: number): number => share / (1 - share);

/**
 * How many open calls are of services that never label. Fewer of their calls pass than of those of known services, so the
 * open calls are a mixture: open = (1 − share) · members + share · strangers (mixture proportion estimation). How a model
 * treats calls of a service that it does not know follows from leaving out each service in turn.
 */
export const strangerShare = (
  { members, open, strangers }: MixtureShares,
  standardErrors: number,
): number => {
  const gap = members.value - open.value - standardErrors * Math.sqrt(members.variance + open.variance);
  const most = members.value - strangers.value;
  return Math.min(SHARE_MAXIMUM, gap <= 0 ? 0 : gap >= most ? 1 : gap / most);
};

/** A test that strangers pass nearly as often tells nothing about their share. */
const DIFFERENCE_MINIMUM = 0.1;

const isTelling = ({ members, strangers }: MixtureShares): boolean =>
  members.value - strangers.value >= DIFFERENCE_MINIMUM;

/** A call with the confidence of its prediction. Null: the caller would be novel, so the model is not confident. */
export interface ConfidentCall extends Weighted {
  readonly confidence: number | null;
}

/** Parts of the calls of services that label, each below another confidence. */
const CUT_QUANTILES = [0.1, 0.25, 0.5, 0.75] as const;

/**
 * The shares of confident calls: above the chargeback floor, and above other confidences that tell more. A single one can show
 * none: where it lies below nearly all predictions, members, open calls and strangers are alike.
 */
export const sharesByConfidence = (
  calls: Readonly<Record<keyof MixtureShares, readonly ConfidentCall[]>>,
): MixtureShares[] => {
  const sharesAt = (cut: number): MixtureShares => {
    const isConfident = ({ confidence }: ConfidentCall): boolean => confidence !== null && confidence >= cut;
    return {
      members: shareOf(calls.members, isConfident),
      open: shareOf(calls.open, isConfident),
      strangers: shareOf(calls.strangers, isConfident),
    };
  };
  const confidences = Float64Array.from(calls.members, ({ confidence }) => confidence ?? 0).sort();
  const cuts = CUT_QUANTILES.map((part) => confidences[Math.floor(part * (confidences.length - 1))] ?? 1);
  return [sharesAt(CHARGEBACK_FLOOR), ...cuts.map(sharesAt).filter(isTelling)];
};

/**
 * Standard errors by which shares must differ. With fewer, the largest of several differences is often chance, which costs
 * coverage where no service is a stranger (measured). Each label has cuts of its own, so chance makes larger ones there.
 */
const STANDARD_ERRORS = { ofConfidence: 2, ofTypicality: 3 } as const;

/** The tests of calls: how confident the model is, and how typical calls are for the label that they are predicted as. */
interface StrangerTests {
  readonly byConfidence: readonly MixtureShares[];
  readonly byTypicality: readonly MixtureShares[];
}

/**
 * The odds of strangers by the test that shows most of them. Confidence depends on how much each service labels, and one silent
 * service that resembles a label can make open calls more confident than labelled ones. Typicality does not.
 */
export const mostStrangerOdds = (
  { byConfidence, byTypicality }: StrangerTests,
  labelAlike: boolean,
): StrangerOdds => {
  const share = Math.max(
    ...byConfidence.map((shares) => strangerShare(shares, STANDARD_ERRORS.ofConfidence)),
    ...byTypicality.filter(isTelling).map((shares) => strangerShare(shares, STANDARD_ERRORS.ofTypicality)),
  );
  return { measured: oddsOf(share), assumed: oddsOf(Math.max(labelAlike ? 0 : ASSUMED_SHARE, share)) };
};
