import * as z from 'zod';
import type { JobOf } from '../../../schemas/jobs.ts';
import { withProgress } from '../../jobs/job.ts';
import type { Stepper, StepResult } from '../../jobs/jobRunner.ts';
import type { LedgerReader } from '../../ledger/ledger.store.ts';
import { ScanPosition } from '../../ledger/query/scanRecords.ts';
import { draftsPrefix, recordsPrefix } from '../archivedDay.ts';
import { addTotals } from '../archiveTotals.ts';
import { HOT_MS, isTrimDue } from '../hotDays.ts';
import {
  attemptName,
  manifestText,
  type PublishStores,
  publishDay,
  readDraft,
  reportedTotals,
} from './publishDay.ts';
import { type TrimStores, trimDay } from './trimDay.ts';
import { writeDayFile } from './writeDayFile.ts';

/** Rows that one step examines for deletion: at most 2,000 calls of the table, about 10 seconds. */
const TRIM_ROWS = 50_000;

const Revision = z.object({ claim: z.string(), attempt: z.int() });
/** The revision of the day in the directory when the phase started. */
const expected = Revision.nullable();
/** Key of the draft of the manifest. Null before the first file. */
const draft = z.string().nullable();
const START: ScanPosition = { shard: 0, after: null };

/** Progress of a job between its steps. */
const Cursor = z.discriminatedUnion('phase', [
  z.object({ phase: z.literal('write'), draft, expected, position: ScanPosition }),
  z.object({ phase: z.literal('publish'), draft, expected }),
  z.object({ phase: z.literal('trim'), expected: Revision, position: ScanPosition, kept: z.int() }),
]);
type Cursor = z.infer<typeof Cursor>;
type CursorOf<Phase extends Cursor['phase']> = Extract<Cursor, { phase: Phase }>;

type ArchiveJob = JobOf<'archive'>;

export interface CloseDayStores extends PublishStores {
  /** The rows of the table and the files of the archive. */
  readonly ledger: LedgerReader;
  readonly trim: TrimStores;
  /** Rows of a file. Default: about 130,000. */
  readonly fileRows?: number;
  /** Rows that one step examines for deletion. Default: 50,000. */
  readonly trimRows?: number;
}

/** The job after a step. Without a cursor it is complete. */
const advance = (job: ArchiveJob, examined: number, cursor: Cursor | null): StepResult<ArchiveJob> => ({
  job: withProgress(job, {
    examined,
    changed: 0,
    cursor: cursor === null ? job.cursor : JSON.stringify(cursor),
  }),
  isDone: cursor === null,
});

/**
 * Writes a tenant's day to the archive: one file a step, with all versions of its records. The next step publishes the
 * files, if their sums equal the totals of the reports. Otherwise they are deleted, and the schedule tries again. Then, on
 * days that are old enough, rows that are in the published files are deleted from the table. A day that is only due for
 * that is not written again.
 */
export const closeDayStepper = (stores: CloseDayStores): Stepper<ArchiveJob> => {
  const { ledger, rollups, objects, directory, clock, newId, trim } = stores;

  /** Null when no row of the day is due for deletion. */
  const startTrim = async ({ tenant_id, request }: ArchiveJob): Promise<Cursor | null> => {
    const current = await directory.read(tenant_id, request.day);
    if (current === null || !isTrimDue(current.document, clock())) return null;
    return { phase: 'trim', expected: current.revision, position: START, kept: 0 };
  };

  const begin = async (job: ArchiveJob): Promise<Cursor> => {
    const { tenant_id, request } = job;
    const current = await directory.read(tenant_id, request.day);
    const trimming = await startTrim(job);
    if (trimming !== null) {
      const { versions } = await reportedTotals(rollups, tenant_id, request.day);
      if (current?.document.versions === versions) return trimming;
    }
    return { phase: 'write', draft: null, expected: current?.revision ?? null, position: START };
  };

  const writeFile = async (job: ArchiveJob, cursor: CursorOf<'write'>) => {
    const { tenant_id, request } = job;
    const { position } = cursor;
    const before = await readDraft(objects, cursor.draft);
    const file = await writeDayFile(ledger, {
      tenantId: tenant_id,
      day: request.day,
      position,
      fileRows: stores.fileRows,
    });
    const name = attemptName(job.job_id, newId);
    const key = `${recordsPrefix(tenant_id, request.day)}${name}.parquet`;
    await objects.put(key, file.bytes);
    const after = {
      files: [...before.files, { key, rows: file.rows, bytes: file.bytes.length, ids: file.ids }],
      totals: addTotals(before.totals, file.totals),
    };
    const draftKey = `${draftsPrefix(tenant_id, request.day)}${name}.json`;
    await objects.put(draftKey, manifestText(tenant_id, request.day, after, clock()));
    const written = { draft: draftKey, expected: cursor.expected };
    return advance(
      job,
      file.rows,
      file.next === null
        ? { phase: 'publish', ...written }
        : { phase: 'write', ...written, position: file.next },
    );
  };

  const trimRows = async (job: ArchiveJob, cursor: CursorOf<'trim'>) => {
    const { tenant_id, request } = job;
    const { day } = request;
    const now = clock();
    const { position, expected: revision } = cursor;
    const rowsMaximum = stores.trimRows ?? TRIM_ROWS;
    const before = now - HOT_MS;
    const part = await trimDay(trim, { tenantId: tenant_id, day, position, before, rowsMaximum });
    const kept = cursor.kept + part.kept;
    const examined = part.deleted + part.kept;
    if (part.next !== null) return advance(job, examined, { ...cursor, position: part.next, kept });
    const current = await directory.read(tenant_id, day);
    if (current !== null) {
      const entry = { ...current.document, trim_at: kept === 0 ? null : now + HOT_MS };
      const by = { claim: job.job_id, attempt: revision.attempt + 1 };
      // A day that was published meanwhile has its own time. It is examined again then.
      await directory.put(tenant_id, entry, revision, by);
    }
    return advance(job, examined, null);
  };

  return async (job) => {
    const cursor = job.cursor === null ? await begin(job) : Cursor.parse(JSON.parse(job.cursor));
    switch (cursor.phase) {
      case 'write':
        return writeFile(job, cursor);
      case 'publish':
        await publishDay(stores, job, cursor);
        return advance(job, 0, await startTrim(job));
      case 'trim':
        return trimRows(job, cursor);
    }
  };
};
