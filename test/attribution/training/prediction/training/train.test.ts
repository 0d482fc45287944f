import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  decodeArtefact,
  encodeArtefact,
} from '../../../../../functions/attribution/training/prediction/artefact.ts';
import type { CountsByKey } from '../../../../../functions/attribution/training/prediction/heuristic.ts';
import {
  buildHeuristicTable,
  decodeHeuristic,
  encodeHeuristic,
} from '../../../../../functions/attribution/training/prediction/heuristicTable.ts';
import type { Example } from '../../../../../functions/attribution/training/prediction/observation.ts';
import type { Predictor } from '../../../../../functions/attribution/training/prediction/prediction.ts';
import {
  heuristicPredictor,
  predictor,
} from '../../../../../functions/attribution/training/prediction/predictor.ts';
import { train } from '../../../../../functions/attribution/training/prediction/training/train.ts';
import {
  aCall,
  identicalServices,
  numbers,
  type SimulatedTraffic,
  servicesByKey,
  servicesBySize,
  simulateTraffic,
} from '../syntheticTraffic.ts';

const SURE = 0.8;

/** Trains on the past and predicts the unlabelled calls that follow. */
const trainAndPredict = ({ examples, truths }: SimulatedTraffic, past: number) => {
  const training = train(examples.slice(0, past));
  const by = predictor(training.artefact);
  const predictions = examples.slice(past).flatMap(({ observation, label }, at) => {
    const prediction = label === null ? by.predict(observation) : null;
    return prediction === null ? [] : [{ ...prediction, truth: truths[past + at] }];
  });
  return { training, predictions, sure: predictions.filter(({ confidence }) => confidence >= SURE) };
};

const precision = (predictions: readonly { label: string; truth: string | undefined }[]): number =>
  predictions.filter(({ label, truth }) => label === truth).length / predictions.length;

describe('a tenant whose keys tell the owners apart', () => {
  const world = simulateTraffic(servicesByKey(12), 3_000, 1);
  const { training, predictions, sure } = trainAndPredict(world, 2_000);

  it('gets confident and correct predictions', () => {
    expect(sure.length / predictions.length).toBeGreaterThan(0.95);
    expect(precision(sure)).toBe(1);
  });

  it('passes the gate with a thousand labelled events', () => {
    expect(training.gate).toMatchObject({ passed: true });
  });

  it('gets a confidence of at most 0.5 for an unlabelled key', () => {
    const prediction = predictor(training.artefact).predict(aCall({ api_key_name: 'key-of-a-stranger' }));

    expect(prediction?.novel).toBe(true);
    expect(prediction?.confidence).toBeLessThanOrEqual(0.5);
  });

  it('does not treat a tag that is new in every call as a novel caller', () => {
    const tagged = world.examples.slice(0, 1_000).map(
      ({ observation, label }, at): Example => ({
        observation: { ...observation, tags: [`run-${at}`] },
        label,
      }),
    );
    const prediction = predictor(train(tagged).artefact).predict(
      aCall({ api_key_name: 'key-3', tags: ['run-x'] }),
    );

    expect(prediction).toMatchObject({ novel: false, label: 'owner-3\u0000service-3' });
  });
});

describe('a tenant whose services differ in the sizes of their calls', () => {
  const { predictions, sure, training } = trainAndPredict(
    simulateTraffic(
      servicesBySize(10, () => 0.5),
      6_000,
      2,
    ),
    4_000,
  );

  it('gets confident and correct predictions', () => {
    expect(sure.length / predictions.length).toBeGreaterThan(0.9);
    expect(precision(sure)).toBeGreaterThan(0.95);
    expect(training.gate.passed).toBe(true);
  });

  it('gets alternatives whose probabilities fit into the remaining probability', () => {
    for (const { confidence, label, alternatives } of predictions) {
      const rest = alternatives.reduce((sum, { probability }) => sum + probability, 0);

      expect(alternatives.length).toBeLessThanOrEqual(3);
      expect(confidence + rest).toBeLessThanOrEqual(1.0002);
      expect(alternatives.map((other) => other.label)).not.toContain(label);
    }
  });

  it('keeps its precision when some services never label', () => {
    const strangers = trainAndPredict(
      simulateTraffic(
        servicesBySize(14, (at) => (at % 4 === 1 ? 0 : 0.5)),
        8_000,
        3,
      ),
      6_000,
    );

    expect(precision(strangers.sure)).toBeGreaterThan(0.9);
    expect(strangers.sure.length / strangers.predictions.length).toBeGreaterThan(0.4);
  });

  it('gets the label shares of the unlabelled calls', () => {
    const careless = servicesBySize(2, (at) => (at === 0 ? 0.05 : 0.8));
    const { training } = trainAndPredict(simulateTraffic(careless, 6_000, 4), 6_000);
    const shareOf = (label: string): number =>
      training.artefact.shares[training.artefact.counts.labels.indexOf(label)] ?? 0;

    expect(shareOf('owner-0\u0000service-0')).toBeGreaterThan(0.7);
  });
});

describe('a tenant whose services cannot be distinguished', () => {
  const { sure, training } = trainAndPredict(simulateTraffic(identicalServices(6), 4_000, 5), 3_000);

  it('gets no confident predictions', () => {
    expect(sure).toEqual([]);
  });

  it('does not pass the gate', () => {
    expect(training.gate.passed).toBe(false);
  });
});

describe('artefacts', () => {
  const { examples } = simulateTraffic(
    servicesBySize(6, () => 0.5),
    1_500,
    6,
  );
  const training = train(examples);

  const answers = (by: Predictor) =>
    examples.map(({ observation }) => JSON.stringify(by.predict(observation)));

  it('are byte-identical for equal examples', () => {
    const again = train(structuredClone(examples));

    expect(encodeArtefact(again.artefact)).toEqual(encodeArtefact(training.artefact));
    expect(encodeHeuristic(again.heuristic)).toEqual(encodeHeuristic(training.heuristic));
    expect(again.gate).toEqual(training.gate);
  });

  it('give the same predictions after encoding and decoding', () => {
    const stored = decodeArtefact(encodeArtefact(training.artefact));
    const storedTable = decodeHeuristic(encodeHeuristic(training.heuristic));

    expect(answers(predictor(stored))).toEqual(answers(predictor(training.artefact)));
    expect(answers(heuristicPredictor(storedTable))).toEqual(answers(heuristicPredictor(training.heuristic)));
  });

  it('are rejected when the format version differs', () => {
    const bytes = deflateSync(JSON.stringify({ ...training.artefact, version: 0 }));

    expect(() => decodeArtefact(bytes)).toThrow('version');
  });

  it('limit the heuristic table to 100 kB, most supported keys first', () => {
    const draw = numbers(8);
    const tallies: CountsByKey = new Map(
      Array.from({ length: 20_000 }, (_, at) => [
        `key ${draw()}`,
        { calls: 5 + at, labels: new Map([[`owner ${at % 500}`, 5 + at]]) },
      ]),
    );

    const table = buildHeuristicTable(tallies, { scores: [], shares: [] });

    expect(encodeHeuristic(table).length).toBeLessThanOrEqual(100_000);
    expect(table.keys.length).toBeGreaterThan(1_000);
    expect(table.keys[0]?.[0]).toBe([...tallies.keys()].at(-1));
  });
});

describe('training with too little data', () => {
  it.each([
    ['nothing at all', []],
    ['no label', [{ observation: aCall(), label: null }]],
  ])('predicts nothing: %s', (_, examples: Example[]) => {
    const { artefact, heuristic, gate } = train(examples);

    expect(predictor(artefact).predict(aCall())).toBeNull();
    expect(heuristicPredictor(heuristic).predict(aCall())).toBeNull();
    expect(gate.passed).toBe(false);
  });

  it('has a confidence of 0 after a single call', () => {
    const { artefact } = train([{ observation: aCall(), label: 'a' }]);

    expect(predictor(artefact).predict(aCall())).toMatchObject({ label: 'a', confidence: 0 });
  });
});
