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

/** A call as it was predicted by what was known before its period began. */
export interface PrequentialPrediction {
  readonly period: number;
  /** Number of the predicted label, its probability, and where the call lies among those of that label. */
  readonly predicted: number;
  readonly score: number;
  readonly point: Point;
  /** The label that the call has, if any. */
  readonly label: string | null;
}

/** What was learned, and how well it did on the way. */
export interface PrequentialResult {
  readonly counts: Counts;
  readonly temperature: number;
  /** Share of each label in traffic that has none, by label number. */
  readonly shares: Float64Array;
  /** How much more often a label's calls go without it than others' do, by label number. */
  readonly ratios: Float64Array;
  /** Without the calls of those whom nobody knew. */
  readonly predictions: readonly PrequentialPrediction[];
  readonly identities: Identities;
}

/** An example ready to learn from. */
export interface PreparedExample {
  readonly observation: Observation;
  readonly features: Features;
  readonly label: string | null;
}

const octaves = (tokens: number | undefined): number => Math.log2((tokens ?? 0) + 1);

/**
 * Where a call lies among those of a label: how typical it is of it (logarithm of how much likelier its features are
 * there than anywhere), and its sizes.
 */
export const pointOf = (typicality: number, observation: Observation): Point => [
  typicality,
  octaves(observation.input_tokens),
  octaves(observation.output_tokens),
];

/** Hashes the examples and cuts them into periods of equal length; empty periods are left out. */
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

/** What happened one period ago counts half: callers come and go within hours (measured). */
const DECAY = 0.5;
/** So many calls are kept in any case: a small tenant's shares would be noise otherwise. */
const UNDECAYED_CALLS = 500;
/** Calls that count less than this are dropped. */
const WEIGHT_MINIMUM = 0.1;

/** What calls that weigh so much together still count after a period. */
const decayOf = (total: number): number =>
  total <= UNDECAYED_CALLS ? 1 : Math.max(DECAY, UNDECAYED_CALLS / total);

/**
 * Lives through the past: predicts each period with what was known at its beginning, then learns it.
 * Only so are the scores those that calls to come will get; scores of what was learned already are far too good.
 */
export const runPrequential = (periods: readonly (readonly PreparedExample[])[]): PrequentialResult => {
  const counts = emptyCounts();
  const identities: Identities = new Map();
  const rehearsed: PrequentialPrediction[] = [];
  const temperatures = temperatureSelector();
  let recent: Float64Array = new Float64Array(0);
  let shares: Float64Array = new Float64Array(0);
  let ratios: Float64Array = new Float64Array(0);
  let traffic: readonly WeightedLikelihoods[] = [];

  periods.forEach((period, at) => {
    const arrived: WeightedLikelihoods[] = [];
    const temperature = temperatures.best();
    if (counts.labels.length > 0) {
      const likelihoodsOf = likelihoodScorer(counts);
      const names = knownHashesByField(identities);
      for (const { observation, features, label } of period) {
        const logarithms = likelihoodsOf(features);
        if (label !== null) temperatures.observe(logarithms, shares, counts.labelNumbers.get(label));
        const evidence = selectLikelyLabels(logarithms, shares, temperature);
        if (label === null) arrived.push({ evidence, weight: 1 });
        const [best] = posteriorsOf(evidence, shares);
        if (best === undefined || isNovelCaller(names, features)) continue;
        const point = pointOf(logarithms[best.label] ?? 0, observation);
        rehearsed.push({ period: at, predicted: best.label, score: best.share, point, label });
      }
    }
    for (const { features, label } of period) {
      if (label === null) continue;
      learn(counts, features, label);
      recordIdentities(identities, features);
    }
    recent = decayLabelCounts(recent, counts, period);
    const labelled = estimateLabelledShares(recent, toDense(counts.all, counts.labels.length));
    const fading = decayOf(traffic.reduce((sum, { weight }) => sum + weight, 0));
    traffic = [
      ...traffic
        .map(({ evidence, weight }) => ({ evidence, weight: weight * fading }))
        .filter(({ weight }) => weight > WEIGHT_MINIMUM),
      ...arrived,
    ];
    ratios = shiftRatiosOf(estimateLabelShares(traffic, labelled), labelled);
    shares = applyShift(labelled, ratios);
  });
  return { counts, temperature: temperatures.best(), shares, ratios, predictions: rehearsed, identities };
};

/** Labelled calls by label, older periods for less. */
const decayLabelCounts = (
  recent: Float64Array,
  counts: Counts,
  period: readonly PreparedExample[],
): Float64Array => {
  const fading = decayOf(recent.reduce((sum, weight) => sum + weight, 0));
  const next = Float64Array.from(counts.labels, (_, label) => (recent[label] ?? 0) * fading);
  for (const { label } of period) {
    const number = label === null ? undefined : counts.labelNumbers.get(label);
    if (number !== undefined) next[number] = (next[number] ?? 0) + 1;
  }
  return next;
};
