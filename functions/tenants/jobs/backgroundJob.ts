import { HOUR_MS } from '../../../schemas/durations.ts';
import type { Scope } from '../../../schemas/identity/scopes.ts';
import type { Job } from '../../../schemas/jobs.ts';
import { RECORDS_SCOPE } from '../../../schemas/routes/disclosure.ts';
import { type BackgroundJob, RESET_TYPE } from '../../../schemas/tenants/backgroundJob.ts';
import { SAMPLE_EVENTS, type Sandbox } from '../../../schemas/tenants/sandbox.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';

const periodOf = ({ request }: Job): BackgroundJob['period'] => {
  switch (request.type) {
    case 'reprocessing':
      return request.selection.kind === 'all' ? request.period : null;
    case 'allocation':
      return request.period;
    case 'node_hours':
      return { from: request.hour, to: toIso(Date.parse(request.hour) + HOUR_MS) };
    case 'archive':
    case 'training':
      return null;
  }
};

const resultOf = (job: Job, seesRecords: boolean): BackgroundJob['result'] => {
  if (job.status !== 'succeeded') return null;
  return {
    ...(seesRecords && job.progress),
    ...(job.request.type === 'training' && { model_version: job.model_version }),
  };
};

/**
 * The API representation of a job. Its counts are of any set of calls, because a caller chooses the period and the
 * mappings, so only a caller with the scope of single records sees them.
 */
export const toBackgroundJob = (job: Job, scopes: ReadonlySet<Scope>): BackgroundJob => {
  const { job_id, request, status, created_at, finished_at, progress, error } = job;
  const seesRecords = scopes.has(RECORDS_SCOPE);
  const selection = request.type === 'reprocessing' ? request.selection : undefined;
  return {
    job_id,
    type: request.type,
    status,
    created_at,
    finished_at,
    period: periodOf(job),
    recalled_model: selection?.kind === 'model' ? selection.version : null,
    progress: seesRecords ? { done: progress.examined, total: 0 } : null,
    result: resultOf(job, seesRecords),
    error,
  };
};

/** The reset of a sandbox as a job. It never fails, because it is repeated until it succeeds. */
export const toResetJob = (reset: NonNullable<Sandbox['reset']>): BackgroundJob => {
  const { job_id, status, requested_at, finished_at, erased_rows, sent_events } = reset;
  return {
    job_id,
    type: RESET_TYPE,
    status,
    created_at: requested_at,
    finished_at,
    period: null,
    recalled_model: null,
    progress: { done: sent_events, total: SAMPLE_EVENTS },
    result: status === 'succeeded' ? { erased_rows, sent_events } : null,
    error: null,
  };
};
