import type { StoredExport } from '../../../../schemas/chargeback/exports.ts';
import type { RaisedEvent } from '../../../../schemas/delivery/events.ts';
import { createEvent } from '../../../platform/outbox/createEvent.ts';
import { sha256Of } from '../../../platform/shared/hash.ts';
import { ulidOf } from '../../../platform/shared/ulid.ts';
import { toResponse } from './job.ts';

/** The status URL of an export. */
export const statusUrlOf = (baseUrl: string, { job_id }: Pick<StoredExport, 'job_id'>): string =>
  `${baseUrl}/api/v1/jobs/${job_id}`;

/**
 * The event of an export that succeeded or failed. Its id is derived from job id and status. Throws an Error for other
 * states.
 */
export const exportFinishedEvent = (
  tenant: { readonly tenant_id: string; readonly tag: string },
  job: StoredExport,
  baseUrl: string,
): RaisedEvent => {
  const at = Date.parse(job.finished_at ?? '');
  const { result, files_expire_at, finished_at, error } = toResponse(job, at);
  const cause = { ulid: ulidOf(at, sha256Of('export', job.job_id, job.status)), at, tenant };
  const { from, to } = job.request.period;
  const data = {
    job_id: job.job_id,
    format: 'focus',
    residency: job.residency,
    period: { from, to },
    status_url: statusUrlOf(baseUrl, job),
    finished_at: finished_at ?? '',
  } as const;
  if (result !== null && files_expire_at !== null) {
    return createEvent('export.completed', { ...data, ...result, files_expire_at }, cause);
  }
  if (error !== null) return createEvent('export.failed', { ...data, ...error }, cause);
  throw new Error(`An export with status ${job.status} has no event.`);
};
