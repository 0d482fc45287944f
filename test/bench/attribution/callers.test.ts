import { expect, it } from 'vitest';
import { callersOf, callsOf, examplesOf } from '../../../bench/attribution/callers.ts';
import { resolve } from '../../../functions/attribution/engine/rules/resolution.ts';
import { noMappings } from '../../../functions/attribution/mappings/mappingRules.ts';
import { InvocationEvent } from '../../../schemas/ingest/invocationEvent.ts';

const WEEK = { from: Date.parse('2026-07-08T00:00:00Z'), to: Date.parse('2026-07-15T00:00:00Z') };
const calls = callsOf('calls', callersOf(40), 500, WEEK);

it('generates the same calls for the same seed, in time order and with unique ids', () => {
  expect(callsOf('calls', callersOf(40), 500, WEEK)).toEqual(calls);
  expect(callsOf('others', callersOf(40), 500, WEEK)).not.toEqual(calls);
  expect(calls.map(({ at }) => at)).toEqual(calls.map(({ at }) => at).toSorted((one, other) => one - other));
  expect(new Set(calls.map(({ event }) => event.event_id)).size).toBe(calls.length);
});

it('generates valid events that name no owner, so that the model runs for each', () => {
  for (const { event, at } of calls) {
    expect(InvocationEvent.safeParse(event).success).toBe(true);
    expect(resolve(event, { mappings: noMappings, trace: null, occurredAt: at }).basis).toBe('none');
  }
});

it('labels most examples with their caller and leaves the rest unlabelled', () => {
  const labels = examplesOf(calls).map(({ label }) => label);

  const labelled = labels.flatMap((label, index) => (label === null ? [] : [{ label, call: calls[index] }]));
  for (const { label, call } of labelled) {
    expect(label).toBe(JSON.stringify([call?.caller.owner, call?.caller.service]));
  }
  expect(labelled.length).toBeGreaterThan(labels.length / 2);
  expect(labelled.length).toBeLessThan(labels.length);
});
