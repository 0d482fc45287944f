import { isDeepStrictEqual } from 'node:util';
import { DAY_MS } from '../../../../schemas/durations.ts';
import type { JobOf } from '../../../../schemas/jobs.ts';
import type { Revision } from '../../../platform/shared/aws/document.store.ts';
import { ulidInId } from '../../../platform/shared/ids.ts';
import type { Clock } from '../../../platform/shared/time/clock.ts';
import { toIso } from '../../../platform/shared/time/toIso.ts';
import type { CountedReader } from '../../rollups/rollup.store.ts';
import type { ArchiveDirectoryWriter } from '../archiveDirectory.store.ts';
import {
  type ArchiveManifest,
  type ArchiveTotals,
  type Day,
  manifestsPrefix,
  startOfDay,
} from '../archivedDay.ts';
import type { ArchiveObjects } from '../archiveObjects.store.ts';
import { addTotals, noTotals, totalsOfRollup } from '../archiveTotals.ts';
import { listDay, namedBy, readManifest } from './dayObjects.ts';
import { LATE_AFTER_MS, logLate } from './lateDays.ts';

/** Files that are not proven yet, with their sums. */
export type Draft = Pick<ArchiveManifest, 'files' | 'totals'>;

export interface PublishStores {
  readonly rollups: CountedReader;
  readonly objects: ArchiveObjects;
  readonly directory: ArchiveDirectoryWriter;
  readonly clock: Clock;
  readonly newId: () => string;
}

/** A unique name. Each attempt writes under names of its own, so that attempts never mix. */
export const attemptName = (jobId: string, newId: () => string): string => `${ulidInId(jobId)}-${newId()}`;

/** The draft in an object. Empty before the first file. */
export const readDraft = (objects: ArchiveObjects, key: string | null): Promise<Draft> =>
  key === null ? Promise.resolve({ files: [], totals: noTotals }) : readManifest(objects, key);

/** The text of a manifest. `now` is in epoch milliseconds. */
export const manifestText = (tenantId: string, day: Day, draft: Draft, now: number): string =>
  JSON.stringify({
    tenant_id: tenantId,
    day,
    written_at: toIso(now),
    totals: draft.totals,
    files: draft.files,
  } satisfies ArchiveManifest);

/** The totals that reports show for a day. */
export const reportedTotals = async (
  rollups: CountedReader,
  tenantId: string,
  day: Day,
): Promise<ArchiveTotals> => {
  const from = startOfDay(day);
  const read = await rollups.read(tenantId, { grain: 'day', from, to: from + DAY_MS });
  return read.map(totalsOfRollup).reduce(addTotals, noTotals);
};

/**
 * Compares the files of a job with the totals of the reports. Only when they are equal to the last digit does the
 * directory name the new files. Files are listed before the directory changes: a job whose files are deleted then started
 * from an older revision of the day, so it cannot publish them. Deletes the files of which the day has no use any more.
 */
export const publishDay = async (
  stores: PublishStores,
  { tenant_id, job_id, request: { day } }: JobOf<'archive'>,
  written: { readonly draft: string | null; readonly expected: Revision | null },
): Promise<void> => {
  const { rollups, objects, directory, clock, newId } = stores;
  const isOwn = (key: string): boolean => key.includes(`/${ulidInId(job_id)}-`);
  const keys = await listDay(objects, tenant_id, day);
  const current = await directory.read(tenant_id, day);
  // An earlier attempt of this step has published the files, and may have deleted the draft.
  if (current?.revision.claim === job_id) {
    const named = await namedBy(objects, current.document.manifest);
    await objects.delete(keys.filter((key) => isOwn(key) && !named.has(key)));
    return;
  }
  const draft = await readDraft(objects, written.draft);
  const files = new Set(draft.files.map(({ key }) => key));
  const existing = new Set(keys);
  if ([...files].some((key) => !existing.has(key))) throw new Error('a file of the archive does not exist');

  const publish = async (): Promise<boolean> => {
    const reported = await reportedTotals(rollups, tenant_id, day);
    if (!isDeepStrictEqual(draft.totals, reported)) {
      if (clock() - startOfDay(day) - DAY_MS > LATE_AFTER_MS) logLate(tenant_id, day, 'sums differ');
      return false;
    }
    const manifest = `${manifestsPrefix(tenant_id, day)}${attemptName(job_id, newId)}.json`;
    await objects.put(manifest, manifestText(tenant_id, day, draft, clock()));
    const { versions, digest } = draft.totals;
    const entry = { day, manifest, versions, digest };
    return directory.put(tenant_id, entry, written.expected, { claim: job_id, attempt: 1 });
  };

  const isPublished = await publish();
  await objects.delete(keys.filter((key) => (isPublished ? !files.has(key) : isOwn(key))));
};
