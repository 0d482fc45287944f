import { expect, it } from 'vitest';
import { patternMappings, usualMappings } from '../../bench/benchMappings.ts';
import { callersOf, callsOf } from '../../bench/callers.ts';
import { matchMappings } from '../../functions/attribution/mappings/mappingRules.ts';
import { MAPPINGS_MAXIMUM } from '../../schemas/attribution/identityMapping.ts';

const calls = callsOf('calls', callersOf(200), 200, { from: 0, to: 1 }).map(({ event }) => event);
const now = Date.parse('2026-07-15T12:00:00Z');

it('places most calls by the usual mappings', () => {
  const mappings = usualMappings();

  const placed = calls.filter((event) => matchMappings(mappings, event, now).length > 0);

  expect(placed.length).toBeGreaterThan(calls.length / 2);
});

it('holds every call against all the patterns, in vain', () => {
  const mappings = patternMappings();

  expect(mappings.unindexed).toHaveLength(MAPPINGS_MAXIMUM);
  expect(calls.flatMap((event) => matchMappings(mappings, event, now))).toEqual([]);
});
