import { expect, it } from 'vitest';
import { predictor } from '../../../../../functions/attribution/training/prediction/predictor.ts';
import {
  decodeTrainingState,
  encodeTrainingState,
} from '../../../../../functions/attribution/training/prediction/training/storedTrainingState.ts';
import {
  continueTraining,
  trainingResultOf,
} from '../../../../../functions/attribution/training/prediction/training/train.ts';
import { emptyTrainingState } from '../../../../../functions/attribution/training/prediction/training/trainingState.ts';
import { servicesBySize, simulateTraffic } from '../syntheticTraffic.ts';

const { examples: untraced } = simulateTraffic(
  servicesBySize(8, () => 0.5),
  1_500,
  3,
);
const examples = untraced.map((example, at) => ({
  ...example,
  traced: {
    isNamed: true,
    name: { confidence: 0.8, isRight: at % 5 > 0 },
    stranger: at % 5 > 0 ? null : 0.8,
  },
}));
const [half, end] = [750, 1_500];

it('continues a stored training with the same result as one that was never stored', () => {
  const kept = emptyTrainingState(0);
  continueTraining(kept, examples.slice(0, half), 1);
  const restored = decodeTrainingState(encodeTrainingState(kept));
  for (const state of [kept, restored]) continueTraining(state, examples.slice(half, end), 2);

  expect(trainingResultOf(restored)).toEqual(trainingResultOf(kept));
  expect(encodeTrainingState(restored)).toEqual(encodeTrainingState(kept));
});

it('measures how often traces are right', () => {
  const state = emptyTrainingState(0);
  continueTraining(state, examples.slice(0, 15), 1);
  expect(predictor(trainingResultOf(state).artefact).traced(0.8)).toBeNull();

  continueTraining(state, examples.slice(15, end), 2);

  expect(predictor(trainingResultOf(state).artefact).traced(0.8)?.probability).toBeCloseTo(0.8, 1);
});

it('refuses bytes that are no training state', () => {
  expect(() => decodeTrainingState(Buffer.from('no state'))).toThrow();
});
