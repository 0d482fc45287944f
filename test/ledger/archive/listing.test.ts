import fc from 'fast-check';
import { afterAll, describe, it } from 'vitest';
import { utcDateOf } from '../../../functions/platform/shared/time/toIso.ts';
import { DAY_MS } from '../../../schemas/durations.ts';
import { runs } from '../../support/properties.ts';
import { startTables } from '../../support/tables.ts';
import { listingFixture, START } from '../records/listingFixture.ts';
import { type ArchiveDays, expectExact, scenarios } from '../records/listingScenario.ts';
import { minuteOf } from '../rollups/rollupFixture.ts';
import { startArchive } from './archiveFixture.ts';
import { expireArchivedRows } from './expireRows.ts';

const live = await startTables();
afterAll(() => live.stop());

/** Far enough ahead that nearly all records of a listing are cold. */
const NOW = START + 30 * DAY_MS;

describe('lists of records of which some are in files', () => {
  it('return every record exactly once, in order, in its version at the start, while days are archived and corrected', async () => {
    await fc.assert(
      fc.asyncProperty(scenarios, fc.constantFrom(2, 1_000), async (scene, fileRows) => {
        const archive = startArchive({ now: () => NOW, fileRows });
        const archiveDays: ArchiveDays = async ({ tenant, times }, part, expires) => {
          const days = [...new Set(times().map(utcDateOf))].filter((_, index) => index % 3 !== part);
          await archive.compute(tenant, times().map(minuteOf));
          for (const day of days.filter((one) => archive.archived.isCold(Date.parse(one) + DAY_MS))) {
            await archive.close(tenant, day);
            if (expires) await expireArchivedRows(live.client, archive, tenant, day);
          }
        };
        await expectExact(scene, listingFixture(scene.shardBits, archive.archived), archiveDays);
      }),
      { numRuns: runs(10) },
    );
  });
});
