import {
  EXPORT_RETENTION_DAYS,
  type ExportFailure,
  type ExportJob,
  type StoredExport,
} from '../../../schemas/exports.ts';
import type { ExportRequest } from '../../../schemas/focus.ts';
import { LENGTH } from '../../rollups/grain.ts';
import { idOf } from '../../shared/ids.ts';
import type { Tenant } from '../../tenancy/tenant.ts';

const instant = (at: number): string => new Date(at).toISOString();

/** An export that waits for its turn. `at` is epoch milliseconds; the ULID follows from what asked for it. */
export const newExport = (
  tenant: Pick<Tenant, 'tenant_id' | 'tag'>,
  request: ExportRequest,
  asked: {
    readonly ulid: string;
    readonly at: number;
    readonly by: string;
    readonly residency: string | null;
    readonly edition?: StoredExport['edition'];
  },
): StoredExport => ({
  job_id: idOf('job', tenant.tag, asked.ulid),
  tenant_id: tenant.tenant_id,
  status: 'queued',
  created_at: instant(asked.at),
  created_by: asked.by,
  residency: asked.residency,
  request,
  as_of: instant(asked.at),
  started_at: null,
  finished_at: null,
  edition: asked.edition ?? null,
  execution: null,
  steps: { done: 0, total: 0 },
  result: null,
  error: null,
});

export const isOpen = ({ status }: Pick<StoredExport, 'status'>): boolean =>
  status === 'queued' || status === 'running';

/** The export as an execution takes it over; null where it has ended, or another works on it. */
export const markRunning = (job: StoredExport, execution: string, at: number): StoredExport | null => {
  if (job.status === 'running') return job.execution === execution ? job : null;
  return job.status === 'queued' ? { ...job, status: 'running', execution, started_at: instant(at) } : null;
};

/** Whether an execution still has the export to itself. */
export const isHeldBy = (job: StoredExport, execution: string): boolean =>
  job.status === 'running' && job.execution === execution;

export const markSucceeded = (
  job: StoredExport,
  result: NonNullable<StoredExport['result']>,
  at: number,
): StoredExport => ({
  ...job,
  status: 'succeeded',
  finished_at: instant(at),
  steps: { done: job.steps.total, total: job.steps.total },
  result,
});

/** What a caller is told: nothing of the cause, which may name what is none of the tenant's business. */
const DETAILS: Readonly<Record<ExportFailure, string>> = {
  too_large: 'The export has more rows, groups or files than one export may have.',
  inconsistent: 'Rows and exclusions did not sum to the ledger, so nothing was delivered.',
  timed_out: 'The export was not finished in time.',
  internal: 'The export could not be finished; it can be posted again.',
};

export const markFailed = (job: StoredExport, reason: ExportFailure, at: number): StoredExport => ({
  ...job,
  status: 'failed',
  finished_at: instant(at),
  error: { reason, detail: DETAILS[reason] },
});

export const markCancelled = (job: StoredExport, at: number): StoredExport => ({
  ...job,
  status: 'cancelled',
  finished_at: instant(at),
});

/** When the files of an export are gone, epoch milliseconds; null while there are none. */
const filesExpireAt = ({ status, finished_at }: StoredExport): number | null =>
  status === 'succeeded' && finished_at !== null
    ? Date.parse(finished_at) + EXPORT_RETENTION_DAYS * LENGTH.day
    : null;

const toResultResponse = ({ files: _files, ...told }: NonNullable<StoredExport['result']>) => told;

/** An export as a caller sees it at `now`. */
export const toResponse = (job: StoredExport, now: number): ExportJob => {
  const { tenant_id: _tenant, execution: _execution, job_id, status, steps, result, ...rest } = job;
  const end = filesExpireAt(job);
  return {
    job_id,
    type: 'focus_export',
    status: end !== null && now >= end ? 'expired' : status,
    ...rest,
    progress: steps,
    result: result === null ? null : toResultResponse(result),
    files_expire_at: end === null ? null : instant(end),
  };
};
