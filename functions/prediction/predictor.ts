import { accountedAt } from './accounted.ts';
import { type Artefact, restoreCounts } from './artefact.ts';
import { calibrated } from './calibration/isotonic.ts';
import { featuresOf } from './features.ts';
import { keysOf } from './heuristic.ts';
import type { HeuristicTable } from './heuristicTable.ts';
import { namesNobodyKnown } from './identities.ts';
import { likelihoods } from './likelihood.ts';
import { beliefsOf, evidenceOf } from './posterior.ts';
import { alternativesOf, type Predictor, rounded } from './prediction.ts';
import { pointOf } from './rehearsal.ts';

/** A call of somebody unknown is at best an even bet (policy). */
export const NOVEL_MAXIMUM = 0.5;

/** Predicts by a trained model. */
export const predictor = (artefact: Artefact): Predictor => {
  const counts = restoreCounts(artefact.counts);
  const { labels } = counts;
  const likelihoodsOf = likelihoods(counts);
  const shares = Float64Array.from(artefact.shares);
  const known = new Map(
    Object.entries(artefact.identities).map(([field, hashes]) => [field, new Set(hashes)]),
  );
  return {
    predict(seen) {
      const features = featuresOf(seen);
      const logarithms = likelihoodsOf(features);
      const evidence = evidenceOf(logarithms, shares, artefact.temperature);
      const beliefs = beliefsOf(evidence, shares);
      const [best] = beliefs;
      if (best === undefined) return null;
      const novel = namesNobodyKnown(known, features);
      const point = pointOf(logarithms[best.label] ?? 0, seen);
      const expected =
        calibrated(artefact.calibration, best.share) * accountedAt(artefact.accounted[best.label], point);
      const confidence = rounded(novel ? Math.min(NOVEL_MAXIMUM, expected) : expected);
      const named = beliefs.map((belief) => ({ label: labels[belief.label] ?? '', share: belief.share }));
      return {
        label: labels[best.label] ?? '',
        confidence,
        novel,
        alternatives: alternativesOf(confidence, named),
      };
    },
  };
};

/** Predicts by the heuristic. */
export const heuristicPredictor = (table: HeuristicTable): Predictor => {
  const keys = new Map(table.keys);
  return {
    predict(seen) {
      for (const key of keysOf(seen)) {
        const beliefs = keys.get(key)?.map(([label, share]) => ({ label: table.labels[label] ?? '', share }));
        const best = beliefs?.[0];
        if (beliefs === undefined || best === undefined) continue;
        const confidence = rounded(calibrated(table.calibration, best.share));
        return {
          label: best.label,
          confidence,
          novel: false,
          alternatives: alternativesOf(confidence, beliefs),
        };
      }
      return null;
    },
  };
};
