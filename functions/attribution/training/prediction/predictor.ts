import { type Artefact, deserializeCounts } from './artefact.ts';
import { calibrateScore } from './calibration/isotonic.ts';
import { chargedConfidence } from './chargeRule.ts';
import { heuristicKeysOf } from './heuristic.ts';
import type { HeuristicTable } from './heuristicTable.ts';
import { featuresOf } from './likelihood/features.ts';
import { likelihoodScorer } from './likelihood/likelihood.ts';
import { isNovelCaller } from './likelihood/novelty.ts';
import { knownShareAt } from './openSet/openSetCorrection.ts';
import { pointOf } from './point.ts';
import { posteriorsOf, selectLikelyLabels } from './posterior.ts';
import { alternativesOf, type Predictor, roundProbability } from './prediction.ts';

/** Highest confidence for a novel caller (policy). */
export const NOVEL_MAXIMUM = 0.5;

/** A predictor that uses a trained model. */
export const predictor = (artefact: Artefact): Predictor => {
  const counts = deserializeCounts(artefact.counts);
  const { labels } = counts;
  const likelihoodsOf = likelihoodScorer(counts);
  const shares = Float64Array.from(artefact.shares);
  const known = new Map(
    Object.entries(artefact.identities).map(([field, hashes]) => [field, new Set(hashes)]),
  );
  const { chargeRule, traces } = artefact;
  return {
    predict(observation, isAgain) {
      const features = featuresOf(observation);
      const logarithms = likelihoodsOf(features);
      const evidence = selectLikelyLabels(logarithms, shares, artefact.temperature);
      const posteriors = posteriorsOf(evidence, shares);
      const [best] = posteriors;
      if (best === undefined) return null;
      const novel = isNovelCaller(known, features);
      const point = pointOf(logarithms[best.label] ?? 0, observation);
      const expected =
        calibrateScore(artefact.calibration, best.share) *
        knownShareAt(artefact.knownShares[best.label], point);
      const admission = isAgain ? chargeRule.again : chargeRule;
      const charged = chargedConfidence(admission, chargeRule.supported[best.label], point, expected);
      const confidence = roundProbability(novel ? Math.min(NOVEL_MAXIMUM, expected) : (charged ?? expected));
      const named = posteriors.map(({ label, share }) => ({ label: labels[label] ?? '', share }));
      return {
        label: labels[best.label] ?? '',
        confidence,
        novel,
        advisory: charged === null,
        alternatives: alternativesOf(confidence, named),
      };
    },
    traced: (confidence) =>
      traces === null
        ? null
        : {
            probability: roundProbability(calibrateScore(traces.calibration, confidence)),
            advisory: confidence < traces.threshold,
          },
  };
};

/** A predictor that uses the heuristic. */
export const heuristicPredictor = (table: HeuristicTable): Predictor => {
  const keys = new Map(table.keys);
  return {
    predict(observation) {
      for (const key of heuristicKeysOf(observation)) {
        const posteriors = keys
          .get(key)
          ?.map(([label, share]) => ({ label: table.labels[label] ?? '', share }));
        const best = posteriors?.[0];
        if (posteriors === undefined || best === undefined) continue;
        const confidence = roundProbability(calibrateScore(table.calibration, best.share));
        return {
          label: best.label,
          confidence,
          novel: false,
          advisory: true,
          alternatives: alternativesOf(confidence, posteriors),
        };
      }
      return null;
    },
    traced: () => null,
  };
};
