import * as z from 'zod';
import {
  EXPORT_HOURS_MAXIMUM,
  EXPORT_RETENTION_DAYS,
  EXPORT_SCHEDULES_MAXIMUM,
  EXPORT_URL_MINUTES,
  ExportJob,
  ExportJobWithFiles,
  ExportSchedule,
  ExportStarted,
} from '../exports.ts';
import { EXPORT_MONTHS_MAXIMUM, ExportRequest, ExportTerms } from '../focus.ts';
import { Cursor, PageLimit, pageOf } from '../page.ts';
import { COHORT_MINIMUM, GROUP_BY_MAXIMUM } from '../reports.ts';
import { route } from './route.ts';

const EXPORT_BYTES_MAXIMUM = 16 * 1_024;

const LANES = 'A credential that is bound to a residency lane sees the exports of that lane.';

const PageQuery = z.strictObject({ cursor: Cursor.optional(), limit: PageLimit.optional() });

const ExportScheduleRequest = z
  .strictObject({
    every: z.enum(['day', 'month']).meta({
      description:
        'day: each day the month so far, up to its midnight. month: each month once it has ended. Both in UTC, from 03:00',
    }),
    request: ExportTerms,
  })
  .meta({
    id: 'ExportScheduleRequest',
    example: { every: 'day', request: { format: 'focus', group_by: ['service', 'owner'] } },
  });

export const createFocusExport = route({
  method: 'POST',
  path: '/v1/exports/focus',
  operation: 'createFocusExport',
  effect: 'export',
  unit: 'exports',
  summary: 'Have a chargeback or showback file made, aligned with FOCUS',
  description: `Answers at once; ask status_url until the export has ended, or wait for export.completed or export.failed. There is one set of files for each month, and a manifest that sums to the ledger to the last digit: only records of at least 0.80 confidence with a known price are in the rows, and the manifest tells what was left out, by reason. Groups of fewer than ${COHORT_MINIMUM} persons come in their parent. An export shows the ledger as of the call and takes the place of earlier ones of the same months; it ends within ${EXPORT_HOURS_MAXIMUM} hours, one way or the other. Made by a credential that is bound to a residency lane, it shows that lane alone. EXPORT_TOO_LARGE over ${EXPORT_MONTHS_MAXIMUM} months or ${GROUP_BY_MAXIMUM} fields.`,
  access: 'export:create',
  rate: 'bulk',
  needs: ['exports.write', 'exportRuns.start'],
  body: { kind: 'json', schema: ExportRequest, maxBytes: EXPORT_BYTES_MAXIMUM },
  audit: 'export.create',
  refuses: ['EXPORT_TOO_LARGE'],
  replies: {
    202: {
      description: 'The export is queued',
      body: ExportStarted,
      headers: { Location: 'Where to ask after it' },
    },
  },
});

export const listExports = route({
  method: 'GET',
  path: '/v1/exports',
  operation: 'listExports',
  unit: 'exports',
  summary: 'List exports, newest first',
  description: `Without the addresses of their files, which the job itself gives. ${LANES}`,
  access: 'export:create',
  rate: 'read',
  needs: ['exports.read', 'cursor.derive'],
  query: PageQuery,
  replies: { 200: { description: 'A page of exports', body: pageOf(ExportJob, 'ExportPage') } },
});

export const listJobs = route({
  method: 'GET',
  path: '/api/v1/jobs',
  operation: 'listJobs',
  unit: 'exports',
  summary: 'List jobs, newest first',
  description: `Jobs that somebody waits for: exports. Trainings and other work of the service are told of by diagnostics. ${LANES}`,
  access: 'export:create',
  rate: 'read',
  needs: ['exports.read', 'cursor.derive'],
  query: PageQuery,
  replies: { 200: { description: 'A page of jobs', body: pageOf(ExportJob, 'JobPage') } },
});

export const getJob = route({
  method: 'GET',
  path: '/api/v1/jobs/{job_id}',
  operation: 'getJob',
  unit: 'exports',
  summary: 'Ask after an export, and get its files',
  description: `Once it has succeeded, every answer holds addresses of its files that work for ${EXPORT_URL_MINUTES} minutes; whoever has one needs no credential. Files are kept for ${EXPORT_RETENTION_DAYS} days, then the status is expired. A failed export stays failed and says why; to try again, post the request again under a new Idempotency-Key.`,
  access: 'export:create',
  rate: 'read',
  needs: ['exports.read', 'exports.sign'],
  ids: { job_id: 'job' },
  replies: { 200: { description: 'The job', body: ExportJobWithFiles } },
});

export const cancelJob = route({
  method: 'POST',
  path: '/api/v1/jobs/{job_id}/cancel',
  operation: 'cancelJob',
  effect: 'none',
  unit: 'exports',
  summary: 'Cancel an export that is still queued',
  description: 'CONFLICT once it runs or has ended: it then ends by itself.',
  access: 'export:create',
  rate: 'write',
  needs: ['exports.write'],
  ids: { job_id: 'job' },
  audit: 'export.cancel',
  refuses: ['CONFLICT'],
  replies: { 200: { description: 'The job, cancelled', body: ExportJob } },
});

export const createExportSchedule = route({
  method: 'POST',
  path: '/v1/exports/schedules',
  operation: 'createExportSchedule',
  effect: 'export',
  unit: 'exports',
  summary: 'Have exports made by themselves',
  description: `Each export takes the place of the one before for the same month. A month is exported anew on the 9th of the next, when late events are in: that export's edition is final, earlier ones are provisional. Each is made once, within an hour after it is due, and told of by export.completed. Due is only what comes after the schedule was made. VALIDATION_FAILED once the tenant has ${EXPORT_SCHEDULES_MAXIMUM}.`,
  access: 'export:create',
  rate: 'write',
  needs: ['exports.write'],
  body: { kind: 'json', schema: ExportScheduleRequest, maxBytes: EXPORT_BYTES_MAXIMUM },
  audit: 'export_schedule.create',
  refuses: ['EXPORT_TOO_LARGE'],
  replies: { 201: { description: 'The schedule', body: ExportSchedule } },
});

export const listExportSchedules = route({
  method: 'GET',
  path: '/v1/exports/schedules',
  operation: 'listExportSchedules',
  unit: 'exports',
  summary: 'List schedules of exports, newest first',
  description: 'A credential that is bound to a residency lane sees the schedules of that lane.',
  access: 'export:create',
  rate: 'read',
  needs: ['exports.read', 'cursor.derive'],
  query: PageQuery,
  replies: {
    200: { description: 'A page of schedules', body: pageOf(ExportSchedule, 'ExportSchedulePage') },
  },
});

export const deleteExportSchedule = route({
  method: 'DELETE',
  path: '/v1/exports/schedules/{id}',
  operation: 'deleteExportSchedule',
  effect: 'deletion',
  unit: 'exports',
  summary: 'Delete a schedule of exports',
  description: 'Exports that it has made stay.',
  access: 'export:create',
  rate: 'write',
  needs: ['exports.write'],
  ids: { id: 'sch' },
  audit: 'export_schedule.delete',
  replies: { 204: { description: 'It is deleted' } },
});
