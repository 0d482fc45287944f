import { temperatureSelector } from './calibration/temperature.ts';
import type { Point } from './densityRatioTree.ts';
import { type Features, featuresOf } from './features.ts';
import {
  applyShift,
  estimateLabelledShares,
  estimateLabelShares,
  shiftRatiosOf,
  type WeightedLikelihoods,
} from './labelShift.ts';
import { likelihoodScorer } from './likelihood.ts';
import { type Counts, emptyCounts, learn, toDense } from './naiveBayesCounts.ts';
import { type Identities, isNovelCaller, knownHashesByField, recordIdentities } from './novelty.ts';
import type { Example, Observation } from './observation.ts';
import { posteriorsOf, selectLikelyLabels } from './posterior.ts';

/** The prediction of a call from the data before its period. */
export interface PrequentialPrediction {
  readonly period: number;
  /** Number of the predicted label. `score` is its probability, `point` the position of the call ({@link pointOf}). */
  readonly predicted: number;
  readonly score: number;
  readonly point: Point;
  /** The label that the call has, if any. */
  readonly label: string | null;
}

/** The trained counts and parameters, with the predictions made before each period was added. */
export interface PrequentialResult {
  readonly counts: Counts;
  readonly temperature: number;
  /** Share of each label in unlabelled traffic, by label number. */
  readonly shares: Float64Array;
  /** Share of a label in unlabelled traffic relative to its share in labelled traffic, by label number. */
  readonly ratios: Float64Array;
  /** Without the calls of novel callers. */
  readonly predictions: readonly PrequentialPrediction[];
  readonly identities: Identities;
}

/** An example with its features. */
export interface PreparedExample {
  readonly observation: Observation;
  readonly features: Features;
  readonly label: string | null;
}

const octaves = (tokens: number | undefined): number => Math.log2((tokens ?? 0) + 1);

/**
 * The position of a call among the calls of a label: its typicality (natural logarithm of the likelihood ratio of its
 * features) and the octaves of its input and output size.
 */
export const pointOf = (typicality: number, observation: Observation): Point => [
  typicality,
  octaves(observation.input_tokens),
  octaves(observation.output_tokens),
];

/** Computes the features of the examples and groups them into periods of equal length. Leaves out empty periods. */
export const splitIntoPeriods = (examples: readonly Example[], length: number): PreparedExample[][] => {
  const periods = new Map<number, PreparedExample[]>();
  const first = examples[0]?.observation.occurredAt ?? 0;
  for (const { observation, label } of examples) {
    const at = Math.floor((observation.occurredAt - first) / length);
    const prepared = { observation, features: featuresOf(observation), label };
    const period = periods.get(at);
    if (period === undefined) periods.set(at, [prepared]);
    else period.push(prepared);
  }
  return [...periods.values()];
};

/** Weight of the previous period, because callers change within hours (measured). */
const DECAY = 0.5;
/** Weights decay only above this number of calls. The shares of a small tenant would be noise otherwise. */
const UNDECAYED_CALLS = 500;
/** Calls with a lower weight are dropped. */
const WEIGHT_MINIMUM = 0.1;

/** The factor on weights after a period, from their total. */
const decayOf = (total: number): number =>
  total <= UNDECAYED_CALLS ? 1 : Math.max(DECAY, UNDECAYED_CALLS / total);

/**
 * Prequential evaluation: predicts each period from the data before it, then adds the period to the counts. Only these
 * scores match those of future calls. Scores of calls that are already in the counts are far too high.
 */
export const runPrequential = (periods: readonly (readonly PreparedExample[])[]): PrequentialResult => {
  const counts = emptyCounts();
  const identities: Identities = new Map();
  const predictions: PrequentialPrediction[] = [];
  const temperatures = temperatureSelector();
  let recent: Float64Array = new Float64Array(0);
  let shares: Float64Array = new Float64Array(0);
  let ratios: Float64Array = new Float64Array(0);
  let traffic: readonly WeightedLikelihoods[] = [];

  periods.forEach((period, at) => {
    const unlabelled: WeightedLikelihoods[] = [];
    const temperature = temperatures.best();
    if (counts.labels.length > 0) {
      const likelihoodsOf = likelihoodScorer(counts);
      const knownHashes = knownHashesByField(identities);
      for (const { observation, features, label } of period) {
        const logarithms = likelihoodsOf(features);
        if (label !== null) temperatures.observe(logarithms, shares, counts.labelNumbers.get(label));
        const evidence = selectLikelyLabels(logarithms, shares, temperature);
        if (label === null) unlabelled.push({ evidence, weight: 1 });
        const [best] = posteriorsOf(evidence, shares);
        if (best === undefined || isNovelCaller(knownHashes, features)) continue;
        const point = pointOf(logarithms[best.label] ?? 0, observation);
        predictions.push({ period: at, predicted: best.label, score: best.share, point, label });
      }
    }
    for (const { features, label } of period) {
      if (label === null) continue;
      learn(counts, features, label);
      recordIdentities(identities, features);
    }
    recent = decayLabelCounts(recent, counts, period);
    const labelled = estimateLabelledShares(recent, toDense(counts.all, counts.labels.length));
    const decay = decayOf(traffic.reduce((sum, { weight }) => sum + weight, 0));
    traffic = [
      ...traffic
        .map(({ evidence, weight }) => ({ evidence, weight: weight * decay }))
        .filter(({ weight }) => weight > WEIGHT_MINIMUM),
      ...unlabelled,
    ];
    ratios = shiftRatiosOf(estimateLabelShares(traffic, labelled), labelled);
    shares = applyShift(labelled, ratios);
  });
  return { counts, temperature: temperatures.best(), shares, ratios, predictions, identities };
};

/** The number of labelled calls by label, with decayed weights for older periods. */
const decayLabelCounts = (
  recent: Float64Array,
  counts: Counts,
  period: readonly PreparedExample[],
): Float64Array => {
  const decay = decayOf(recent.reduce((sum, weight) => sum + weight, 0));
  const next = Float64Array.from(counts.labels, (_, label) => (recent[label] ?? 0) * decay);
  for (const { label } of period) {
    const number = label === null ? undefined : counts.labelNumbers.get(label);
    if (number !== undefined) next[number] = (next[number] ?? 0) + 1;
  }
  return next;
};
