import cancelJob from '../../chargeback/exports/cancelJob.ts';
import createFocusExport from '../../chargeback/exports/createFocusExport.ts';
import { urlSigner } from '../../chargeback/exports/files/file.store.ts';
import getJob from '../../chargeback/exports/getJob.ts';
import { executions } from '../../chargeback/exports/job/execution.aws.ts';
import { exportReader, exportStore } from '../../chargeback/exports/job/export.store.ts';
import listExports from '../../chargeback/exports/listExports.ts';
import listJobs from '../../chargeback/exports/listJobs.ts';
import createExportSchedule from '../../chargeback/exports/schedules/createExportSchedule.ts';
import deleteExportSchedule from '../../chargeback/exports/schedules/deleteExportSchedule.ts';
import listExportSchedules from '../../chargeback/exports/schedules/listExportSchedules.ts';
import { scheduleReader, scheduleStore } from '../../chargeback/exports/schedules/schedule.store.ts';
import updateExportSchedule from '../../chargeback/exports/schedules/updateExportSchedule.ts';
import { auditLog } from '../../identity/audit/audit.store.ts';
import { resource } from '../../platform/shared/settings.ts';
import { unit } from '../wiring/httpHandler.ts';
import { cursorKeyFromEnv, pipelineFromEnv, storedResponsesFromEnv } from '../wiring/pipelineFromEnv.ts';

const table = resource('table', 'exports');
const audit = auditLog(resource('table', 'audit'));
const stores = {
  audit,
  exports: exportReader(table),
  exportStore: exportStore(table),
  exportSchedules: scheduleReader(table),
  scheduleStore: scheduleStore(table),
  executions: executions(resource('stateMachine', 'exports')),
  sign: urlSigner(resource('bucket', 'exports')),
  cursorKey: cursorKeyFromEnv(),
};

const operations = [
  createFocusExport,
  listExports,
  listJobs,
  getJob,
  cancelJob,
  createExportSchedule,
  listExportSchedules,
  updateExportSchedule,
  deleteExportSchedule,
];

export const handler = unit(
  operations.map((operation) => operation(stores)),
  { ...pipelineFromEnv(), responses: storedResponsesFromEnv() },
);
