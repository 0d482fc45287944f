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
export const confidentShare = <Call extends Weighted>(
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
/** Standard errors by which the shares must differ. With fewer, chance costs coverage where no service is a stranger. */
const STANDARD_ERRORS = 1;

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
export const strangerOdds = (
  { members, open, strangers }: ConfidentShares,
  labelAlike: boolean,
): StrangerOdds => {
  const gap = members.value - open.value - STANDARD_ERRORS * Math.sqrt(members.variance + open.variance);
  const most = members.value - strangers.value;
  const estimate = Math.min(SHARE_MAXIMUM, gap <= 0 ? 0 : gap >= most ? 1 : gap / most);
  return {
    measured: oddsOf(estimate),
    assumed: oddsOf(Math.max(labelAlike ? 0 : ASSUMED_SHARE, estimate)),
  };
};
