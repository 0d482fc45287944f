import { DAY_SECONDS } from '../../../schemas/durations.ts';
import type { Job, JobRequest } from '../../../schemas/jobs.ts';
import { idOf } from '../shared/ids.ts';
import { toIso } from '../shared/time/toIso.ts';
import type { Tenant } from '../tenancy/tenant.ts';

/** How long a job is stored after its creation, finished or not. */
export const JOB_RETENTION_SECONDS = 90 * DAY_SECONDS;

/** A new job in the state `queued`. `at` is epoch milliseconds. `ulid` is derived from the job's cause. */
export const newJob = (
  tenant: Pick<Tenant, 'tenant_id' | 'tag'>,
  ulid: string,
  request: JobRequest,
  at: number,
): Job => {
  const instant = toIso(at);
  return {
    job_id: idOf('job', tenant.tag, ulid),
    tenant_id: tenant.tenant_id,
    request,
    status: 'queued',
    created_at: instant,
    as_of: instant,
    finished_at: null,
    progress: { examined: 0, changed: 0 },
    cursor: null,
    model_version: null,
    error: null,
  };
};

export const isFinished = ({ status }: Pick<Job, 'status'>): boolean =>
  status === 'succeeded' || status === 'failed';

/** The job after a step, with its progress and cursor updated. */
export const withProgress = <J extends Job>(
  job: J,
  step: { readonly examined: number; readonly changed: number; readonly cursor: string | null },
): J => ({
  ...job,
  cursor: step.cursor,
  progress: {
    examined: job.progress.examined + step.examined,
    changed: job.progress.changed + step.changed,
  },
});

export const markSucceeded = <J extends Job>(job: J, at: number): J => ({
  ...job,
  status: 'succeeded',
  finished_at: toIso(at),
});

/** The failed job. The error omits the cause, which may contain internal details. */
export const markFailed = <J extends Job>(job: J, at: number): J => ({
  ...job,
  status: 'failed',
  finished_at: toIso(at),
  error: { reason: 'internal', detail: 'The job could not be finished. Start it again.' },
});
