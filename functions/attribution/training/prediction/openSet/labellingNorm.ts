/**
 * Whether the services of a tenant have similar labelling rates. If most do, a label with far more unlabelled calls than
 * the others probably attracts calls of services that never label. If rates differ, an unusual rate proves nothing.
 * Ratios here are natural logarithms of the number of unlabelled calls per labelled call.
 */
export interface LabellingNorm {
  /** The ratio that most labels share. */
  readonly commonRatio: number;
  /** Certainty that all labels share it, 0..1. */
  readonly certainty: number;
  /**
   * Whether labels share it: `likely` is enough not to charge what exceeds it. `unknown` while few labels have enough data.
   */
  readonly agreement: 'likely' | 'unlikely' | 'unknown';
}

/** Ratios within this distance count as equal. */
const EQUAL_DISTANCE = Math.log(1.5);
/** Ratios farther than this from the common ratio are outliers. */
const OUTLIER_DISTANCE = 0.8;
/**
 * Share of outliers up to which the norm is certain, and from which there is none (measured). When 30 % of the services
 * never labelled, at most 24 % of the labels were outliers. When services labelled at three different rates, at least 31 %
 * were outliers.
 */
const OUTLIER_SHARE = { certain: 0.22, none: 0.3 } as const;
/**
 * Share of outliers below which the norm is likely (measured on synthetic and public traffic). When 30 % of the services
 * never labelled, nine in ten trainings had at most 38 % outliers. When services labelled at three rates, at least 40 %.
 */
const LIKELY_OUTLIER_SHARE = 0.4;
/** Fewer labels agree by chance too often. Five labels with one of three rates each agree with probability 1/81. */
const LABELS_MINIMUM = 5;
/** Fewer labels that differ do not prove that services label at different rates (measured on dominated traffic). */
const LABELS_KNOWN = 8;

/** Estimates the norm from the ratios of labels with enough data. */
export const estimateNorm = (ratios: readonly number[]): LabellingNorm => {
  const sorted = ratios.toSorted((a, b) => a - b);
  if (sorted.length < LABELS_MINIMUM) return { commonRatio: 0, certainty: 0, agreement: 'unknown' };
  const groups = sorted.map((from) =>
    sorted.filter((ratio) => ratio >= from && ratio <= from + EQUAL_DISTANCE),
  );
  const largest = groups.reduce((best, group) => (group.length > best.length ? group : best), []);
  const commonRatio = largest[largest.length >> 1] ?? 0;
  const outlierShare =
    sorted.filter((ratio) => Math.abs(ratio - commonRatio) > OUTLIER_DISTANCE).length / sorted.length;
  const certainty = (OUTLIER_SHARE.none - outlierShare) / (OUTLIER_SHARE.none - OUTLIER_SHARE.certain);
  return {
    commonRatio,
    certainty: Math.min(1, Math.max(0, certainty)),
    agreement:
      outlierShare < LIKELY_OUTLIER_SHARE ? 'likely' : sorted.length < LABELS_KNOWN ? 'unknown' : 'unlikely',
  };
};

/** Ratio of a label with too little data: one labelled call in fifty (chosen by judgement). */
export const DEFAULT_RATIO = Math.log(50);

/** Ratios up to this far above the common ratio conform to the norm. */
const TOLERANCE = 0.2;

/** The ratio of a label under the assumption that the norm holds. */
export const clampToNorm = ({ commonRatio }: Pick<LabellingNorm, 'commonRatio'>, own: number): number =>
  own <= commonRatio + TOLERANCE ? own : commonRatio;
