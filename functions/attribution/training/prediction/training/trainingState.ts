import type { Calibration } from '../calibration/isotonic.ts';
import { type TemperatureSelector, temperatureSelector } from '../calibration/temperature.ts';
import { type Admission, type ChargeRule, NO_CHARGE } from '../chargeRule.ts';
import type { Point, RegionTree } from '../densityRatioTree.ts';
import type { CountsByKey } from '../heuristic.ts';
import { type Counts, emptyCounts } from '../likelihood/naiveBayesCounts.ts';
import type { Identities } from '../likelihood/novelty.ts';
import type { WeightedLikelihoods } from '../openSet/labelShift.ts';

/** A prediction that was made before the call was learned, as the service would have made it. Labels are numbers. */
export interface PastPrediction {
  /** When the call occurred, epoch milliseconds. */
  readonly at: number;
  readonly predicted: number;
  /** Posterior probability of the predicted label. */
  readonly score: number;
  /** Calibrated confidence at that time. Null before the first calibration. */
  readonly confidence: number | null;
  /** The confidence with which it could be charged. Null if it was advice. */
  readonly charged: number | null;
  readonly point: Point;
  /**
   * The prediction of a model that does not know the label of the call: how it would treat a service that never labels.
   * Null for an unlabelled call, without another label, and for a caller that would be novel.
   */
  readonly stranger: Pick<PastPrediction, 'predicted' | 'score' | 'point'> | null;
  /** The label that the call has. Null for an unlabelled call. */
  readonly truth: number | null;
}

/** A past prediction of the heuristic for a labelled call. */
export type PastHeuristicPrediction = Pick<PastPrediction, 'at' | 'score' | 'confidence'> & {
  readonly truth: number;
  readonly isRight: boolean;
};

/** A call of a trace that was learned. */
export interface LearnedTrace {
  /** When the call occurred, epoch milliseconds. */
  readonly at: number;
  /** Whether the call names its owner itself. */
  readonly isNamed: boolean;
  /** Confidence of the rule that names an owner by the trace. Null: none does. */
  readonly score: number | null;
  /** Whether that is the owner that the call itself names. */
  readonly isRight: boolean;
  /** Confidence of the rule that would name the call if its owner were named nowhere. Null: none would. */
  readonly stranger: number | null;
}

/** What turns the score of a call into its confidence. */
export interface ConfidenceModel {
  /** Null before enough outcomes. */
  readonly calibration: Calibration | null;
  /** By label number. */
  readonly knownShares: ReadonlyMap<number, RegionTree>;
  readonly chargeRule: ChargeRule;
  readonly heuristicCalibration: Calibration | null;
  /** By the confidence of the rule that reads a trace. Null before enough outcomes. */
  readonly traces: Admission | null;
}

/**
 * Everything that training keeps of the calls that it has learned. A training can stop after any period, be stored, and
 * continue later with the same result.
 */
export interface TrainingState {
  /** When the training started from nothing, and up to when it has learned calls (epoch milliseconds). */
  readonly startedAt: number;
  learnedTo: number;
  readonly counts: Counts;
  readonly identities: Identities;
  readonly countsByKey: CountsByKey;
  readonly temperatures: TemperatureSelector;
  /** Decayed number of labelled calls, by label number. */
  recent: Float64Array;
  /** Decayed likelihoods of unlabelled calls. */
  traffic: readonly WeightedLikelihoods[];
  /** Share of each label in current unlabelled traffic, by label number. */
  shares: Float64Array;
  /** Decayed numbers of labelled calls, and of unlabelled calls assigned to the label, by label number. */
  labelledCalls: Float64Array;
  assignedCalls: Float64Array;
  /** Newest predictions, without novel callers, and newest predictions of the heuristic. In time order. */
  predictions: PastPrediction[];
  heuristicPredictions: PastHeuristicPrediction[];
  /** Newest calls of traces, in time order. */
  tracedCalls: LearnedTrace[];
  confidence: ConfidenceModel;
  examples: number;
  labelled: number;
}

/** The state before the first call. */
export const emptyTrainingState = (startedAt: number): TrainingState => ({
  startedAt,
  learnedTo: Number.NEGATIVE_INFINITY,
  counts: emptyCounts(),
  identities: new Map(),
  countsByKey: new Map(),
  temperatures: temperatureSelector(),
  recent: new Float64Array(0),
  traffic: [],
  shares: new Float64Array(0),
  labelledCalls: new Float64Array(0),
  assignedCalls: new Float64Array(0),
  predictions: [],
  heuristicPredictions: [],
  tracedCalls: [],
  confidence: {
    calibration: null,
    knownShares: new Map(),
    chargeRule: NO_CHARGE,
    heuristicCalibration: null,
    traces: null,
  },
  examples: 0,
  labelled: 0,
});
