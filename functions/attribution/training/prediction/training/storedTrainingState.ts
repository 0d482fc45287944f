import { deflateSync, inflateSync } from 'node:zlib';
import * as z from 'zod';
import { deserializeCounts, StoredCounts, serializeCounts } from '../artefact.ts';
import { Calibration } from '../calibration/isotonic.ts';
import { temperatureSelector } from '../calibration/temperature.ts';
import { Admission } from '../chargeRule.ts';
import { RegionTree } from '../densityRatioTree.ts';
import type { PastPrediction, TrainingState } from './trainingState.ts';

const Numbers = z.array(z.number());

/** Predictions by column, which compresses well. A true label of null is stored as -1. */
const Predictions = z.object({
  at: Numbers,
  score: Numbers,
  confidence: z.array(z.number().nullable()),
  truth: Numbers,
});

const StoredState = z.object({
  version: z.literal(7),
  startedAt: z.number(),
  learnedTo: z.number(),
  counts: StoredCounts,
  identities: z.array(
    z.object({
      field: z.string(),
      hashes: z.array(z.tuple([z.number(), z.number().nullable()])),
      calls: z.number(),
      novelCalls: z.number(),
    }),
  ),
  countsByKey: z.array(z.tuple([z.string(), z.number(), z.array(z.tuple([z.string(), z.number()]))])),
  temperatures: z.object({ losses: Numbers, calls: z.number() }),
  recent: Numbers,
  traffic: z.array(z.tuple([z.number(), Numbers, Numbers])),
  shares: Numbers,
  labelledCalls: Numbers,
  assignedCalls: Numbers,
  predictions: Predictions.extend({
    predicted: Numbers,
    charged: z.array(z.number().nullable()),
    point: z.array(Numbers),
    stranger: z.array(z.tuple([z.number(), z.number(), Numbers]).nullable()),
  }),
  heuristicPredictions: Predictions.extend({ isRight: z.array(z.boolean()) }),
  tracedCalls: z.object({
    at: Numbers,
    isNamed: z.array(z.boolean()),
    score: z.array(z.number().nullable()),
    isRight: z.array(z.boolean()),
    stranger: z.array(z.number().nullable()),
  }),
  confidence: z.object({
    calibration: Calibration.nullable(),
    knownShares: z.array(z.tuple([z.number(), RegionTree])),
    chargeRule: z.object({
      supported: z.array(z.tuple([z.number(), RegionTree])),
      first: Admission,
      again: Admission,
    }),
    heuristicCalibration: Calibration.nullable(),
    traces: Admission.nullable(),
  }),
  examples: z.number(),
  labelled: z.number(),
});

const toColumns = (
  predictions: readonly {
    readonly at: number;
    readonly score: number;
    readonly confidence: number | null;
    readonly truth: number | null;
  }[],
) => ({
  at: predictions.map(({ at }) => at),
  score: predictions.map(({ score }) => score),
  confidence: predictions.map(({ confidence }) => confidence),
  truth: predictions.map(({ truth }) => truth ?? -1),
});

const fromColumns = ({ at, score, confidence, truth }: z.infer<typeof Predictions>) =>
  at.map((instant, index) => ({
    at: instant,
    score: score[index] ?? 0,
    confidence: confidence[index] ?? null,
    truth: truth[index] ?? -1,
  }));

/** Encodes as deflated JSON, without loss. */
export const encodeTrainingState = (state: TrainingState): Buffer => {
  const { predictions, heuristicPredictions, tracedCalls } = state;
  const stored: z.infer<typeof StoredState> = {
    version: 7,
    startedAt: state.startedAt,
    learnedTo: state.learnedTo,
    counts: serializeCounts(state.counts),
    identities: [...state.identities].map(([field, { hashes, calls, novelCalls }]) => ({
      field,
      hashes: [...hashes],
      calls,
      novelCalls,
    })),
    countsByKey: [...state.countsByKey].map(([key, { calls, labels }]) => [key, calls, [...labels]]),
    temperatures: { ...state.temperatures.observed(), losses: [...state.temperatures.observed().losses] },
    recent: [...state.recent],
    traffic: state.traffic.map(({ evidence, weight }) => [
      weight,
      [...evidence.labels],
      [...evidence.likelihoods],
    ]),
    shares: [...state.shares],
    labelledCalls: [...state.labelledCalls],
    assignedCalls: [...state.assignedCalls],
    predictions: {
      ...toColumns(predictions),
      predicted: predictions.map(({ predicted }) => predicted),
      charged: predictions.map(({ charged }) => charged),
      point: predictions.map(({ point }) => [...point]),
      stranger: predictions.map(({ stranger }) =>
        stranger === null ? null : [stranger.predicted, stranger.score, [...stranger.point]],
      ),
    },
    heuristicPredictions: {
      ...toColumns(heuristicPredictions),
      isRight: heuristicPredictions.map(({ isRight }) => isRight),
    },
    tracedCalls: {
      at: tracedCalls.map(({ at }) => at),
      isNamed: tracedCalls.map(({ isNamed }) => isNamed),
      score: tracedCalls.map(({ score }) => score),
      isRight: tracedCalls.map(({ isRight }) => isRight),
      stranger: tracedCalls.map(({ stranger }) => stranger),
    },
    confidence: {
      ...state.confidence,
      knownShares: [...state.confidence.knownShares],
      chargeRule: {
        ...state.confidence.chargeRule,
        supported: [...state.confidence.chargeRule.supported],
      },
    },
    examples: state.examples,
    labelled: state.labelled,
  };
  return deflateSync(JSON.stringify(stored));
};

const strangerOf = (stored: readonly [number, number, number[]] | null): PastPrediction['stranger'] =>
  stored === null ? null : { predicted: stored[0], score: stored[1], point: stored[2] };

/** Throws when the bytes are no state of this format version. */
export const decodeTrainingState = (bytes: Uint8Array): TrainingState => {
  const stored = StoredState.parse(JSON.parse(inflateSync(bytes).toString()));
  const { predicted, charged, point, stranger, ...columns } = stored.predictions;
  const { isRight, ...heuristicColumns } = stored.heuristicPredictions;
  const { tracedCalls: traced } = stored;
  return {
    startedAt: stored.startedAt,
    learnedTo: stored.learnedTo,
    counts: deserializeCounts(stored.counts),
    identities: new Map(
      stored.identities.map(({ field, hashes, ...calls }) => [field, { hashes: new Map(hashes), ...calls }]),
    ),
    countsByKey: new Map(
      stored.countsByKey.map(([key, calls, labels]) => [key, { calls, labels: new Map(labels) }]),
    ),
    temperatures: temperatureSelector(stored.temperatures),
    recent: Float64Array.from(stored.recent),
    traffic: stored.traffic.map(([weight, labels, likelihoods]) => ({
      weight,
      evidence: { labels, likelihoods },
    })),
    shares: Float64Array.from(stored.shares),
    labelledCalls: Float64Array.from(stored.labelledCalls),
    assignedCalls: Float64Array.from(stored.assignedCalls),
    predictions: fromColumns(columns).map(({ truth, ...prediction }, index) => ({
      ...prediction,
      truth: truth < 0 ? null : truth,
      predicted: predicted[index] ?? 0,
      charged: charged[index] ?? null,
      point: point[index] ?? [],
      stranger: strangerOf(stranger[index] ?? null),
    })),
    heuristicPredictions: fromColumns(heuristicColumns).map((prediction, index) => ({
      ...prediction,
      isRight: isRight[index] ?? false,
    })),
    tracedCalls: traced.at.map((at, index) => ({
      at,
      isNamed: traced.isNamed[index] ?? false,
      score: traced.score[index] ?? null,
      isRight: traced.isRight[index] ?? false,
      stranger: traced.stranger[index] ?? null,
    })),
    confidence: {
      ...stored.confidence,
      knownShares: new Map(stored.confidence.knownShares),
      chargeRule: {
        ...stored.confidence.chargeRule,
        supported: new Map(stored.confidence.chargeRule.supported),
      },
    },
    examples: stored.examples,
    labelled: stored.labelled,
  };
};
