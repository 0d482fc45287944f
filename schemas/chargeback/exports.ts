import * as z from 'zod';
import { ExportDelivery, StoredDelivery } from './exportDelivery.ts';
import { ExportFailureDetail, ExportResult } from './exportEvents.ts';
import { ExportRequest, ExportTerms } from './focus.ts';
import { PeriodStatuses } from './periods.ts';

/** Days after which the files of an export are deleted. */
export const EXPORT_RETENTION_DAYS = 30;
/** Minutes for which the signed URL of a file is valid. */
export const EXPORT_URL_MINUTES = 15;
/** Hours after which an unfinished export is stopped. */
export const EXPORT_HOURS_MAXIMUM = 6;
/** Files of one export, limited so that all their URLs fit into one response. */
export const EXPORT_FILES_MAXIMUM = 1_000;
/** Lines of one export before merging, limited by the number of files and the time limits of the steps. */
export const EXPORT_LINES_MAXIMUM = 250_000_000;
/** Lines of one charge day before merging. One step merges a whole day. */
export const EXPORT_DAY_LINES_MAXIMUM = 8_000_000;

/** `expired` is a succeeded export whose files have been deleted. */
export const exportStates = ['queued', 'running', 'succeeded', 'failed', 'cancelled', 'expired'] as const;
export const ExportState = z.enum(exportStates).meta({ id: 'ExportState' });

/** Editions of a scheduled export. `final` includes late events, `provisional` may lack some. */
export const editions = ['provisional', 'final'] as const;

/** Which sums the rows of an export contain. */
export const ExportBasis = z.enum(['records', 'cohorts']).meta({
  id: 'ExportBasis',
  description:
    'records: rows made from records; only callers with read:attribution see the export. cohorts: each row, total and exclusion is a sum of cohorts, as in the usage report',
});
export type ExportBasis = z.infer<typeof ExportBasis>;

const members = {
  basis: ExportBasis,
  created_at: z.iso.datetime(),
  created_by: z
    .string()
    .meta({ description: 'Id of the credential, user or schedule that created the export' }),
  residency: z
    .string()
    .nullable()
    .meta({ description: 'The residency lane of the exported records. Null: all lanes' }),
  request: ExportRequest,
  as_of: z.iso.datetime().meta({ description: 'The export shows the ledger as of this instant' }),
  started_at: z.iso.datetime().nullable(),
  finished_at: z.iso.datetime().nullable(),
  edition: z.enum(editions).nullable().meta({
    description:
      'Edition of a scheduled export: provisional, or final when late events are included. Null for other exports',
  }),
  error: ExportFailureDetail.nullable(),
  billing_periods: PeriodStatuses.optional().meta({
    description:
      'The billing periods that the export overlaps, when it began. A closed one is shown as of its close',
  }),
};

/** An export as stored. */
export const StoredExport = z.object({
  job_id: z.string(),
  tenant_id: z.string(),
  ...members,
  status: ExportState.exclude(['expired']),
  /** The execution that processes the export. No other execution may change it. */
  execution: z.string().nullable(),
  /** Gather steps (one for each partition) and write steps (one for each write range). */
  steps: z.object({ done: z.int(), total: z.int() }),
  /** Null before the export has succeeded, and for one without a destination. */
  delivery: StoredDelivery.nullable().default(null),
  result: ExportResult.extend({
    /** Consecutive files of a month: the number of the first file, and how many there are. */
    files: z.array(z.object({ month: z.string(), first: z.int(), count: z.int() })),
  }).nullable(),
});
export type StoredExport = z.infer<typeof StoredExport>;

const Url = z.url();

/** An export as returned to callers. */
export const ExportJob = z
  .object({
    job_id: z.string(),
    type: z.literal('focus_export'),
    status: ExportState,
    ...members,
    progress: z.object({ done: z.int(), total: z.int() }).meta({
      description: 'Steps that are done, of all steps. A total of 0 means that the number is not known yet',
    }),
    result: ExportResult.nullable(),
    delivery: ExportDelivery.nullable().meta({
      description: 'The delivery to the destination of the request. Null without one',
    }),
    files_expire_at: z.iso
      .datetime()
      .nullable()
      .meta({
        description: `When the files are deleted: ${EXPORT_RETENTION_DAYS} days after the export finished. Null if there are no files yet`,
      }),
  })
  .meta({ id: 'ExportJob' });
export type ExportJob = z.infer<typeof ExportJob>;

/** An export job with the signed URLs of its files. A job without files has none. */
export const ExportJobWithFiles = ExportJob.extend({
  result_url: Url.optional().meta({
    description: 'URL of the file, or of the first file if there are several',
  }),
  result_urls: z.array(Url).optional().meta({ description: 'URLs of all files in chronological order' }),
  manifest_url: Url.optional().meta({
    description: 'URL of the manifest (JSON): contents of the files, and excluded records by reason',
  }),
  metadata_url: Url.optional().meta({ description: 'URL of the FOCUS metadata of the files (JSON)' }),
  expires_at: z.iso
    .datetime()
    .optional()
    .meta({
      description: `When these URLs expire. Each request returns new URLs that are valid for ${EXPORT_URL_MINUTES} minutes`,
    }),
}).meta({ id: 'ExportJobWithFiles' });
export type ExportJobWithFiles = z.infer<typeof ExportJobWithFiles>;

/** Response to the request that creates an export. */
export const ExportStarted = z
  .object({ job_id: z.string(), status: ExportState, status_url: z.url(), created_at: z.iso.datetime() })
  .meta({ id: 'ExportStarted' });

/** Export schedules of one tenant. */
export const EXPORT_SCHEDULES_MAXIMUM = 20;

/** A schedule that creates exports. */
export const ExportSchedule = z
  .object({
    id: z.string(),
    every: z.enum(['day', 'month']),
    request: ExportTerms.meta({ description: 'Request of each export, without its period' }),
    residency: z
      .string()
      .nullable()
      .meta({ description: 'The residency lane of its exports. Null: all lanes' }),
    created_at: z.iso.datetime(),
    created_by: z.string(),
    changed_by: z.string().optional().meta({
      description:
        'Who last changed it. Since then its exports need the rights of this principal instead of those of created_by',
    }),
  })
  .meta({ id: 'ExportSchedule' });
export type ExportSchedule = z.infer<typeof ExportSchedule>;
