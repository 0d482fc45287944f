import * as z from 'zod';
import {
  EXPORT_RETENTION_DAYS,
  EXPORT_URL_MINUTES,
  ExportJob,
  ExportJobWithFiles,
} from '../../chargeback/exports.ts';
import type { Scope } from '../../identity/scopes.ts';
import { Cursor, PageLimit, pageOf } from '../../page.ts';
import { BackgroundJob, backgroundJobTypes } from '../../tenants/backgroundJob.ts';
import { route } from '../route.ts';

export const jobTypes = [ExportJob.shape.type.value, ...backgroundJobTypes] as const;
export type JobType = (typeof jobTypes)[number];

/** Who may read jobs of a type, with one of these scopes: whoever may start them, or read the diagnostics that list them. */
export const jobReaders: Readonly<Record<JobType, readonly Scope[]>> = {
  focus_export: ['export:create'],
  training: ['admin:config', 'read:reporting'],
  reprocessing: ['admin:config', 'finance:config', 'read:reporting'],
  allocation: ['admin:config', 'read:reporting'],
  node_hours: ['admin:config', 'read:reporting'],
  archive: ['admin:config', 'read:reporting'],
  sandbox_reset: ['admin:config'],
};

const READERS =
  'Whoever may start jobs of a type may read them. read:reporting shows all but exports and resets.';
const LANES = 'A credential bound to a residency lane sees only its exports.';

const common = {
  method: 'GET',
  authority: {
    effect: 'download',
    reveals: [],
    withholds: ['export:create', 'read:attribution', 'admin:config'],
    lanes: 'own',
  },
  unit: 'exports',
  access: 'caller',
  discloses: 'cohorts_or_records',
  rate: 'read',
} as const;

export const listJobs = route({
  ...common,
  authority: { ...common.authority, effect: 'none' },
  path: '/api/v1/jobs',
  operation: 'listJobs',
  summary: 'List jobs, newest first',
  description: `For 90 days after their creation. ${READERS} ${LANES} Ignore types that your client does not know.`,
  needs: ['exports.read', 'jobs.list', 'sandbox.read', 'cursor.derive'],
  query: z.strictObject({
    type: z.enum(jobTypes).optional().meta({ description: 'Only jobs of this type. Default: all' }),
    cursor: Cursor.optional(),
    limit: PageLimit.optional(),
  }),
  replies: {
    200: {
      description: 'A page of jobs',
      body: pageOf(z.discriminatedUnion('type', [ExportJob, BackgroundJob]), 'JobPage'),
    },
  },
});

export const getJob = route({
  ...common,
  path: '/api/v1/jobs/{job_id}',
  operation: 'getJob',
  summary: 'Read the state, progress and result of a job',
  description: `${READERS} ${LANES} For a succeeded export, every response contains new download URLs that are valid for ${EXPORT_URL_MINUTES} minutes and need no credential. A user therefore needs a sign-in within the last 15 minutes to read a succeeded export (STEP_UP_REQUIRED), but not to poll it until then. Files are kept for ${EXPORT_RETENTION_DAYS} days; then the status is expired. A failed job has a reason and is not retried. Send the request again with a new Idempotency-Key.`,
  needs: ['exports.read', 'exports.sign', 'jobs.read', 'sandbox.read'],
  ids: { job_id: 'job' },
  replies: {
    200: {
      description: 'The job',
      body: z.discriminatedUnion('type', [ExportJobWithFiles, BackgroundJob]),
    },
  },
});
