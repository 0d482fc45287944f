import { SendMessageCommand } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { Job } from '../../../schemas/jobs.ts';
import {
  commit,
  type DocumentRange,
  deleteDocument,
  listReadable,
  putDocument,
  type Revision,
  readVersioned,
  type Versioned,
  type Write,
  writeDocument,
} from '../shared/aws/document.store.ts';
import { sqs } from '../shared/aws/sqs.client.ts';
import { ulidInId } from '../shared/ids.ts';
import { isFinished, JOB_RETENTION_SECONDS } from './job.ts';

/** Most unfinished jobs in one answer. */
const UNFINISHED_MAXIMUM = 500;

const keyOf = ({ tenant_id, job_id }: Pick<Job, 'tenant_id' | 'job_id'>) => ({
  pk: tenant_id,
  sk: ulidInId(job_id),
});

/** The row that says that a job is not finished. It is written and deleted together with the state of the job. */
const unfinishedKeyOf = ({ tenant_id, job_id }: Pick<Job, 'tenant_id' | 'job_id'>) => ({
  pk: `${tenant_id}#unfinished`,
  sk: ulidInId(job_id),
});

/** What such a row says of its job. It does not change. */
const UnfinishedJob = Job.pick({ tenant_id: true, job_id: true, created_at: true, request: true });
export type UnfinishedJob = z.infer<typeof UnfinishedJob>;

export interface JobStore {
  readonly read: (key: Pick<Job, 'tenant_id' | 'job_id'>) => Promise<Versioned<Job> | null>;
  /** Sorted by creation time. */
  readonly list: (tenantId: string, range: DocumentRange) => Promise<Job[]>;
  /** Those that are not finished, the earliest first, at most 500, whatever was created since. */
  readonly listUnfinished: (tenantId: string) => Promise<UnfinishedJob[]>;
  /** The writes that create a job. They fail when a job with this id exists. */
  readonly create: (job: Job, by: Revision) => readonly Write[];
  /** Saves a job. Returns false when another worker has saved it since `expected`. */
  readonly save: (job: Job, expected: Revision, by: Revision) => Promise<boolean>;
}

export const jobStore = (table: string): JobStore => {
  const expiryOf = ({ created_at }: Job): number =>
    Math.ceil(Date.parse(created_at) / 1_000) + JOB_RETENTION_SECONDS;
  const put = (job: Job, expected: Revision | null, by: Revision): Write =>
    writeDocument(table, keyOf(job), job, { expectedRevision: expected, by, ttl: expiryOf(job) });
  return {
    read: (key) => readVersioned(table, keyOf(key), Job),
    list: (tenantId, range) => listReadable(table, tenantId, range, Job),
    listUnfinished: (tenantId) => {
      const { pk } = unfinishedKeyOf({ tenant_id: tenantId, job_id: '' });
      return listReadable(table, pk, { descending: false, limit: UNFINISHED_MAXIMUM }, UnfinishedJob);
    },
    create: (job, by) => {
      const row = putDocument(table, unfinishedKeyOf(job), UnfinishedJob.parse(job), { ttl: expiryOf(job) });
      return isFinished(job) ? [put(job, null, by)] : [put(job, null, by), row];
    },
    save: (job, expected, by) =>
      commit([
        put(job, expected, by),
        ...(isFinished(job) ? [deleteDocument(table, unfinishedKeyOf(job))] : []),
      ]),
  };
};

/** The queue message of a job. */
export const JobMessage = z.object({ tenant_id: z.string(), job_id: z.string() });
export type JobMessage = z.infer<typeof JobMessage>;

export interface JobQueue {
  /**
   * Queues a job to be started or continued. A duplicate message is harmless: a worker that takes a job over fences the
   * other.
   */
  readonly send: (job: JobMessage) => Promise<void>;
  /** Queues a job with a delay, so that all workers use a changed serving state before the job runs. */
  readonly sendAfterPropagation: (job: JobMessage) => Promise<void>;
}

/** `propagationSeconds` is how long a change of the serving state takes to reach all workers that predict. */
export const jobQueue = (queueUrl: string, propagationSeconds: number): JobQueue => {
  const sendAfter = async ({ tenant_id, job_id }: JobMessage, seconds: number): Promise<void> => {
    const body: JobMessage = { tenant_id, job_id };
    await sqs.send(
      new SendMessageCommand({
        QueueUrl: queueUrl,
        MessageBody: JSON.stringify(body),
        DelaySeconds: seconds,
        MessageGroupId: tenant_id,
      }),
    );
  };
  return {
    send: (job) => sendAfter(job, 0),
    sendAfterPropagation: (job) => sendAfter(job, propagationSeconds),
  };
};
