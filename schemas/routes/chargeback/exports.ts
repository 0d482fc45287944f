import * as z from 'zod';
import { DELIVERY_DAYS_MAXIMUM, DeliveryTarget } from '../../chargeback/deliveryTarget.ts';
import {
  EXPORT_HOURS_MAXIMUM,
  EXPORT_SCHEDULES_MAXIMUM,
  ExportJob,
  ExportSchedule,
  ExportStarted,
} from '../../chargeback/exports.ts';
import { EXPORT_MONTHS_MAXIMUM, ExportRequest, ExportTerms } from '../../chargeback/focus.ts';
import { COHORT_MINIMUM, GROUP_BY_MAXIMUM } from '../../insight/reports.ts';
import { Cursor, PageLimit, pageOf } from '../../page.ts';
import { route } from '../route.ts';

const EXPORT_BYTES_MAXIMUM = 16 * 1_024;

const LANES = 'A credential bound to a residency lane sees only the exports of that lane.';

const PageQuery = z.strictObject({ cursor: Cursor.optional(), limit: PageLimit.optional() });

const ExportScheduleRequest = z
  .strictObject({
    every: z.enum(['day', 'month']).meta({
      id: 'ScheduleEvery',
      description:
        'day: a daily export of the month so far, up to the last midnight. month: an export of each month after its end. Both run from 03:00 UTC',
    }),
    request: ExportTerms,
  })
  .meta({
    id: 'ExportScheduleRequest',
    example: { every: 'day', request: { format: 'focus', group_by: ['service', 'owner'] } },
  });

const ExportScheduleChange = ExportScheduleRequest.partial()
  .refine((change) => Object.values(change).some((member) => member !== undefined), {
    error: 'must have every, request or both',
  })
  .meta({
    id: 'ExportScheduleChange',
    description: 'The members to replace. `request` is replaced as a whole',
    minProperties: 1,
    example: { every: 'month' },
  });

export const createFocusExport = route({
  method: 'POST',
  path: '/v1/exports/focus',
  operation: 'createFocusExport',
  limits: { period_months: EXPORT_MONTHS_MAXIMUM },
  authority: { effect: 'export', reveals: [], internal: ['admin:config', 'read:reporting'], lanes: 'own' },
  unit: 'exports',
  summary: 'Create a chargeback or showback export, aligned with FOCUS',
  description: `Runs in the background. Poll status_url, or wait for export.completed or export.failed. Each month has its own files. Rows contain only records with a confidence of at least 0.80 and a known price. The manifest lists exclusions by reason; with them, rows sum exactly to the ledger. With read:attribution, rows are made from records, groups of fewer than ${COHORT_MINIMUM} persons are merged into their parent group, and only callers with that scope see the export. Without it, each row, total and exclusion is a sum of cohorts of the usage report: without meters, unit prices and regions, and not by record. The export shows the ledger at the time of the request and replaces earlier exports of the same months. It succeeds or fails within ${EXPORT_HOURS_MAXIMUM} hours. A credential bound to a residency lane exports only that lane. EXPORT_TOO_LARGE: more than ${EXPORT_MONTHS_MAXIMUM} months or ${GROUP_BY_MAXIMUM} group_by fields.`,
  access: 'export:create',
  discloses: 'none',
  rate: 'bulk',
  needs: ['closings.read', 'exportDestinations.read', 'exports.write', 'exportRuns.start'],
  body: { kind: 'json', schema: ExportRequest, maxBytes: EXPORT_BYTES_MAXIMUM },
  audit: 'export.create',
  refuses: ['EXPORT_TOO_LARGE'],
  replies: {
    202: {
      description: 'The export is queued',
      body: ExportStarted,
      headers: { Location: 'URL of the export job' },
    },
  },
});

export const listExports = route({
  method: 'GET',
  path: '/v1/exports',
  operation: 'listExports',
  authority: { effect: 'none', reveals: [], withholds: ['read:attribution'], lanes: 'own' },
  unit: 'exports',
  summary: 'List exports, newest first',
  description: `The list does not contain download URLs. Read the job to get them. ${LANES}`,
  access: 'export:create',
  discloses: 'cohorts_or_records',
  rate: 'read',
  needs: ['exports.read', 'cursor.derive'],
  query: PageQuery,
  replies: { 200: { description: 'A page of exports', body: pageOf(ExportJob, 'ExportPage') } },
});

export const cancelJob = route({
  method: 'POST',
  path: '/api/v1/jobs/{job_id}/cancel',
  operation: 'cancelJob',
  authority: { effect: 'none', reveals: [], withholds: ['read:attribution'], lanes: 'own' },
  unit: 'exports',
  summary: 'Cancel an export that is still queued',
  description: 'CONFLICT if the export is running or has ended. A running export cannot be cancelled.',
  access: 'export:create',
  discloses: 'cohorts_or_records',
  rate: 'write',
  needs: ['exports.write'],
  ids: { job_id: 'job' },
  audit: 'export.cancel',
  refuses: ['CONFLICT'],
  replies: { 200: { description: 'The cancelled job', body: ExportJob } },
});

export const deliverExport = route({
  method: 'POST',
  path: '/api/v1/jobs/{job_id}/deliver',
  operation: 'deliverExport',
  authority: {
    effect: 'export',
    reveals: [],
    withholds: ['read:attribution'],
    internal: ['admin:config'],
    lanes: 'own',
  },
  unit: 'exports',
  summary: 'Deliver a finished export to a destination, or deliver it again',
  description: `Puts all its files and its manifest, as a delivery that is requested with the export does. At a place that has them already it keeps its version and bytes. If a later export with this name and month is there, it ends as superseded. CONFLICT: the export has not succeeded, is not of one UTC month, is being delivered, or its files expire within ${DELIVERY_DAYS_MAXIMUM} days.`,
  access: 'export:create',
  discloses: 'cohorts_or_records',
  rate: 'write',
  needs: ['exportDestinations.read', 'exports.write'],
  ids: { job_id: 'job' },
  body: { kind: 'json', schema: DeliveryTarget, maxBytes: EXPORT_BYTES_MAXIMUM },
  audit: 'export.deliver',
  refuses: ['CONFLICT'],
  replies: { 202: { description: 'The job, whose delivery is pending', body: ExportJob } },
});

export const createExportSchedule = route({
  method: 'POST',
  path: '/v1/exports/schedules',
  operation: 'createExportSchedule',
  limits: { resources: EXPORT_SCHEDULES_MAXIMUM },
  authority: { effect: 'export', reveals: [], internal: ['admin:config'], lanes: 'own' },
  unit: 'exports',
  summary: 'Create an export schedule',
  description: `Each export replaces the previous one of the same month. The export of the 9th of the next month has the edition final, with late events; earlier ones are provisional. Until the next month is final, it is made again, at most once a day, when its records have changed. Each export starts within one hour after it is due, or when the totals are complete, one day later at most. Exports due before its creation are not made. The exports need the authorization of the creator: once it is revoked or loses the scope export:create, each due export fails as unauthorized. An expired key still authorizes the schedule. VALIDATION_FAILED: more than ${EXPORT_SCHEDULES_MAXIMUM} schedules.`,
  access: 'export:create',
  discloses: 'none',
  rate: 'write',
  needs: ['exportDestinations.read', 'exports.write'],
  body: { kind: 'json', schema: ExportScheduleRequest, maxBytes: EXPORT_BYTES_MAXIMUM },
  audit: 'export_schedule.create',
  refuses: ['EXPORT_TOO_LARGE'],
  replies: { 201: { description: 'The schedule', body: ExportSchedule } },
});

export const listExportSchedules = route({
  method: 'GET',
  path: '/v1/exports/schedules',
  operation: 'listExportSchedules',
  authority: { effect: 'none', reveals: [], lanes: 'own' },
  unit: 'exports',
  summary: 'List export schedules, newest first',
  description: 'A credential bound to a residency lane sees only the schedules of that lane.',
  access: 'export:create',
  discloses: 'none',
  rate: 'read',
  needs: ['exports.read', 'cursor.derive'],
  query: PageQuery,
  replies: {
    200: { description: 'A page of schedules', body: pageOf(ExportSchedule, 'ExportSchedulePage') },
  },
});

export const getExportSchedule = route({
  method: 'GET',
  path: '/v1/exports/schedules/{id}',
  operation: 'getExportSchedule',
  authority: { effect: 'none', reveals: [], lanes: 'own' },
  unit: 'exports',
  summary: 'Read one export schedule',
  description: 'A credential bound to a residency lane reads only the schedules of that lane.',
  access: 'export:create',
  discloses: 'none',
  rate: 'read',
  needs: ['exports.read'],
  ids: { id: 'sch' },
  replies: { 200: { description: 'The schedule', body: ExportSchedule } },
});

export const updateExportSchedule = route({
  method: 'PATCH',
  path: '/v1/exports/schedules/{id}',
  operation: 'updateExportSchedule',
  authority: { effect: 'export', reveals: [], internal: ['admin:config'], lanes: 'own' },
  unit: 'exports',
  summary: 'Change an export schedule',
  description:
    'Applies to exports that are due from now on. An export that exists already is not made again. From then on the exports need the authorization of the caller, and contain what it may read.',
  access: 'export:create',
  discloses: 'none',
  rate: 'write',
  needs: ['exportDestinations.read', 'exports.write'],
  ids: { id: 'sch' },
  body: { kind: 'json', schema: ExportScheduleChange, maxBytes: EXPORT_BYTES_MAXIMUM },
  audit: 'export_schedule.update',
  refuses: ['EXPORT_TOO_LARGE'],
  replies: { 200: { description: 'The changed schedule', body: ExportSchedule } },
});

export const deleteExportSchedule = route({
  method: 'DELETE',
  path: '/v1/exports/schedules/{id}',
  operation: 'deleteExportSchedule',
  authority: { effect: 'deletion', reveals: [], lanes: 'own' },
  unit: 'exports',
  summary: 'Delete an export schedule',
  description: 'Exports of the schedule are not deleted.',
  access: 'export:create',
  discloses: 'none',
  rate: 'write',
  needs: ['exports.write'],
  ids: { id: 'sch' },
  audit: 'export_schedule.delete',
  replies: { 204: { description: 'The schedule is deleted' } },
});

/** In the order of the documentation. */
export const exportRoutes = [
  createFocusExport,
  listExports,
  cancelJob,
  deliverExport,
  createExportSchedule,
  listExportSchedules,
  getExportSchedule,
  updateExportSchedule,
  deleteExportSchedule,
];
