import { SendMessageCommand } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { Job } from '../../schemas/jobs.ts';
import {
  commit,
  listDocuments,
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
  readonly read: (place: Pick<Job, 'tenant_id' | 'job_id'>) => Promise<Versioned<Job> | null>;
  /** The newest jobs of a tenant, the newest first. */
  readonly newest: (tenantId: string, limit: number) => Promise<Job[]>;
  /** The write that makes a job known; it fails when there is one of this id. */
  readonly create: (job: Job, by: Revision) => Write;
  /** Saves where a job stands; false when somebody else has taken it over since `seen`. */
  readonly save: (job: Job, seen: Revision, by: Revision) => Promise<boolean>;
}

export const jobStore = (table: string): JobStore => {
  const put = (job: Job, seen: Revision | null, by: Revision): Write =>
    writeDocument(table, keyOf(job), job, {
      expectedRevision: seen,
      by,
      ttl: Math.ceil(Date.parse(job.created_at) / 1_000) + JOB_RETENTION_SECONDS,
    });
  return {
    read: (place) => readVersioned(table, keyOf(place), Job),
    newest: (tenantId, limit) => listDocuments(table, tenantId, { descending: true, limit }, Job),
    create: (job, by) => put(job, null, by),
    save: (job, seen, by) => commit([put(job, seen, by)]),
  };
};

/** What names a job on its queue. */
export const JobMessage = z.object({ tenant_id: z.string(), job_id: z.string() });
export type JobMessage = z.infer<typeof JobMessage>;

export interface JobQueue {
  /** Has a job begun, or gone on with. Sent twice it still runs once: whoever takes it over shuts the other out. */
  readonly send: (job: JobMessage) => Promise<void>;
  /** The same for a job that follows from a change of what serves, once all who predict have noticed it. */
  readonly sendAfterPropagation: (job: JobMessage) => Promise<void>;
}

/** `noticeSeconds` is how long it takes until all who predict have noticed a change of what serves. */
export const jobQueue = (queueUrl: string, propagationSeconds: number): JobQueue => {
  const sendAfter = async ({ tenant_id, job_id }: JobMessage, seconds: number): Promise<void> => {
    const body: JobMessage = { tenant_id, job_id };
    await sqs.send(
      new SendMessageCommand({
        QueueUrl: queueUrl,
        MessageBody: JSON.stringify(body),
        DelaySeconds: seconds,
      }),
    );
  };
  return {
    send: (job) => sendAfter(job, 0),
    sendAfterPropagation: (job) => sendAfter(job, propagationSeconds),
  };
};
