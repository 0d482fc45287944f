import { describe, expect, it } from 'vitest';
import {
  evaluateGate,
  type GateInput,
} from '../../../../../functions/attribution/training/prediction/calibration/gate.ts';
import type { PredictionOutcome } from '../../../../../functions/attribution/training/prediction/calibration/predictionOutcome.ts';
import { CONFIDENCE_CEILING } from '../../../../../schemas/values.ts';

/** `count` outcomes with one confidence, of which `share` are right. */
const calls = (count: number, score: number, share: number, weight = 1): PredictionOutcome[] =>
  Array.from({ length: count }, (_, at) => ({
    score,
    isRight: Math.floor((at + 1) * share) > Math.floor(at * share),
    weight,
  }));

const good: GateInput = {
  labelled: 5_000,
  model: [...calls(3_000, 0.96, 0.96), ...calls(1_000, 0.5, 0.5)],
  heuristic: calls(4_000, 0.7, 0.7),
};

const failed = (trial: GateInput): string[] =>
  evaluateGate(trial).criteria.flatMap(({ criterion, passed }) => (passed ? [] : [criterion]));

describe('the publication gate', () => {
  it('passes a calibrated and precise model', () => {
    expect(evaluateGate(good)).toMatchObject({ passed: true, tested: 4_000 });
  });

  it.each<[string, Partial<GateInput>, string]>([
    ['too few labelled events', { labelled: 499 }, 'labelled_events'],
    ['an over-confident model', { model: calls(4_000, 0.95, 0.92) }, 'over_confidence'],
    [
      'an imprecise model',
      { model: [...calls(3_000, 0.88, 0.88), ...calls(1_000, 0.5, 0.5)] },
      'precision_lower_bound',
    ],
    [
      'a precision from too few confident calls',
      { model: [...calls(20, 0.95, 0.95), ...calls(4_000, 0.75, 0.75)] },
      'precision_lower_bound',
    ],
    ['a model that is never confident', { model: calls(4_000, 0.75, 0.75) }, 'precision_lower_bound'],
    ['a model that the heuristic beats', { heuristic: calls(4_000, 0.9, 0.9) }, 'accuracy_over_heuristic'],
  ])('rejects %s by that criterion alone', (_, change, reason) => {
    expect(failed({ ...good, ...change })).toEqual([reason]);
  });

  it.each([
    ['an under-confident model', 0.9, 0.96],
    ['a confidence above the ceiling of records', 0.99, 0.95],
  ])('passes %s, because no record is over-confident', (_, score, share) => {
    expect(failed({ ...good, model: [...calls(3_000, score, share), ...calls(1_000, 0.5, 0.5)] })).toEqual(
      [],
    );
  });

  it('rejects a model without test outcomes', () => {
    const { passed, criteria } = evaluateGate({ labelled: 5_000, model: [], heuristic: [] });

    expect(passed).toBe(false);
    expect(criteria.filter(({ value }) => value === null)).toHaveLength(3);
  });

  it('tolerates the over-confidence by chance of a small tenant, and no more', () => {
    const small = (share: number): string[] =>
      failed({ labelled: 600, model: calls(400, 0.96, share), heuristic: calls(400, 0.5, 0.5) });

    expect(small(0.94)).toEqual([]);
    expect(small(0.915)).toContain('over_confidence');
  });

  it('reports the reliability of the confidences that records have, without bins of fewer than five calls', () => {
    const model = [...calls(100, 0.995, 0.9), ...calls(50, 0.5, 0.4), ...calls(4, 0.3, 1)];

    expect(evaluateGate({ ...good, model }).reliability).toEqual([
      { calls: 50, confidence: 0.5, accuracy: 0.4 },
      { calls: 100, confidence: CONFIDENCE_CEILING, accuracy: 0.9 },
    ]);
  });

  it('uses the effective sample size of weighted calls', () => {
    const heavy = [...calls(30, 0.96, 1, 100), ...calls(1_000, 0.96, 0.96, 0.01)];

    expect(failed({ ...good, model: heavy })).toContain('precision_lower_bound');
  });
});
