import { DAY_MS } from '../../../../../schemas/durations.ts';
import { calibrateScore } from '../calibration/isotonic.ts';
import { chargedConfidence } from '../chargeRule.ts';
import { countCall, findKeyShares } from '../heuristic.ts';
import { type Features, featuresOf } from '../likelihood/features.ts';
import { likelihoodScorer } from '../likelihood/likelihood.ts';
import { learn, toDense } from '../likelihood/naiveBayesCounts.ts';
import {
  isNovelCaller,
  isNovelWithout,
  knownHashesByField,
  recordIdentities,
} from '../likelihood/novelty.ts';
import type { Example, Observation, TracedExample } from '../observation.ts';
import {
  addAssignedCalls,
  applyShift,
  estimateLabelledShares,
  estimateLabelShares,
  shiftRatiosOf,
  type WeightedLikelihoods,
} from '../openSet/labelShift.ts';
import { knownShareAt } from '../openSet/openSetCorrection.ts';
import { withoutLabel } from '../openSet/strangers.ts';
import { pointOf } from '../point.ts';
import { posteriorsOf, selectLikelyLabels } from '../posterior.ts';
import type {
  LearnedTrace,
  PastHeuristicPrediction,
  PastPrediction,
  TrainingState,
} from './trainingState.ts';

interface PreparedExample {
  readonly observation: Observation;
  readonly features: Features;
  readonly label: string | null;
}

/** Weight of the previous period, because callers change within hours (measured). */
const DECAY = 0.5;
/** Weights decay only above this number of calls. The shares of a small tenant would be noise otherwise. */
const UNDECAYED_CALLS = 500;
/** Calls with a lower weight are dropped. */
const WEIGHT_MINIMUM = 0.1;

/** Number of the newest predictions that are kept: enough for the tails of the calibration (measured). */
const PREDICTIONS_MAXIMUM = 30_000;

/** The factor on weights after a period, from their total. */
const decayOf = (total: number): number =>
  total <= UNDECAYED_CALLS ? 1 : Math.max(DECAY, UNDECAYED_CALLS / total);

/** A prediction with the label of its call. A label gets its number when its first call is learned. */
type Labelled<Prediction> = Omit<Prediction, 'truth'> & { readonly label: string | null };

/** Predicts the calls as the service would have, with what is known before them. Also returns the unlabelled evidence. */
const predictPeriod = (
  state: TrainingState,
  calls: readonly PreparedExample[],
): { readonly predictions: Labelled<PastPrediction>[]; readonly unlabelled: WeightedLikelihoods[] } => {
  const { counts, shares, temperatures, confidence } = state;
  const temperature = temperatures.best();
  const likelihoodsOf = likelihoodScorer(counts);
  const knownHashes = knownHashesByField(state.identities);
  const predictions: Labelled<PastPrediction>[] = [];
  const unlabelled: WeightedLikelihoods[] = [];
  for (const { observation, features, label } of calls) {
    const logarithms = likelihoodsOf(features);
    if (label !== null) temperatures.observe(logarithms, shares, counts.labelNumbers.get(label));
    const evidence = selectLikelyLabels(logarithms, shares, temperature);
    if (label === null) unlabelled.push({ evidence, weight: 1 });
    const posteriors = posteriorsOf(evidence, shares);
    const [best] = posteriors;
    if (best === undefined || isNovelCaller(knownHashes, features)) continue;
    const own = label === null ? undefined : counts.labelNumbers.get(label);
    const other =
      own === undefined || isNovelWithout(own, knownHashes, features) ? null : withoutLabel(posteriors, own);
    const point = pointOf(logarithms[best.label] ?? 0, observation);
    const expected =
      confidence.calibration === null
        ? null
        : calibrateScore(confidence.calibration, best.share) *
          knownShareAt(confidence.knownShares.get(best.label), point);
    predictions.push({
      at: observation.occurredAt,
      predicted: best.label,
      score: best.share,
      confidence: expected,
      charged: chargedConfidence(
        confidence.chargeRule.first,
        confidence.chargeRule.supported.get(best.label),
        point,
        expected ?? 0,
      ),
      point,
      stranger:
        other === null
          ? null
          : {
              predicted: other.label,
              score: other.share,
              point: pointOf(logarithms[other.label] ?? 0, observation),
            },
      label,
    });
  }
  return { predictions, unlabelled };
};

const predictByHeuristic = (
  { countsByKey, confidence: { heuristicCalibration } }: TrainingState,
  calls: readonly PreparedExample[],
): Labelled<PastHeuristicPrediction>[] =>
  calls.flatMap(({ observation, label }) => {
    if (label === null) return [];
    const best = findKeyShares(countsByKey, observation)?.labels[0];
    const score = best?.share ?? 0;
    return [
      {
        at: observation.occurredAt,
        score,
        confidence: heuristicCalibration === null ? null : calibrateScore(heuristicCalibration, score),
        isRight: best?.label === label,
        label,
      },
    ];
  });

const resized = (values: Float64Array, length: number): Float64Array =>
  Float64Array.from({ length }, (_, at) => values[at] ?? 0);

/** Half-life of the memory of how much each service labels. */
const LABELLING_HALF_LIFE_MS = DAY_MS;

/** Adds the calls of a period to the decayed numbers of labelled and assigned calls. */
const updateRatios = (
  state: TrainingState,
  calls: readonly PreparedExample[],
  unlabelled: readonly WeightedLikelihoods[],
): void => {
  const { labels, labelNumbers } = state.counts;
  const [first, last] = [calls[0]?.observation.occurredAt ?? 0, calls.at(-1)?.observation.occurredAt ?? 0];
  const decay = 0.5 ** ((last - first) / LABELLING_HALF_LIFE_MS);
  const decayed = (numbers: Float64Array): Float64Array =>
    Float64Array.from(labels, (_, label) => (numbers[label] ?? 0) * decay);
  state.labelledCalls = decayed(state.labelledCalls);
  for (const { label } of calls) {
    const number = label === null ? undefined : labelNumbers.get(label);
    if (number !== undefined) state.labelledCalls[number] = (state.labelledCalls[number] ?? 0) + 1;
  }
  state.assignedCalls = decayed(state.assignedCalls);
  addAssignedCalls(state.assignedCalls, unlabelled, state.shares);
};

/** Number of unlabelled calls that a labelled call of each label represents, relative to the average, by label number. */
export const ratiosOf = ({ assignedCalls, labelledCalls }: TrainingState): Float64Array =>
  shiftRatiosOf(assignedCalls, labelledCalls);

const updateShares = (
  state: TrainingState,
  calls: readonly PreparedExample[],
  unlabelled: readonly WeightedLikelihoods[],
): void => {
  const { counts } = state;
  const labelDecay = decayOf(state.recent.reduce((sum, weight) => sum + weight, 0));
  const recent = Float64Array.from(counts.labels, (_, label) => (state.recent[label] ?? 0) * labelDecay);
  for (const { label } of calls) {
    const number = label === null ? undefined : counts.labelNumbers.get(label);
    if (number !== undefined) recent[number] = (recent[number] ?? 0) + 1;
  }
  const labelled = estimateLabelledShares(recent, toDense(counts.all, counts.labels.length));
  const decay = decayOf(state.traffic.reduce((sum, { weight }) => sum + weight, 0));
  state.recent = recent;
  state.traffic = [
    ...state.traffic
      .map(({ evidence, weight }) => ({ evidence, weight: weight * decay }))
      .filter(({ weight }) => weight > WEIGHT_MINIMUM),
    ...unlabelled,
  ];
  state.labelledCalls = resized(state.labelledCalls, counts.labels.length);
  state.assignedCalls = resized(state.assignedCalls, counts.labels.length);
  state.shares = estimateLabelShares(state.traffic, applyShift(labelled, ratiosOf(state)));
  updateRatios(state, calls, unlabelled);
};

const learnedTraceOf = ({ isNamed, name, stranger }: TracedExample, at: number): LearnedTrace => ({
  at,
  isNamed,
  score: name?.confidence ?? null,
  isRight: name?.isRight ?? false,
  stranger,
});

/**
 * Prequential evaluation: predicts the calls of a period from the data before it, then adds them to the state. Only these
 * scores match those of future calls. Scores of calls that are already in the counts are far too high.
 */
export const learnPeriod = (state: TrainingState, examples: readonly Example[]): void => {
  const calls = examples.map(({ observation, label }) => ({
    observation,
    features: featuresOf(observation),
    label,
  }));
  const hasLabels = state.counts.labels.length > 0;
  const { predictions, unlabelled } = hasLabels
    ? predictPeriod(state, calls)
    : { predictions: [], unlabelled: [] };
  const byHeuristic = hasLabels ? predictByHeuristic(state, calls) : [];
  for (const { observation, features, label } of calls) {
    state.examples += 1;
    if (label === null) continue;
    state.labelled += 1;
    learn(state.counts, features, label);
    recordIdentities(state.identities, features, state.counts.labelNumbers.get(label) ?? 0);
    countCall(state.countsByKey, observation, label);
  }
  const traced = examples.flatMap(({ traced, observation }) =>
    traced === undefined ? [] : [learnedTraceOf(traced, observation.occurredAt)],
  );
  updateShares(state, calls, unlabelled);
  const { labelNumbers } = state.counts;
  const numbered = predictions.map(({ label, ...prediction }) => ({
    ...prediction,
    truth: label === null ? null : (labelNumbers.get(label) ?? null),
  }));
  const numberedByHeuristic = byHeuristic.map(({ label, ...prediction }) => ({
    ...prediction,
    truth: labelNumbers.get(label ?? '') ?? 0,
  }));
  state.predictions = [...state.predictions, ...numbered].slice(-PREDICTIONS_MAXIMUM);
  state.heuristicPredictions = [...state.heuristicPredictions, ...numberedByHeuristic].slice(
    -PREDICTIONS_MAXIMUM,
  );
  state.tracedCalls = [...state.tracedCalls, ...traced].slice(-PREDICTIONS_MAXIMUM);
};
