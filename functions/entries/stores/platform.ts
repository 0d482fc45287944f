import { randomUUID } from 'node:crypto';
import { resultStore } from '../../platform/http/pages/result.store.ts';
import { idempotencyClaims } from '../../platform/idempotency/idempotencyClaim.store.ts';
import { type JobStore, jobQueue, jobStore } from '../../platform/jobs/job.store.ts';
import { bucketStore } from '../../platform/limits/bucket.store.ts';
import { lastUse } from '../../platform/limits/lastUse.store.ts';
import { type Limiter, limiter } from '../../platform/limits/limiter.ts';
import { outbox } from '../../platform/outbox/outbox.store.ts';
import { raisedEventReader } from '../../platform/outbox/raisedEvents.store.ts';
import { settings } from '../../platform/shared/settings.ts';
import { tenantDirectory, tenantReader } from '../../platform/tenancy/tenant.store.ts';
import { type Environment, once } from './provider.ts';

export const resultsPage = (table: string) => ({ results: resultStore(table, randomUUID) });

export const tenantsRead = (table: string) => ({ tenants: tenantReader(table) });

/** One for all who charge or read, because it holds the leases of buckets. */
const limiterIn = /* @__PURE__ */ once(({ resourceOf, clock }) =>
  limiter(bucketStore(resourceOf('limits.charge')), { clock, scale: settings.RATE_LIMIT_SCALE }),
);
export const limitsCharge = (_: string, environment: Environment) => ({ limiter: limiterIn(environment) });
export const limitsRead = (
  _: string,
  environment: Environment,
): { readonly limiter: Pick<Limiter, 'peek'> } => ({
  limiter: limiterIn(environment),
});
export const limitsUsage = (table: string) => ({ lastUse: lastUse(table) });

export const outboxAppend = (table: string) => ({ outbox: outbox(table) });
export const outboxRead = (table: string) => ({ raisedEvents: raisedEventReader(table) });

type JobCreator = Pick<JobStore, 'create'>;
export const jobsCreate = (table: string): { readonly jobs: JobCreator } => ({
  jobs: jobStore(table),
});
export const jobsRead = (table: string): { readonly jobs: Pick<JobStore, 'read'> } => ({
  jobs: jobStore(table),
});
export const jobsList = (table: string): { readonly jobs: Pick<JobStore, 'list'> } => ({
  jobs: jobStore(table),
});
export const jobsWrite = (table: string) => ({ jobs: jobStore(table) });

/**
 * The delay before a job starts. Workers cache the serving model for five seconds and may be in the middle of a batch. The
 * records they write in that time must exist before a job that revises them starts. Local batches are short.
 */
const PROPAGATION_SECONDS = settings.ENVIRONMENT === 'local' ? 7 : 40;
export const jobsSend = (queue: string) => ({ jobQueue: jobQueue(queue, PROPAGATION_SECONDS) });

export const idempotencyClaim = (table: string) => ({
  claims: idempotencyClaims(table),
});
export const tenantsList = (table: string) => ({ tenantDirectory: tenantDirectory(table) });
