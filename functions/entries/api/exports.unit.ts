import cancelJob from '../../chargeback/exports/cancelJob.ts';
import createFocusExport from '../../chargeback/exports/createFocusExport.ts';
import deliverExport from '../../chargeback/exports/deliverExport.ts';
import checkExportDestination from '../../chargeback/exports/destinations/checkExportDestination.ts';
import createExportDestination from '../../chargeback/exports/destinations/createExportDestination.ts';
import deleteExportDestination from '../../chargeback/exports/destinations/deleteExportDestination.ts';
import getExportDestination from '../../chargeback/exports/destinations/getExportDestination.ts';
import listExportDestinations from '../../chargeback/exports/destinations/listExportDestinations.ts';
import updateExportDestination from '../../chargeback/exports/destinations/updateExportDestination.ts';
import listExports from '../../chargeback/exports/listExports.ts';
import createExportSchedule from '../../chargeback/exports/schedules/createExportSchedule.ts';
import deleteExportSchedule from '../../chargeback/exports/schedules/deleteExportSchedule.ts';
import getExportSchedule from '../../chargeback/exports/schedules/getExportSchedule.ts';
import listExportSchedules from '../../chargeback/exports/schedules/listExportSchedules.ts';
import updateExportSchedule from '../../chargeback/exports/schedules/updateExportSchedule.ts';
import getJob from '../../tenants/jobs/getJob.ts';
import listJobs from '../../tenants/jobs/listJobs.ts';
import { exportsSign } from '../stores/chargeback/exportFiles.ts';
import { exportRunsStart } from '../stores/chargeback/exportRuns.ts';
import {
  deliveryRoleName,
  exportDestinationsRead,
  exportDestinationsWrite,
  exportsRead,
  exportsWrite,
} from '../stores/chargeback/exports.ts';
import { closingsRead } from '../stores/chargeback/periods.ts';
import { auditAppend } from '../stores/identity.ts';
import { cursorDerive } from '../stores/keys.ts';
import { jobsList, jobsRead } from '../stores/platform.ts';
import { sandboxRead } from '../stores/tenants.ts';
import { pipelineFromEnv } from '../wiring/pipelineFromEnv.ts';
import { unitFromEnv } from '../wiring/unitFromEnv.ts';

export const handler = unitFromEnv({
  pipeline: pipelineFromEnv,
  operations: [
    createFocusExport,
    listExports,
    listJobs,
    getJob,
    cancelJob,
    deliverExport,
    createExportSchedule,
    listExportSchedules,
    getExportSchedule,
    updateExportSchedule,
    deleteExportSchedule,
    createExportDestination,
    listExportDestinations,
    getExportDestination,
    updateExportDestination,
    checkExportDestination,
    deleteExportDestination,
  ],
  stores: {
    auditAppend,
    closingsRead,
    cursorDerive,
    deliveryRoleName,
    exportDestinationsRead,
    exportDestinationsWrite,
    exportRunsStart,
    exportsRead,
    exportsSign,
    exportsWrite,
    jobsList,
    jobsRead,
    sandboxRead,
  },
});
