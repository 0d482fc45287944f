import fc from 'fast-check';
import { afterAll, describe, it } from 'vitest';
import { runs } from '../../support/properties.ts';
import { startTables } from '../../support/tables.ts';
import { listingFixture } from './listingFixture.ts';
import { expectExact, scenarios } from './listingScenario.ts';

const live = await startTables();
afterAll(() => live.stop());

describe('selectRecords, with concurrent writes', () => {
  it('returns every initial record exactly once, in order, in its version at the start', async () => {
    await fc.assert(
      fc.asyncProperty(scenarios, async (scene) => {
        await expectExact(scene, listingFixture(scene.shardBits));
      }),
      { numRuns: runs(30) },
    );
  });
});
