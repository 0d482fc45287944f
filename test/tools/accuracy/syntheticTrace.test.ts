import { expect, it } from 'vitest';
import { syntheticTrace, TRAFFIC_KINDS } from '../../../tools/accuracy/syntheticTrace.ts';

const CALLS = 2_000;

it.each(TRAFFIC_KINDS)('makes the same $name traffic from the same seed, in time order', (kind) => {
  const calls = syntheticTrace(kind, CALLS, 1);

  expect(calls).toHaveLength(CALLS);
  expect(syntheticTrace(kind, CALLS, 1)).toEqual(calls);
  expect(syntheticTrace(kind, CALLS, 2)).not.toEqual(calls);
  const times = calls.map(({ observation }) => observation.occurredAt);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
});

it('makes dominant traffic in which one service makes most of the calls', () => {
  const dominant = TRAFFIC_KINDS.filter(({ name }) => name === 'dominant');
  const [largest = 0] = dominant
    .flatMap((kind) => [...Map.groupBy(syntheticTrace(kind, CALLS, 1), ({ truth }) => truth).values()])
    .map(({ length }) => length)
    .sort((a, b) => b - a);

  expect(largest).toBeGreaterThan(CALLS / 2);
});
