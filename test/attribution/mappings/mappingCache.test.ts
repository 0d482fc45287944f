import { expect, it } from 'vitest';
import { mappingCache } from '../../../functions/attribution/mappings/mappingCache.ts';
import type { IdentityMapping } from '../../../schemas/attribution/identityMapping.ts';
import { aMapping } from './mappings.ts';

/** A simulated reader that counts reads of all mappings. */
const simulateReader = () => {
  const state = { revision: 'none', mappings: [] as IdentityMapping[], reads: 0 };
  const reader = {
    revision: async () => state.revision,
    all: async () => {
      state.reads += 1;
      return state.mappings;
    },
  };
  return { state, reader };
};

it('reads the mappings again only when their revision changed', async () => {
  const { state, reader } = simulateReader();
  const mappingsOf = mappingCache(reader, 10);
  await mappingsOf('acme');
  const empty = await mappingsOf('acme');
  const before = state.reads;
  const same = await mappingsOf('acme');
  const between = state.reads;

  [state.revision, state.mappings] = ['first', [aMapping(1)]];
  const changed = await mappingsOf('acme');

  expect([between - before, same]).toEqual([0, empty]);
  expect([empty.version, changed.version]).toEqual([null, expect.stringMatching(/^mappings-/)]);
});

it('finds a change when the first read saw the new revision but not the new mapping', async () => {
  const { state, reader } = simulateReader();
  const mappingsOf = mappingCache(reader, 10);
  state.revision = 'first';
  const partial = await mappingsOf('acme');

  state.mappings = [aMapping(1)];
  const complete = await mappingsOf('acme');

  expect([partial.version, complete.version]).toEqual([null, expect.stringMatching(/^mappings-/)]);
});

it('caches at most the given number of tenants', async () => {
  const { state, reader } = simulateReader();
  const mappingsOf = mappingCache(reader, 2);
  const readUntilStable = async (tenantId: string) => {
    await mappingsOf(tenantId);
    await mappingsOf(tenantId);
  };
  for (const tenantId of ['one', 'two', 'three']) await readUntilStable(tenantId);
  const before = state.reads;

  await mappingsOf('three');
  const known = state.reads - before;
  await mappingsOf('one');

  expect([known, state.reads - before]).toEqual([0, 1]);
});
