import { randomUUID } from 'node:crypto';
import type { ExportRef } from '../../chargeback/exports/job/export.store.ts';
import { staleExportReaper } from '../../chargeback/exports/job/reapStaleExports.ts';
import { archiveDirectory } from '../../ledger/archive/archiveDirectory.store.ts';
import { lateDayCloser, lateDays } from '../../ledger/archive/closing/closeLateDay.ts';
import type { LateDay } from '../../ledger/archive/closing/lateDays.ts';
import { unarchivedDays } from '../../ledger/records/unarchivedDay.store.ts';
import { periodVersionReader } from '../../ledger/rollups/periodVersions.store.ts';
import { roundsHandler } from '../../platform/schedule/rounds.ts';
import { settings } from '../../platform/shared/settings.ts';
import { exportRunsManage } from '../stores/chargeback/exportRuns.ts';
import { exportsManage } from '../stores/chargeback/exports.ts';
import { environment } from '../stores/environment.ts';
import { jobsSend, jobsWrite, outboxAppend, tenantsRead } from '../stores/platform.ts';
import { storesIn } from '../stores/provider.ts';
import type { ScheduledWork } from './jobsQueueMessage.ts';
import { roundFromEnv, tenantRoundFromEnv } from './roundsFromEnv.ts';
import { tenantTasksFromEnv } from './tenantTasksFromEnv.ts';

const DAY_LENGTH = '2026-03-15'.length;
const HOUR_LENGTH = '2026-03-15T10'.length;

const scheduledWorkFromEnv = (): ((message: ScheduledWork) => Promise<void>) => {
  const { clock, resourceOf } = environment;
  const ledger = resourceOf('ledger.read');
  const { exports, executions, outbox, tenants, jobs, jobQueue } = storesIn(environment, {
    exportRunsManage,
    exportsManage,
    jobsSend,
    jobsWrite,
    outboxAppend,
    tenantsRead,
  });
  const unarchived = unarchivedDays(ledger);
  const runTasks = tenantTasksFromEnv();
  const reapExport = staleExportReaper({
    exports,
    executions,
    outbox,
    clock,
    attempt: randomUUID,
    baseUrl: settings.BASE_URL,
  });
  const closeLateDay = lateDayCloser({
    unarchived,
    tenants,
    jobs,
    queue: jobQueue,
    versions: periodVersionReader(resourceOf('rollups.read')),
    directory: archiveDirectory(ledger),
    clock,
  });
  const runRounds = roundsHandler([
    tenantRoundFromEnv(),
    roundFromEnv<LateDay>({
      name: 'lateDays',
      source: lateDays(unarchived, clock),
      roundOf: ({ time }) => time.slice(0, DAY_LENGTH),
    }),
    roundFromEnv<ExportRef>({
      name: 'openExports',
      source: { page: exports.unfinished },
      roundOf: ({ time }) => time.slice(0, HOUR_LENGTH),
      messageOf: ({ tenant_id, job_id }) => ({ tenant_id, export_id: job_id }),
    }),
  ]);
  return async (message) => {
    if ('late_day' in message) return closeLateDay(message);
    if ('export_id' in message)
      return reapExport({ tenant_id: message.tenant_id, job_id: message.export_id });
    if (!('tenant_id' in message)) return runRounds(message);
    const tenant = await tenants.tenant(message.tenant_id);
    // It was erased after the round had listed it.
    if (tenant !== null) await runTasks(tenant);
  };
};

/** Does the work of a message of the schedule, configured from the environment. */
export const doScheduledWork = scheduledWorkFromEnv();
