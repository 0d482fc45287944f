import { expect, it } from 'vitest';
import { batches, single, traced } from '../../../bench/ingestion/ingestModes.ts';
import { benchBody, benchEvent } from '../../../bench/support/traffic.ts';
import { InvocationEvent } from '../../../schemas/ingest/invocationEvent.ts';

it.each([0, 0.4, 1])('generates valid events, of which a share of %s has a trace of its own', (traced) => {
  const events = Array.from({ length: 10 }, () => benchEvent({ traced }));
  const traces = events.flatMap(({ trace_id }) => trace_id ?? []);

  expect(events.map((event) => InvocationEvent.parse(event))).toEqual(events);
  expect(new Set(traces).size).toBe(10 * traced);
});

it('adds trace ids to the events of a mode, and says so in its name', () => {
  const mode = batches(10, 4);

  expect(traced(mode)).toEqual({ ...mode, name: 'HTTP, batches of 10, traced', traced: 1 });
  expect(traced(mode, 0.4)).toEqual({ ...mode, name: 'HTTP, batches of 10, 40 % traced', traced: 0.4 });
  expect(benchBody(2, traced(mode))).toMatchObject({
    events: [{ trace_id: expect.any(String) }, { trace_id: expect.any(String) }],
  });
  expect(benchBody(1, single(1))).not.toHaveProperty('trace_id');
});
