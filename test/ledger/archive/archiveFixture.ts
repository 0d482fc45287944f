import { randomUUID } from 'node:crypto';
import { archiveDirectoryWriter } from '../../../functions/ledger/archive/archiveDirectory.store.ts';
import { ArchiveManifest } from '../../../functions/ledger/archive/archivedDay.ts';
import { closeDayStepper } from '../../../functions/ledger/archive/closing/closeDayJob.ts';
import {
  type ExtendExpiry,
  expiryExtender,
} from '../../../functions/ledger/archive/closing/rowExpiry.store.ts';
import { archivedLedger } from '../../../functions/ledger/archive/reading/archivedLedger.ts';
import { archivedVersions } from '../../../functions/ledger/archive/reading/archivedVersions.ts';
import { type LedgerReader, ledgerReader } from '../../../functions/ledger/records/ledger.store.ts';
import { rollupReader } from '../../../functions/ledger/rollups/rollup.store.ts';
import { newJob } from '../../../functions/platform/jobs/job.ts';
import { ulidOf } from '../../../functions/platform/shared/ulid.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import type { Job, JobOf } from '../../../schemas/jobs.ts';
import { type TestRecord, testRecord, writeRecord } from '../records/ledgerFixture.ts';
import { minuteOf, testComputer } from '../rollups/rollupFixture.ts';
import { simulatedObjects } from './simulatedObjects.ts';

export const DAY = '2026-03-15';
export const MARCH = Date.parse(`${DAY}T00:00:00Z`);
/** The night after the next day. */
export const CLOSING = Date.parse('2026-03-17T04:00:00Z');
/** Steps of a job after which a test fails instead of looping. */
const STEPS_MAXIMUM = 50;

const isArchiveJob = (job: Job): job is JobOf<'archive'> => job.request.type === 'archive';

/** The archive on real tables and a simulated bucket. */
export const startArchive = (
  options: {
    readonly fileRows?: number;
    readonly keepRows?: number;
    readonly now?: () => number;
    readonly extendExpiry?: ExtendExpiry;
  } = {},
) => {
  const clock = options.now ?? (() => CLOSING);
  const rollups = rollupReader('rollups');
  const directory = archiveDirectoryWriter('ledger');
  const bucket = simulatedObjects();
  const archived = archivedVersions({ directory, objects: bucket.objects, clock });
  const rows = ledgerReader('ledger', clock);
  const ledger: LedgerReader = archivedLedger(rows, archived);
  const compute = testComputer({ ledger, clock });
  let created = 0;

  const stepper = (reader: LedgerReader = ledger) =>
    closeDayStepper({
      ledger: reader,
      rollups,
      objects: bucket.objects,
      directory,
      clock,
      newId: randomUUID,
      keep: { rows, archive: archived, extendExpiry: options.extendExpiry ?? expiryExtender('ledger') },
      ...(options.fileRows !== undefined && { fileRows: options.fileRows }),
      ...(options.keepRows !== undefined && { keepRows: options.keepRows }),
    });
  const archiveJob = (tenant: Tenant, day = DAY): JobOf<'archive'> => {
    created += 1;
    const job = newJob(
      tenant,
      ulidOf(clock() + created, new Uint8Array(10)),
      { type: 'archive', day },
      clock(),
    );
    if (!isArchiveJob(job)) throw new Error('the job has another type');
    return job;
  };
  /** Runs a job to its end. `repeat` runs a step again after its error, as the queue does. */
  const run = async (first: JobOf<'archive'>, repeat = false): Promise<void> => {
    let job = first;
    const step = stepper();
    for (let steps = 0; steps < STEPS_MAXIMUM; steps += 1) {
      try {
        const result = await step(job);
        if (result.isDone) return;
        job = result.job;
      } catch (error) {
        if (!repeat) throw error;
      }
    }
    throw new Error('the job does not end');
  };
  /** Runs a job until a step fails. Returns the job before that step; null when the job is complete. */
  const runUntilFailure = async (first: JobOf<'archive'>): Promise<JobOf<'archive'> | null> => {
    let job = first;
    const step = stepper();
    for (;;) {
      const result = await step(job).catch(() => null);
      if (result === null) return job;
      if (result.isDone) return null;
      job = result.job;
    }
  };
  /** Writes records of the day and sums them. */
  const write = async (tenant: Tenant, records: readonly TestRecord[]): Promise<void> => {
    for (const record of records) await writeRecord(tenant, record, record.occurredAt + 1_000);
    await compute(
      tenant,
      records.map(({ occurredAt }) => minuteOf(occurredAt)),
    );
  };

  return {
    bucket,
    clock,
    archived,
    /** The rows of the table only. */
    rows,
    ledger,
    rollups,
    directory,
    compute,
    stepper,
    archiveJob,
    run,
    runUntilFailure,
    write,
    close: (tenant: Tenant, day = DAY) => run(archiveJob(tenant, day)),
    /** The manifest that the directory names. Null when the day is not closed. */
    manifest: async (tenant: Tenant, day = DAY): Promise<ArchiveManifest | null> => {
      const entry = await directory.read(tenant.tenant_id, day);
      const body = entry === null ? undefined : bucket.stored.get(entry.document.manifest);
      return body === undefined ? null : ArchiveManifest.parse(JSON.parse(Buffer.from(body).toString()));
    },
  };
};

/** Records of the day, a minute apart, over shards when there are several numbers of shard bits. */
export const recordsOfDay = (
  count: number,
  shardBitsList: readonly number[] = [0],
  start = MARCH,
): TestRecord[] =>
  Array.from({ length: count }, (_, index) => testRecord(start + index * 60_000, index, shardBitsList));
