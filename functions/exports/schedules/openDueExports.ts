import type { StoredExport } from '../../../schemas/exports.ts';
import { commit } from '../../shared/aws/document.store.ts';
import type { Tenant } from '../../tenancy/tenant.ts';
import type { Executions } from '../job/execution.store.ts';
import type { ExportStore } from '../job/export.store.ts';
import { dueExports } from './dueExports.ts';
import type { ScheduleReader } from './schedule.store.ts';

/**
 * Creates and starts the exports that are due for a tenant at `now` (epoch milliseconds). Idempotent: each export is
 * created once. When starting fails, the reaper of stale exports starts it later.
 */
export const dueExportOpener = (deps: {
  readonly schedules: ScheduleReader;
  readonly exports: ExportStore;
  readonly executions: Pick<Executions, 'start'>;
}) => {
  const open = async (job: StoredExport): Promise<void> => {
    const { exports, executions } = deps;
    if ((await exports.find(job)) !== null) return;
    const opened = await commit([...exports.open(job, { claim: job.job_id, attempt: 0 })]);
    if (opened) await executions.start(job);
  };
  return async (tenant: Tenant, now: number): Promise<void> => {
    for (const schedule of await deps.schedules.list(tenant.tenant_id)) {
      for (const job of dueExports(tenant, schedule, now)) await open(job);
    }
  };
};
