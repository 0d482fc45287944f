import * as z from 'zod';
import type { JobOf } from '../../../../schemas/jobs.ts';
import { withProgress } from '../../../platform/jobs/job.ts';
import type { Stepper, StepResult } from '../../../platform/jobs/jobRunner.ts';
import type { LedgerReader } from '../../records/ledger.store.ts';
import { ScanPosition } from '../../records/query/scanRecords.ts';
import { draftsPrefix, recordsPrefix, startOfDay } from '../archivedDay.ts';
import { addTotals } from '../archiveTotals.ts';
import { mayExpireSoon } from '../hotDays.ts';
import { type KeepStores, keepRows } from './keepRows.ts';
import { attemptName, manifestText, type PublishStores, publishDay, readDraft } from './publishDay.ts';
import { writeDayFile } from './writeDayFile.ts';

/** Rows that one step examines, and whose expiry it extends: about a minute if all of them are in no file. */
const KEEP_ROWS = 50_000;

const Revision = z.object({ claim: z.string(), attempt: z.int() });
/** The revision of the day in the directory when the phase started. */
const expected = Revision.nullable();
/** Key of the draft of the manifest. Null before the first file. */
const draft = z.string().nullable();
const START: ScanPosition = { shard: 0, after: null };

/** Progress of a job between its steps. */
const Cursor = z.discriminatedUnion('phase', [
  z.object({ phase: z.literal('keep'), position: ScanPosition }),
  z.object({ phase: z.literal('write'), draft, expected, position: ScanPosition }),
  z.object({ phase: z.literal('publish'), draft, expected }),
]);
type Cursor = z.infer<typeof Cursor>;
type CursorOf<Phase extends Cursor['phase']> = Extract<Cursor, { phase: Phase }>;

type ArchiveJob = JobOf<'archive'>;

export interface CloseDayStores extends PublishStores {
  /** The rows of the table and the files of the archive. */
  readonly ledger: LedgerReader;
  readonly keep: KeepStores;
  /** Rows of a file. Default: about 130,000. */
  readonly fileRows?: number;
  /** Rows that one step examines before their expiry. Default: 50,000. */
  readonly keepRows?: number;
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
 * files, if their sums equal the totals of the reports. Otherwise they are deleted, and the schedule tries again.
 * If rows of the day may soon leave the table, those in no file are kept first, so that no failure of the other steps loses
 * them.
 */
export const closeDayStepper = (stores: CloseDayStores): Stepper<ArchiveJob> => {
  const { ledger, objects, directory, clock, newId } = stores;

  const startWriting = async ({ tenant_id, request }: ArchiveJob): Promise<Cursor> => {
    const current = await directory.read(tenant_id, request.day);
    return { phase: 'write', draft: null, expected: current?.revision ?? null, position: START };
  };

  const begin = async (job: ArchiveJob): Promise<Cursor> =>
    mayExpireSoon(startOfDay(job.request.day), clock())
      ? { phase: 'keep', position: START }
      : startWriting(job);

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

  const keep = async (job: ArchiveJob, cursor: CursorOf<'keep'>) => {
    const { examined, next } = await keepRows(stores.keep, {
      tenantId: job.tenant_id,
      day: job.request.day,
      position: cursor.position,
      now: clock(),
      rowsMaximum: stores.keepRows ?? KEEP_ROWS,
    });
    return advance(job, examined, next === null ? await startWriting(job) : { ...cursor, position: next });
  };

  return async (job) => {
    const cursor = job.cursor === null ? await begin(job) : Cursor.parse(JSON.parse(job.cursor));
    switch (cursor.phase) {
      case 'write':
        return writeFile(job, cursor);
      case 'publish':
        await publishDay(stores, job, cursor);
        return advance(job, 0, null);
      case 'keep':
        return keep(job, cursor);
    }
  };
};
