import { randomUUID } from 'node:crypto';
import { executions } from '../../chargeback/exports/job/execution.aws.ts';
import { type ExportRef, exportWatchStore } from '../../chargeback/exports/job/export.store.ts';
import { staleExportReaper } from '../../chargeback/exports/job/reapStaleExports.ts';
import { archiveDirectory } from '../../ledger/archive/archiveDirectory.store.ts';
import { lateDayCloser, lateDays } from '../../ledger/archive/closing/closeLateDay.ts';
import type { LateDay } from '../../ledger/archive/closing/lateDays.ts';
import { unarchivedDays } from '../../ledger/records/unarchivedDay.store.ts';
import { dayVersionReader } from '../../ledger/rollups/dayVersions.store.ts';
import { jobStore } from '../../platform/jobs/job.store.ts';
import { outbox } from '../../platform/outbox/outbox.store.ts';
import { roundsHandler } from '../../platform/schedule/rounds.ts';
import { resource, settings } from '../../platform/shared/settings.ts';
import { systemClock } from '../../platform/shared/time/clock.ts';
import { tenantReader } from '../../platform/tenancy/tenant.store.ts';
import { jobQueueFromEnv } from './jobQueueFromEnv.ts';
import type { ScheduledWork } from './jobsQueueMessage.ts';
import { roundFromEnv, tenantRoundFromEnv } from './roundsFromEnv.ts';
import { tenantTasksFromEnv } from './tenantTasksFromEnv.ts';

const DAY_LENGTH = '2026-03-15'.length;
const HOUR_LENGTH = '2026-03-15T10'.length;

const scheduledWorkFromEnv = (): ((message: ScheduledWork) => Promise<void>) => {
  const ledger = resource('table', 'ledger');
  const exports = exportWatchStore(resource('table', 'exports'));
  const tenants = tenantReader(resource('table', 'tenants'));
  const unarchived = unarchivedDays(ledger);
  const runTasks = tenantTasksFromEnv();
  const reapExport = staleExportReaper({
    exports,
    executions: executions(resource('stateMachine', 'exports')),
    outbox: outbox(resource('table', 'outbox')),
    clock: systemClock,
    attempt: randomUUID,
    baseUrl: settings.BASE_URL,
  });
  const closeLateDay = lateDayCloser({
    unarchived,
    tenants,
    jobs: jobStore(resource('table', 'jobs')),
    queue: jobQueueFromEnv(),
    days: dayVersionReader(resource('table', 'rollups')),
    directory: archiveDirectory(ledger),
    clock: systemClock,
  });
  const runRounds = roundsHandler([
    tenantRoundFromEnv('jobs'),
    roundFromEnv<LateDay>('jobs', {
      name: 'lateDays',
      source: lateDays(unarchived, systemClock),
      roundOf: ({ time }) => time.slice(0, DAY_LENGTH),
    }),
    roundFromEnv<ExportRef>('jobs', {
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
