import { expect, it } from 'vitest';
import { backtest } from '../../../tools/evaluation/backtest.ts';
import { type Call, readCalls } from '../../../tools/evaluation/calls.ts';
import { HEADER, rowsOf } from './traces.ts';

const calls = readCalls([HEADER, ...rowsOf(1_600, 6)].join('\n'));
const everyOther = calls.map((_, at) => at % 2 === 0);
const frozenClock = (): number => 0;

it('scores each unlabelled call after the first training, and no labelled call', () => {
  const { model, heuristic, trainings } = backtest(calls, everyOther, frozenClock);

  expect(trainings).toBe(15);
  expect(model.outcomes).toHaveLength(750);
  expect(heuristic.outcomes).toHaveLength(750);
});

it('makes the same predictions when later calls change', () => {
  const half = calls.length / 2;
  const altered = calls.map((call, at): Call => (at < half ? call : { ...call, truth: 'someone else' }));

  const [before, after] = [calls, altered].map((given) =>
    backtest(given, everyOther, frozenClock).model.outcomes.slice(0, 325),
  );

  expect(after).toEqual(before);
});

it('returns score 0 for every call and publishes nothing when no call is labelled', () => {
  const { model, published } = backtest(
    calls,
    calls.map(() => false),
    frozenClock,
  );

  expect(model.outcomes.every(({ score, isRight }) => score === 0 && !isRight)).toBe(true);
  expect(published).toBe(0);
});

it('reports the duration of each prediction in microseconds', () => {
  let now = 0;
  const { model } = backtest(calls.slice(0, 200), everyOther.slice(0, 200), () => {
    now += 0.02;
    return now;
  });

  expect(model.microseconds.every((time) => Math.abs(time - 20) < 0.01)).toBe(true);
});
