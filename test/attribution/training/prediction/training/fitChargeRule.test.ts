import { expect, it } from 'vitest';
import { fitChargeRule } from '../../../../../functions/attribution/training/prediction/training/fitChargeRule.ts';
import {
  type ModelOutcome,
  refusedOutcomes,
} from '../../../../../functions/attribution/training/prediction/training/outcomes.ts';
import {
  emptyTrainingState,
  type PastPrediction,
} from '../../../../../functions/attribution/training/prediction/training/trainingState.ts';

const SERVICES = 10;
const POINT = [0, 0, 0];
const [SURE, UNSURE] = [0.95, 0.3];

/** Past calls, of which a share is predicted with confidence. Calls of services are right, and no held-out one is confident. */
const pastCalls = (count: number, sureShare: number, isLabelled: boolean): PastPrediction[] =>
  Array.from({ length: count }, (_, at) => {
    const score = at < count * sureShare ? SURE : UNSURE;
    const predicted = at % SERVICES;
    return {
      at: 0,
      predicted,
      score,
      confidence: score,
      charged: score === SURE ? score : null,
      point: POINT,
      stranger: isLabelled ? { predicted: (at + 1) % SERVICES, score: UNSURE, point: POINT } : null,
      truth: isLabelled ? predicted : null,
    };
  });

const ruleWith = (
  open: readonly PastPrediction[],
  isRight: (predicted: number, at: number) => boolean = () => true,
) => {
  const labelled = pastCalls(400, 0.6, true);
  const state = { ...emptyTrainingState(0), predictions: [...labelled, ...open] };
  const members = labelled.map((call, at) => ({ ...call, isRight: isRight(call.predicted, at), weight: 1 }));
  return fitChargeRule(state, members, {
    confidenceOf: ({ score }) => score,
    supported: new Map(labelled.map(({ predicted }) => [predicted, 1])),
    labelAlike: true,
  });
};

it('charges what was right before if open calls are like labelled ones', () => {
  expect(ruleWith(pastCalls(400, 0.6, false)).first.threshold).toBe(0.8);
});

it('charges nothing if most open calls are of services that never label, though no held-out service passed', () => {
  expect(ruleWith(pastCalls(800, 0.1, false)).first.threshold).toBe(1);
});

it('charges nothing to a label that a service resembles that never labels', () => {
  const similar = pastCalls(400, 0.6, false).filter(({ predicted }) => predicted === 0);
  const foreign = Array.from({ length: 200 }, () =>
    similar.map((call) => ({ ...call, point: [-5, 0, 0] })),
  ).flat();
  const { supported } = ruleWith([...pastCalls(400, 0.6, false), ...foreign.slice(0, 200)]);

  expect(supported.get(0)).toBe(0);
  expect(supported.get(1)).toBe(1);
});

it('charges nothing to a label as which calls of others are often predicted with confidence, and the others as before', () => {
  // Of its 24 confident predictions every third is wrong.
  const { supported, first } = ruleWith(
    pastCalls(400, 0.6, false),
    (predicted, at) => predicted !== 0 || Math.floor(at / SERVICES) % 3 > 0,
  );

  expect([supported.get(0), supported.get(1)]).toEqual([0, 1]);
  expect(first.threshold).toBe(0.8);
});

it('admits no open record again without enough outcomes that were refused', () => {
  expect(ruleWith(pastCalls(400, 0.6, false)).again.threshold).toBe(1);
});

it('counts a prediction as refused only if another one of its time was charged', () => {
  const outcome = (at: number, charged: number | null): ModelOutcome => ({
    at,
    charged,
    score: SURE,
    confidence: SURE,
    predicted: 0,
    point: POINT,
    isRight: true,
    weight: 1,
  });
  const [hour, early, late] = [3_600_000, outcome(0, null), outcome(7_200_000, null)];

  expect(refusedOutcomes([early, outcome(hour, SURE), outcome(hour, null), late])).toEqual([
    outcome(hour, null),
  ]);
});
