import { CHARGEBACK_FLOOR } from '../../../../schemas/values.ts';
import { effectiveSize } from './calibration/recency.ts';
import type { LabelPosterior } from './posterior.ts';

/** The best label of a call without its own label, and its share among the others. Null without another label. */
export const withoutLabel = (posteriors: readonly LabelPosterior[], own: number): LabelPosterior | null => {
  const others = posteriors.filter(({ label }) => label !== own);
  const [best] = others;
  if (best === undefined) return null;
  return { label: best.label, share: best.share / others.reduce((sum, { share }) => sum + share, 0) };
};

/** A weighted share of calls, and its variance by chance. */
interface Share {
  readonly value: number;
  readonly variance: number;
}

interface Weighted {
  readonly weight: number;
}

export const totalWeight = (calls: readonly Weighted[]): number =>
  calls.reduce((sum, { weight }) => sum + weight, 0);

/** The share of calls that the model is confident about. Without calls it can be any. */
const confidentShare = <Call extends Weighted>(
  calls: readonly Call[],
  isConfident: (call: Call) => boolean,
): Share => {
  if (calls.length === 0) return { value: 0, variance: Number.POSITIVE_INFINITY };
  const value = totalWeight(calls.filter(isConfident)) / (totalWeight(calls) || 1);
  return { value, variance: (value * (1 - value)) / (effectiveSize(calls) || 1) };
};

/** Share that is assumed while it is not known that all services label alike: one call in five (measured). */
const ASSUMED_SHARE = 0.2;
/** With a larger share nothing could be charged anyway. */
const SHARE_MAXIMUM = 0.99;
/**
 * Standard errors by which the shares must differ. With fewer, the largest of several differences is often chance, which costs
 * coverage where no service is a stranger (measured).
 */
const STANDARD_ERRORS = 2;

/** How often the model is confident about calls of services that label, about open calls, and about strangers. */
interface ConfidentShares {
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

const oddsOf = (share: number): number => share / (1 - share);

/**
 * How many open calls are of services that never label. A model is confident about fewer of them than about calls of known
 * services, so the open calls are a mixture: open = (1 − share) · members + share · strangers (mixture proportion
 * estimation). How a model treats calls of a service that it does not know follows from leaving out each service in turn.
 */
const strangerOdds = ({ members, open, strangers }: ConfidentShares, labelAlike: boolean): StrangerOdds => {
  const gap = members.value - open.value - STANDARD_ERRORS * Math.sqrt(members.variance + open.variance);
  const most = members.value - strangers.value;
  const estimate = Math.min(SHARE_MAXIMUM, gap <= 0 ? 0 : gap >= most ? 1 : gap / most);
  return {
    measured: oddsOf(estimate),
    assumed: oddsOf(Math.max(labelAlike ? 0 : ASSUMED_SHARE, estimate)),
  };
};

/** A call with the confidence of its prediction. Null: the caller would be novel, so the model is not confident. */
export interface ConfidentCall extends Weighted {
  readonly confidence: number | null;
}

/** Parts of the calls of services that label, each below another confidence. */
const CUT_QUANTILES = [0.1, 0.25, 0.5, 0.75] as const;
/** A confidence that strangers reach nearly as often tells nothing about their share. */
const DIFFERENCE_MINIMUM = 0.1;

/**
 * The odds of strangers at the confidence that shows most of them. A single one can show none: where it lies below nearly all
 * predictions, members, open calls and strangers are alike.
 */
export const mostStrangerOdds = (
  calls: Readonly<Record<keyof ConfidentShares, readonly ConfidentCall[]>>,
  labelAlike: boolean,
): StrangerOdds => {
  const oddsAt = (cut: number, differenceMinimum: number): StrangerOdds[] => {
    const sharesOf = (some: readonly ConfidentCall[]): Share =>
      confidentShare(some, ({ confidence }) => confidence !== null && confidence >= cut);
    const shares = {
      members: sharesOf(calls.members),
      open: sharesOf(calls.open),
      strangers: sharesOf(calls.strangers),
    };
    const isTelling = shares.members.value - shares.strangers.value >= differenceMinimum;
    return isTelling ? [strangerOdds(shares, labelAlike)] : [];
  };
  const confidences = Float64Array.from(calls.members, ({ confidence }) => confidence ?? 0).sort();
  const cuts = CUT_QUANTILES.map((part) => confidences[Math.floor(part * (confidences.length - 1))] ?? 1);
  return [
    ...oddsAt(CHARGEBACK_FLOOR, Number.NEGATIVE_INFINITY),
    ...cuts.flatMap((cut) => oddsAt(cut, DIFFERENCE_MINIMUM)),
  ].reduce((most, odds) => (odds.measured > most.measured ? odds : most));
};
