import { expect, it } from 'vitest';
import { patternMappings, typicalMappings } from '../../../bench/attribution/benchMappings.ts';
import { callersOf, callsOf } from '../../../bench/attribution/callers.ts';
import { matchMappings } from '../../../functions/attribution/mappings/mappingRules.ts';
import { MAPPINGS_MAXIMUM } from '../../../schemas/attribution/identityMapping.ts';

const calls = callsOf('calls', callersOf(200), 200, { from: 0, to: 1 }).map(({ event }) => event);
const now = Date.parse('2026-07-15T12:00:00Z');

it('matches most calls with the typical mappings', () => {
  const mappings = typicalMappings();

  const matched = calls.filter((event) => matchMappings(mappings, event, now).length > 0);

  expect(matched.length).toBeGreaterThan(calls.length / 2);
});

it('leaves all glob patterns unindexed and matches none of them', () => {
  const mappings = patternMappings();

  expect(mappings.unindexed).toHaveLength(MAPPINGS_MAXIMUM);
  expect(calls.flatMap((event) => matchMappings(mappings, event, now))).toEqual([]);
});
