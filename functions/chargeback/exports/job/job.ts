import type { DeliveryTarget } from '../../../../schemas/chargeback/deliveryTarget.ts';
import type { ExportFailure } from '../../../../schemas/chargeback/exportEvents.ts';
import {
  EXPORT_HOURS_MAXIMUM,
  EXPORT_RETENTION_DAYS,
  type ExportJob,
  type StoredExport,
} from '../../../../schemas/chargeback/exports.ts';
import type { ExportRequest } from '../../../../schemas/chargeback/focus.ts';
import { DAY_MS } from '../../../../schemas/durations.ts';
import { idOf } from '../../../platform/shared/ids.ts';
import { isoOrNull, toIso } from '../../../platform/shared/time/toIso.ts';
import type { Tenant } from '../../../platform/tenancy/tenant.ts';
import { deliveryEnd, openDelivery, toDelivery } from '../delivery/delivery.ts';

/** A new queued export. `at` is epoch milliseconds. The ULID is derived from the creating call or schedule. */
export const newExport = (
  tenant: Pick<Tenant, 'tenant_id' | 'tag'>,
  request: ExportRequest,
  origin: {
    readonly ulid: string;
    readonly at: number;
    readonly by: string;
    readonly residency: string | null;
    readonly basis: StoredExport['basis'];
    readonly edition?: StoredExport['edition'];
  },
): StoredExport => ({
  job_id: idOf('job', tenant.tag, origin.ulid),
  tenant_id: tenant.tenant_id,
  status: 'queued',
  created_at: toIso(origin.at),
  created_by: origin.by,
  residency: origin.residency,
  basis: origin.basis,
  request,
  as_of: toIso(origin.at),
  started_at: null,
  finished_at: null,
  edition: origin.edition ?? null,
  execution: null,
  steps: { done: 0, total: 0 },
  result: null,
  error: null,
  delivery: null,
});

export const isOpen = ({ status }: Pick<StoredExport, 'status'>): boolean =>
  status === 'queued' || status === 'running';

/** Claims an export for an execution. Returns null when it has ended or belongs to another execution. */
export const markRunning = (job: StoredExport, execution: string, at: number): StoredExport | null => {
  if (job.status === 'running') return job.execution === execution ? job : null;
  return job.status === 'queued' ? { ...job, status: 'running', execution, started_at: toIso(at) } : null;
};

/** Whether the execution still holds the export. */
export const isHeldBy = (job: StoredExport, execution: string): boolean =>
  job.status === 'running' && job.execution === execution;

export const markSucceeded = (
  job: StoredExport,
  result: NonNullable<StoredExport['result']>,
  at: number,
): StoredExport => ({
  ...job,
  status: 'succeeded',
  finished_at: toIso(at),
  steps: { done: job.steps.total, total: job.steps.total },
  result,
  delivery: openDelivery(job, at),
});

/** Published details. They omit the internal cause, which may contain data that the tenant must not see. */
const DETAILS: Readonly<Record<ExportFailure, string>> = {
  too_large:
    'The export exceeds the limit of rows or files. Choose a shorter period, fewer fields or a coarser granularity.',
  inconsistent:
    'Rows and exclusions did not sum to the ledger, so nothing was delivered. This is an internal error.',
  timed_out: `The export did not finish within ${EXPORT_HOURS_MAXIMUM} hours. Choose a shorter period, fewer fields or a coarser granularity.`,
  unauthorized:
    'The key, client or user that created the schedule may no longer create exports. Delete the schedule and create it again.',
  internal: 'The export failed because of an internal error. Post it again.',
};

export const markFailed = (job: StoredExport, reason: ExportFailure, at: number): StoredExport => ({
  ...job,
  status: 'failed',
  finished_at: toIso(at),
  error: { reason, detail: DETAILS[reason] },
});

export const markCancelled = (job: StoredExport, at: number): StoredExport => ({
  ...job,
  status: 'cancelled',
  finished_at: toIso(at),
});

/** When the files of an export expire, epoch milliseconds; null while there are none. */
const filesExpireAt = ({ status, finished_at }: StoredExport): number | null =>
  status === 'succeeded' && finished_at !== null
    ? Date.parse(finished_at) + EXPORT_RETENTION_DAYS * DAY_MS
    : null;

/** The export with a new delivery that begins at `at` (epoch milliseconds), or why it cannot have one. */
export const markForDelivery = (
  job: StoredExport,
  target: DeliveryTarget,
  at: number,
): StoredExport | string => {
  const expiresAt = filesExpireAt(job);
  if (expiresAt === null) return `The export is ${job.status}. Only one that succeeded can be delivered.`;
  if (job.delivery?.state === 'pending')
    return 'The export is being delivered. Wait for the end of its delivery.';
  const request = { ...job.request, delivery: target };
  const delivery = openDelivery({ request }, at);
  return delivery === null || deliveryEnd(delivery) > expiresAt
    ? 'The files of the export expire before its delivery would be given up. Create the export again.'
    : { ...job, request, delivery };
};

const toResultResponse = ({ files: _files, ...result }: NonNullable<StoredExport['result']>) => result;

/** The API representation of an export at `now` (epoch milliseconds). */
export const toResponse = (job: StoredExport, now: number): ExportJob => {
  const {
    tenant_id: _tenant,
    execution: _execution,
    job_id,
    status,
    steps,
    result,
    delivery: _,
    ...rest
  } = job;
  const expiresAt = filesExpireAt(job);
  return {
    job_id,
    type: 'focus_export',
    status: expiresAt !== null && now >= expiresAt ? 'expired' : status,
    ...rest,
    progress: steps,
    result: result === null ? null : toResultResponse(result),
    files_expire_at: isoOrNull(expiresAt),
    delivery: toDelivery(job),
  };
};
