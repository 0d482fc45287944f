import { auditLog } from '../audit/store.ts';
import { cursorKeyOf, onionOf, storedResponsesOf } from '../http/onion.ts';
import { unit } from '../http/unit.ts';
import { resource } from '../shared/settings.ts';
import cancelJob from './cancelJob.ts';
import createFocusExport from './createFocusExport.ts';
import { executions } from './execution.store.ts';
import { exportReader, exportStore } from './export.store.ts';
import { signer } from './file.store.ts';
import getJob from './getJob.ts';
import listExports from './listExports.ts';
import listJobs from './listJobs.ts';
import createExportSchedule from './schedules/createExportSchedule.ts';
import deleteExportSchedule from './schedules/deleteExportSchedule.ts';
import listExportSchedules from './schedules/listExportSchedules.ts';
import { scheduleReader, scheduleStore } from './schedules/schedule.store.ts';

const table = resource('table', 'exports');
const audit = auditLog(resource('table', 'audit'));
const stores = {
  audit,
  exports: exportReader(table),
  exportStore: exportStore(table),
  exportSchedules: scheduleReader(table),
  scheduleStore: scheduleStore(table),
  executions: executions(resource('stateMachine', 'exports')),
  sign: signer(resource('bucket', 'exports')),
  cursorKey: cursorKeyOf(),
};

const operations = [
  createFocusExport,
  listExports,
  listJobs,
  getJob,
  cancelJob,
  createExportSchedule,
  listExportSchedules,
  deleteExportSchedule,
];

export const handler = unit(
  operations.map((operation) => operation(stores)),
  { ...onionOf(), audit, responses: storedResponsesOf() },
);
