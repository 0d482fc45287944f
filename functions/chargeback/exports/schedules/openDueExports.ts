import type { ExportBasis, StoredExport } from '../../../../schemas/chargeback/exports.ts';
import type { CredentialReader } from '../../../identity/access/credential.store.ts';
import { heldScopes } from '../../../identity/access/heldScopes.ts';
import type { Outbox } from '../../../platform/outbox/outbox.store.ts';
import { commit } from '../../../platform/shared/aws/document.store.ts';
import type { Tenant } from '../../../platform/tenancy/tenant.ts';
import type { Executions } from '../job/execution.aws.ts';
import type { ExportStore } from '../job/export.store.ts';
import { exportFinishedEvent } from '../job/exportFinishedEvent.ts';
import { markFailed } from '../job/job.ts';
import { basisFor, isAllowed } from '../request/exportBasis.ts';
import { dueExports } from './dueExports.ts';
import type { ScheduleReader, StoredSchedule } from './schedule.store.ts';

/**
 * Creates and starts the exports that are due for a tenant at `now` (epoch milliseconds). Idempotent: each export is
 * created once. When starting fails, the reaper of stale exports starts it later. If the creator of the schedule may no
 * longer create exports, the export fails at once, which informs the tenant.
 */
export const dueExportOpener = (deps: {
  readonly schedules: Pick<ScheduleReader, 'list'>;
  readonly exports: ExportStore;
  readonly executions: Pick<Executions, 'start'>;
  readonly credentials: CredentialReader;
  readonly outbox: Outbox;
  readonly baseUrl: string;
}) => {
  const { schedules, exports, executions, credentials, outbox, baseUrl } = deps;

  /** The basis that the creator's scopes allow now. Null when it may no longer create exports with these terms. */
  const basisNow = async (
    tenant: Tenant,
    { authorized_by, request }: StoredSchedule,
  ): Promise<ExportBasis | null> => {
    const held = await heldScopes(credentials, tenant.tag, authorized_by);
    return held.has('export:create') && isAllowed(held, request) ? basisFor(held) : null;
  };

  const open = async (tenant: Tenant, schedule: StoredSchedule, job: StoredExport): Promise<void> => {
    if ((await exports.find(job)) !== null) return;
    const revision = { claim: job.job_id, attempt: 0 };
    const basis = await basisNow(tenant, schedule);
    if (basis !== null) {
      const opened = await commit([...exports.open({ ...job, basis }, revision)]);
      if (opened) await executions.start(job);
      return;
    }
    const failed = markFailed(job, 'unauthorized', Date.parse(job.created_at));
    await commit([
      ...exports.open(failed, revision),
      outbox.raise(exportFinishedEvent(tenant, failed, baseUrl)),
    ]);
  };

  return async (tenant: Tenant, now: number): Promise<void> => {
    for (const schedule of await schedules.list(tenant.tenant_id)) {
      for (const job of dueExports(tenant, schedule, now)) await open(tenant, schedule, job);
    }
  };
};
