import { expect, it } from 'vitest';
import { batches, single, traced } from '../../../bench/ingestion/ingestModes.ts';
import { benchBody, benchEvent } from '../../../bench/support/traffic.ts';
import { InvocationEvent } from '../../../schemas/ingest/invocationEvent.ts';

it.each([false, true])(
  'generates valid events, each with its own trace only when traced is %s',
  (isTraced) => {
    const [one, other] = [benchEvent({ traced: isTraced }), benchEvent({ traced: isTraced })];

    expect(InvocationEvent.parse(one)).toEqual(one);
    expect(one.trace_id !== undefined).toBe(isTraced);
    expect(one.trace_id === other.trace_id).toBe(!isTraced);
  },
);

it('adds trace ids and renames the mode when traced', () => {
  const mode = batches(10, 4);

  expect(traced(mode)).toEqual({ ...mode, name: 'HTTP, batches of 10, traced', traced: true });
  expect(benchBody(2, traced(mode))).toMatchObject({
    events: [{ trace_id: expect.any(String) }, { trace_id: expect.any(String) }],
  });
  expect(benchBody(1, single(1))).not.toHaveProperty('trace_id');
});
