import { expect, it } from 'vitest';
import { backtest } from '../../../tools/evaluation/backtest.ts';
import { type Call, readCalls } from '../../../tools/evaluation/calls.ts';
import { HEADER, rowsOf } from './traces.ts';

const calls = readCalls([HEADER, ...rowsOf(1_600, 6)].join('\n'));
const everyOther = calls.map((_, at) => at % 2 === 0);
const frozenClock = (): number => 0;

it('scores each unlabelled call after the first training, and no labelled call', async () => {
  const { model, heuristic, served, trainings, first } = await backtest(calls, everyOther, frozenClock);

  const firstTraining = trainings[0]?.at ?? 0;
  const expected = calls.filter(
    ({ observation }, at) => !everyOther[at] && observation.occurredAt >= firstTraining,
  );
  expect(firstTraining).toBeGreaterThan(first);
  expect(expected.length).toBeGreaterThan(600);
  for (const { outcomes } of [model, heuristic, served]) {
    expect(outcomes.map(({ at }) => at)).toEqual(expected.map(({ observation }) => observation.occurredAt));
  }
});

it('serves advice below the chargeback floor until a model passes the gate, and then the model', async () => {
  const many = readCalls([HEADER, ...rowsOf(2_400, 3)].join('\n'));
  const { model, served, trainings } = await backtest(
    many,
    many.map((_, at) => at % 2 === 0),
    frozenClock,
  );

  const passedAt = trainings.find(({ failed }) => failed.length === 0)?.at ?? Number.POSITIVE_INFINITY;
  const before = served.outcomes.filter(({ at }) => at < passedAt);
  expect(before.length).toBeGreaterThan(0);
  expect(before.every(({ recorded }) => recorded < 0.8)).toBe(true);
  const nextAt = trainings.find(({ at }) => at > passedAt)?.at ?? Number.POSITIVE_INFINITY;
  const servedAfter = ({ outcomes }: typeof model) =>
    outcomes.filter(({ at }) => at >= passedAt && at < nextAt).map(({ score, isRight }) => [score, isRight]);
  expect(servedAfter(served)).toEqual(servedAfter(model));
  expect(servedAfter(served).length).toBeGreaterThan(0);
});

it('makes the same predictions when later calls change', async () => {
  const half = calls.length / 2;
  const altered = calls.map((call, at): Call => (at < half ? call : { ...call, truth: 'someone else' }));

  const [before, after] = await Promise.all(
    [calls, altered].map(async (given) =>
      (await backtest(given, everyOther, frozenClock)).served.outcomes.slice(0, 250),
    ),
  );

  expect(after).toEqual(before);
});

it('returns score 0 for every call and passes no model when no call is labelled', async () => {
  const { model, trainings } = await backtest(
    calls,
    calls.map(() => false),
    frozenClock,
  );

  expect(model.outcomes.every(({ score, isRight }) => score === 0 && !isRight)).toBe(true);
  expect(trainings.every(({ failed }) => failed.length > 0)).toBe(true);
});

it('reports the duration of each prediction in microseconds', async () => {
  let now = 0;
  const { model } = await backtest(calls.slice(0, 400), everyOther.slice(0, 400), () => {
    now += 0.02;
    return now;
  });

  expect(model.microseconds.length).toBeGreaterThan(0);
  expect(model.microseconds.every((time) => Math.abs(time - 20) < 0.01)).toBe(true);
});
