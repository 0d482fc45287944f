import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import type { JobOf } from '../../../schemas/jobs.ts';
import { withProgress } from '../../jobs/job.ts';
import type { Stepper } from '../../jobs/jobRunner.ts';
import type { LedgerReader } from '../../ledger/ledger.store.ts';
import { ScanPosition } from '../../ledger/query/scanRecords.ts';
import type { CountedReader } from '../../rollups/rollup.store.ts';
import type { Clock } from '../../shared/clock.ts';
import { DAY_MS } from '../../shared/durations.ts';
import { ulidInId } from '../../shared/ids.ts';
import { toIso } from '../../shared/toIso.ts';
import type { ArchiveDirectoryWriter } from '../archiveDirectory.store.ts';
import {
  type ArchiveManifest,
  type ArchiveTotals,
  type Day,
  draftsPrefix,
  manifestsPrefix,
  recordsPrefix,
  startOfDay,
} from '../archivedDay.ts';
import type { ArchiveObjects } from '../archiveObjects.store.ts';
import { addTotals, noTotals, totalsOfRollup } from '../archiveTotals.ts';
import { listDay, namedBy, readManifest } from './dayObjects.ts';
import { LATE_AFTER_MS, logLate } from './lateDays.ts';
import { writeDayFile } from './writeDayFile.ts';

/** Progress of a job between its steps. */
const Cursor = z.object({
  /** Key of the draft of the manifest. Null before the first file. */
  draft: z.string().nullable(),
  /** Where the next file starts. Null after the last one. */
  position: ScanPosition.nullable(),
  /** The revision of the day in the directory when the job started. */
  expected: z.object({ claim: z.string(), attempt: z.int() }).nullable(),
});
type Cursor = z.infer<typeof Cursor>;

type Draft = Pick<ArchiveManifest, 'files' | 'totals'>;

export interface CloseDayStores {
  readonly ledger: LedgerReader;
  readonly rollups: CountedReader;
  readonly objects: ArchiveObjects;
  readonly directory: ArchiveDirectoryWriter;
  readonly clock: Clock;
  readonly newId: () => string;
  /** Rows of a file. Default: about 130,000. */
  readonly fileRows?: number;
}

/** The totals that reports show for a day. */
const reportedTotals = async (rollups: CountedReader, tenantId: string, day: Day): Promise<ArchiveTotals> => {
  const from = startOfDay(day);
  const read = await rollups.read(tenantId, { grain: 'day', from, to: from + DAY_MS });
  return read.map(totalsOfRollup).reduce(addTotals, noTotals);
};

/**
 * Writes a tenant's day to the archive: one file a step, with all versions of its records. In the last step it compares
 * the sums of the files with the totals of the reports. Only when they are equal to the last digit does the directory
 * name the new files, and the files that they replace are deleted. Otherwise the new files are deleted, and the
 * schedule tries again.
 */
export const closeDayStepper = (stores: CloseDayStores): Stepper<JobOf<'archive'>> => {
  const { ledger, rollups, objects, directory, clock, newId, fileRows } = stores;

  const begin = async (tenantId: string, day: Day): Promise<Cursor> => ({
    draft: null,
    position: { shard: 0, after: null },
    expected: (await directory.read(tenantId, day))?.revision ?? null,
  });

  /** A unique name. Each attempt writes under names of its own, so that attempts never mix. */
  const nameOf = (jobId: string): string => `${ulidInId(jobId)}-${newId()}`;

  const readDraft = (key: string | null): Promise<Draft> =>
    key === null ? Promise.resolve({ files: [], totals: noTotals }) : readManifest(objects, key);

  const manifestOf = (tenantId: string, day: Day, draft: Draft) =>
    JSON.stringify({
      tenant_id: tenantId,
      day,
      written_at: toIso(clock()),
      totals: draft.totals,
      files: draft.files,
    } satisfies ArchiveManifest);

  const writeFile = async (job: JobOf<'archive'>, position: ScanPosition, cursor: Cursor) => {
    const { tenant_id, request } = job;
    const draft = await readDraft(cursor.draft);
    const file = await writeDayFile(ledger, { tenantId: tenant_id, day: request.day, position, fileRows });
    const name = nameOf(job.job_id);
    const key = `${recordsPrefix(tenant_id, request.day)}${name}.parquet`;
    await objects.put(key, file.bytes);
    const next = {
      files: [...draft.files, { key, rows: file.rows, bytes: file.bytes.length, ids: file.ids }],
      totals: addTotals(draft.totals, file.totals),
    };
    const draftKey = `${draftsPrefix(tenant_id, request.day)}${name}.json`;
    await objects.put(draftKey, manifestOf(tenant_id, request.day, next));
    const moved: Cursor = { ...cursor, draft: draftKey, position: file.next };
    return withProgress(job, { examined: file.rows, changed: 0, cursor: JSON.stringify(moved) });
  };

  /** Names the new files in the directory, if they are proven. Returns whether it does. */
  const publish = async (
    { tenant_id, job_id, request: { day } }: JobOf<'archive'>,
    cursor: Cursor,
    draft: Draft,
  ) => {
    const reported = await reportedTotals(rollups, tenant_id, day);
    if (!isDeepStrictEqual(draft.totals, reported)) {
      if (clock() - startOfDay(day) - DAY_MS > LATE_AFTER_MS) logLate(tenant_id, day, 'sums differ');
      return false;
    }
    const manifest = `${manifestsPrefix(tenant_id, day)}${nameOf(job_id)}.json`;
    await objects.put(manifest, manifestOf(tenant_id, day, draft));
    const entry = { day, manifest, versions: draft.totals.versions };
    return directory.put(tenant_id, entry, cursor.expected, { claim: job_id, attempt: 1 });
  };

  /**
   * Compares, publishes and cleans up. Files are listed before the directory changes: a job whose files are deleted then
   * started from an older revision of the day, so it cannot publish them.
   */
  const finish = async (job: JobOf<'archive'>, cursor: Cursor): Promise<void> => {
    const { tenant_id, job_id, request } = job;
    const isOwn = (key: string): boolean => key.includes(`/${ulidInId(job_id)}-`);
    const keys = await listDay(objects, tenant_id, request.day);
    const current = await directory.read(tenant_id, request.day);
    // An earlier attempt of this step has published the files, and may have deleted the draft.
    if (current?.revision.claim === job_id) {
      const named = await namedBy(objects, current.document.manifest);
      await objects.delete(keys.filter((key) => isOwn(key) && !named.has(key)));
      return;
    }
    const draft = await readDraft(cursor.draft);
    const files = new Set(draft.files.map(({ key }) => key));
    const existing = new Set(keys);
    if ([...files].some((key) => !existing.has(key))) throw new Error('a file of the archive does not exist');
    const isPublished = await publish(job, cursor, draft);
    await objects.delete(keys.filter((key) => (isPublished ? !files.has(key) : isOwn(key))));
  };

  return async (job) => {
    const { tenant_id, request } = job;
    const cursor =
      job.cursor === null ? await begin(tenant_id, request.day) : Cursor.parse(JSON.parse(job.cursor));
    if (cursor.position !== null) {
      return { job: await writeFile(job, cursor.position, cursor), isDone: false };
    }
    await finish(job, cursor);
    return { job, isDone: true };
  };
};
