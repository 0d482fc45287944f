import { expect, it } from 'vitest';
import { batches, single, traced } from '../../bench/send.ts';
import { benchBody, benchEvent } from '../../bench/traffic.ts';
import { InvocationEvent } from '../../schemas/ingestion/invocationEvent.ts';

it.each([false, true])('makes valid events, in a trace of their own or none (%s)', (isTraced) => {
  const [one, other] = [benchEvent({ traced: isTraced }), benchEvent({ traced: isTraced })];

  expect(InvocationEvent.parse(one)).toEqual(one);
  expect(one.trace_id !== undefined).toBe(isTraced);
  expect(one.trace_id === other.trace_id).toBe(!isTraced);
});

it('sends the same way with traces, under a name that says so', () => {
  const way = batches(10, 4);

  expect(traced(way)).toEqual({ ...way, name: 'HTTP, batches of 10, traced', traced: true });
  expect(benchBody(2, traced(way))).toMatchObject({
    events: [{ trace_id: expect.any(String) }, { trace_id: expect.any(String) }],
  });
  expect(benchBody(1, single(1))).not.toHaveProperty('trace_id');
});
