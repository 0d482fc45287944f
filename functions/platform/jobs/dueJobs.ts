import { TRAINING_INTERVAL_MS } from '../../../schemas/attribution/models.ts';
import type { JobRequest } from '../../../schemas/jobs.ts';
import { sha256Of } from '../shared/hash.ts';
import { ulidOf } from '../shared/ulid.ts';
import type { Tenant } from '../tenancy/tenant.ts';

/** A job that the schedule creates. Its ULID is derived from tenant, kind and time, so that the job is created once. */
export interface DueJob {
  readonly ulid: string;
  readonly request: JobRequest;
}

/** The ULID of a job that is due at `at` (epoch milliseconds). `kind` tells it from other jobs of that time. */
export const ulidOfDue = (tenantId: string, kind: string, at: number): string =>
  ulidOf(at, sha256Of('due', tenantId, kind, String(at)));

/**
 * The training of a tenant with recent calls at `now` (epoch milliseconds). The job itself decides if enough calls are new.
 */
export const dueTraining = ({ tenant_id }: Pick<Tenant, 'tenant_id'>, now: number): DueJob => {
  const start = Math.floor(now / TRAINING_INTERVAL_MS) * TRAINING_INTERVAL_MS;
  return {
    ulid: ulidOfDue(tenant_id, 'training', start),
    request: { type: 'training', scheduled: true },
  };
};
