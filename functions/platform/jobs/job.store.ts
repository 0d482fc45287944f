import { SendMessageCommand } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { Job } from '../../../schemas/jobs.ts';
import {
  commit,
  type DocumentRange,
  listReadable,
  type Revision,
  readVersioned,
  type Versioned,
  type Write,
  writeDocument,
} from '../shared/aws/document.store.ts';
import { sqs } from '../shared/aws/sqs.client.ts';
import { ulidInId } from '../shared/ids.ts';
import { JOB_RETENTION_SECONDS } from './job.ts';

const keyOf = ({ tenant_id, job_id }: Pick<Job, 'tenant_id' | 'job_id'>) => ({
  pk: tenant_id,
  sk: ulidInId(job_id),
});

export interface JobStore {
  readonly read: (key: Pick<Job, 'tenant_id' | 'job_id'>) => Promise<Versioned<Job> | null>;
  /** Sorted by creation time. */
  readonly list: (tenantId: string, range: DocumentRange) => Promise<Job[]>;
  /** The write that creates a job. It fails when a job with this id exists. */
  readonly create: (job: Job, by: Revision) => Write;
  /** Saves a job. Returns false when another worker has saved it since `expected`. */
  readonly save: (job: Job, expected: Revision, by: Revision) => Promise<boolean>;
}

export const jobStore = (table: string): JobStore => {
  const put = (job: Job, expected: Revision | null, by: Revision): Write =>
    writeDocument(table, keyOf(job), job, {
      expectedRevision: expected,
      by,
      ttl: Math.ceil(Date.parse(job.created_at) / 1_000) + JOB_RETENTION_SECONDS,
    });
  return {
    read: (key) => readVersioned(table, keyOf(key), Job),
    list: (tenantId, range) => listReadable(table, tenantId, range, Job),
    create: (job, by) => put(job, null, by),
    save: (job, expected, by) => commit([put(job, expected, by)]),
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
