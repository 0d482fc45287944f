import { expect, it } from 'vitest';
import { mappingCache } from '../../../functions/attribution/mappings/mappingCache.ts';
import type { IdentityMapping } from '../../../schemas/attribution/identityMapping.ts';
import { aMapping } from '../../identity/mappings.ts';

/** A table whose every reading of all mappings is counted. */
const simulated = () => {
  const state = { revision: 0, mappings: [] as IdentityMapping[], readings: 0 };
  const reader = {
    revision: async () => state.revision,
    all: async () => {
      state.readings += 1;
      return state.mappings;
    },
  };
  return { state, reader };
};

it('reads the mappings again only when something changed', async () => {
  const { state, reader } = simulated();
  const mappingsOf = mappingCache(reader, 10);
  await mappingsOf('acme');
  const empty = await mappingsOf('acme');
  const before = state.readings;
  const same = await mappingsOf('acme');
  const between = state.readings;

  [state.revision, state.mappings] = [1, [aMapping(1)]];
  const changed = await mappingsOf('acme');

  expect([between - before, same]).toEqual([0, empty]);
  expect([empty.version, changed.version]).toEqual([null, expect.stringMatching(/^mappings-/)]);
});

it('finds out about a change of which it first saw the revision alone', async () => {
  const { state, reader } = simulated();
  const mappingsOf = mappingCache(reader, 10);
  state.revision = 1;
  const half = await mappingsOf('acme');

  state.mappings = [aMapping(1)];
  const whole = await mappingsOf('acme');

  expect([half.version, whole.version]).toEqual([null, expect.stringMatching(/^mappings-/)]);
});

it('remembers so many tenants and no more', async () => {
  const { state, reader } = simulated();
  const mappingsOf = mappingCache(reader, 2);
  const settle = async (tenantId: string) => {
    await mappingsOf(tenantId);
    await mappingsOf(tenantId);
  };
  for (const tenantId of ['one', 'two', 'three']) await settle(tenantId);
  const before = state.readings;

  await mappingsOf('three');
  const known = state.readings - before;
  await mappingsOf('one');

  expect([known, state.readings - before]).toEqual([0, 1]);
});
