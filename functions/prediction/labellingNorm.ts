/**
 * Whether the services of a tenant label alike. Where most do, one with far more unlabelled calls than the others is less
 * likely careless than joined by strangers; where each has a rate of its own, nothing follows from being unlike the others.
 * Ratios here are natural logarithms of unlabelled calls for each labelled one.
 */
export interface LabellingNorm {
  /** Ratio of most labels. */
  readonly commonRatio: number;
  /** How certain it is that they all share it, 0..1. */
  readonly certainty: number;
}

/** Ratios this close are the same one. */
const SAME = Math.log(1.5);
/** Ratios this far from the usual one are another. */
const OUTLIER_DISTANCE = 0.8;
/**
 * Share of labels apart from the usual ratio up to which the norm is certain, and from which there is none. Where 30 % of
 * services never labelled, strangers moved the ratios of at most 24 % of the labels so far; where services labelled at
 * three rates of their own, at least 31 % were apart (measured).
 */
const OUTLIER_SHARE = { certain: 0.22, none: 0.3 } as const;
/** Fewer labels agree too easily: five that label at one of three rates do so one time in 81. */
const LABELS_MINIMUM = 5;

/** The norm among the ratios of well-known labels. */
export const estimateNorm = (ratios: readonly number[]): LabellingNorm => {
  const sorted = ratios.toSorted((a, b) => a - b);
  if (sorted.length < LABELS_MINIMUM) return { commonRatio: 0, certainty: 0 };
  const groups = sorted.map((from) => sorted.filter((ratio) => ratio >= from && ratio <= from + SAME));
  const largest = groups.reduce((best, group) => (group.length > best.length ? group : best), []);
  const usual = largest[largest.length >> 1] ?? 0;
  const outlierShare =
    sorted.filter((ratio) => Math.abs(ratio - usual) > OUTLIER_DISTANCE).length / sorted.length;
  const certainty = (OUTLIER_SHARE.none - outlierShare) / (OUTLIER_SHARE.none - OUTLIER_SHARE.certain);
  return { commonRatio: usual, certainty: Math.min(1, Math.max(0, certainty)) };
};

/** Ratio of a label too little known to have one: it may be as careless as to label one call in fifty (judgement). */
export const DEFAULT_RATIO = Math.log(50);

/** Ratios up to this far above the usual one obey the norm. */
const TOLERANCE = 0.2;

/** The ratio of a label if the norm holds. */
export const clampToNorm = ({ commonRatio }: LabellingNorm, own: number): number =>
  own <= commonRatio + TOLERANCE ? own : commonRatio;
