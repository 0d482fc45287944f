import { auditLog } from '../../audit/audit.store.ts';
import cancelJob from '../../exports/cancelJob.ts';
import createFocusExport from '../../exports/createFocusExport.ts';
import { urlSigner } from '../../exports/files/file.store.ts';
import getJob from '../../exports/getJob.ts';
import { executions } from '../../exports/job/execution.store.ts';
import { exportReader, exportStore } from '../../exports/job/export.store.ts';
import listExports from '../../exports/listExports.ts';
import listJobs from '../../exports/listJobs.ts';
import createExportSchedule from '../../exports/schedules/createExportSchedule.ts';
import deleteExportSchedule from '../../exports/schedules/deleteExportSchedule.ts';
import listExportSchedules from '../../exports/schedules/listExportSchedules.ts';
import { scheduleReader, scheduleStore } from '../../exports/schedules/schedule.store.ts';
import updateExportSchedule from '../../exports/schedules/updateExportSchedule.ts';
import { resource } from '../../shared/settings.ts';
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
