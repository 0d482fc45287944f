import { DAY_MS } from '../../../../schemas/durations.ts';
import { CONFLICT, retryOnConflict } from '../../../platform/shared/retry/retryOnConflict.ts';
import type { Clock } from '../../../platform/shared/time/clock.ts';
import { startOfMonth, startOfNextMonth } from '../../../platform/shared/time/month.ts';
import { utcDateOf } from '../../../platform/shared/time/toIso.ts';
import type { ReadMonths } from '../../records/month.store.ts';
import type { ArchiveDirectoryWriter } from '../archiveDirectory.store.ts';
import { type Day, manifestsPrefix } from '../archivedDay.ts';
import type { ArchiveObjects } from '../archiveObjects.store.ts';
import { noTotals } from '../archiveTotals.ts';
import { manifestText } from '../closing/publishDay.ts';

/** A job that is fenced publishes nothing more, so few rounds are lost. */
const MAX_ATTEMPTS = 8;

/**
 * Gives every day of a tenant with records a new revision in the directory. A job that closes a day publishes it only if the
 * revision is the one from before it read the day. So nothing that was read before this call is published after it. A day
 * without files is listed without any: its content differs, so the next night writes it.
 */
export const fenceDays = async (
  stores: {
    readonly objects: ArchiveObjects;
    readonly directory: ArchiveDirectoryWriter;
    readonly monthsOf: ReadMonths;
    readonly clock: Clock;
    readonly newId: () => string;
  },
  tenantId: string,
  now: number,
): Promise<void> => {
  const { objects, directory, monthsOf, clock, newId } = stores;

  const fence = (day: Day): Promise<undefined> =>
    retryOnConflict(
      async () => {
        const current = await directory.read(tenantId, day);
        const by = { claim: newId(), attempt: 1 };
        if (current !== null) {
          return (await directory.put(tenantId, current.document, current.revision, by))
            ? undefined
            : CONFLICT;
        }
        const manifest = `${manifestsPrefix(tenantId, day)}${newId()}.json`;
        await objects.put(manifest, manifestText(tenantId, day, { files: [], totals: noTotals }, clock()));
        const { versions, digest } = noTotals;
        return (await directory.put(tenantId, { day, manifest, versions, digest }, null, by))
          ? undefined
          : CONFLICT;
      },
      { maxAttempts: MAX_ATTEMPTS, subject: `the archive of ${day}` },
    );

  for (const month of new Set((await monthsOf(tenantId)).map((open) => open.month))) {
    const end = Math.min(startOfNextMonth(month), now);
    for (let start = startOfMonth(month); start < end; start += DAY_MS) await fence(utcDateOf(start));
  }
};
