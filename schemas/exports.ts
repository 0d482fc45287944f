import * as z from 'zod';
import { ExportRequest, ExportTerms } from './focus.ts';
import { Total } from './rollup.ts';

/** Days for which the files of an export can be had. */
export const EXPORT_RETENTION_DAYS = 30;
/** Minutes for which an address of a file works. */
export const EXPORT_URL_MINUTES = 15;
/** Hours after which an export that has not come to an end is given up. */
export const EXPORT_HOURS_MAXIMUM = 6;
/** Files of one export, so that all their addresses fit into one answer. */
export const EXPORT_FILES_MAXIMUM = 1_000;
/** Rows of one export before they are put together: what fits into its files, and its steps into their time. */
export const EXPORT_LINES_MAXIMUM = 250_000_000;
/** Rows of one charge day, which one step puts together. */
export const EXPORT_DAY_LINES_MAXIMUM = 8_000_000;
/** Groups of one month, which one step folds. */
export const EXPORT_GROUPS_MAXIMUM = 50_000;

/** Why an export failed. Open: later versions add reasons. */
export const exportFailures = ['too_large', 'inconsistent', 'timed_out', 'internal'] as const;
export type ExportFailure = (typeof exportFailures)[number];

const Failure = z.object({
  reason: z.enum(exportFailures).meta({
    description:
      'too_large: more rows, groups or files than one export may have; ask for fewer months, fewer fields or a coarser granularity. inconsistent: rows and exclusions did not sum to the ledger, so nothing was delivered. timed_out: not finished within six hours. internal: a failure of ours; post it again',
  }),
  detail: z.string(),
});

/** Queued, running, and one of the ends. `expired` is a success whose files are gone. */
export const exportStates = ['queued', 'running', 'succeeded', 'failed', 'cancelled', 'expired'] as const;
export const ExportState = z.enum(exportStates);

/** What an export came to, as far as it is told without opening its manifest. */
const Result = z.object({
  file_count: z.int(),
  row_count: z.int(),
  bytes: z.int(),
  records: z.int().meta({ description: 'Attribution records behind the rows' }),
  cost_usd: Total.meta({ description: 'What the rows cost; excluded_cost_usd stands beside it' }),
  excluded_records: z.int(),
  excluded_cost_usd: Total,
});

/** Whether a scheduled export is the first of its period or the one that holds what came late too. */
export const editions = ['provisional', 'final'] as const;

const members = {
  created_at: z.iso.datetime(),
  created_by: z.string().meta({ description: 'Id of the credential, user or schedule that asked for it' }),
  residency: z.string().nullable().meta({ description: 'The lane it shows; null: all lanes' }),
  request: ExportRequest,
  as_of: z.iso.datetime().meta({ description: 'Instant of the ledger that is shown' }),
  started_at: z.iso.datetime().nullable(),
  finished_at: z.iso.datetime().nullable(),
  edition: z.enum(editions).nullable().meta({
    description: 'Of a scheduled export: provisional, or final once late events are in; else null',
  }),
  error: Failure.nullable(),
};

/** An export as it is kept. */
export const StoredExport = z.object({
  job_id: z.string(),
  tenant_id: z.string(),
  ...members,
  status: ExportState.exclude(['expired']),
  /** The execution that works on it; no other may. */
  execution: z.string().nullable(),
  /** Steps that each gather a piece or write a stretch. */
  steps: z.object({ done: z.int(), total: z.int() }),
  result: Result.extend({
    /** Files by month and the first of their numbers: how many follow each other. */
    files: z.array(z.object({ month: z.string(), first: z.int(), count: z.int() })),
  }).nullable(),
});
export type StoredExport = z.infer<typeof StoredExport>;

const Url = z.url();

/** An export as a caller sees it. */
export const ExportJob = z
  .object({
    job_id: z.string(),
    type: z.literal('focus_export'),
    status: ExportState,
    ...members,
    progress: z
      .object({ done: z.int(), total: z.int() })
      .meta({ description: 'Steps; a total of 0: not known yet' }),
    result: Result.nullable(),
    files_expire_at: z.iso
      .datetime()
      .nullable()
      .meta({
        description: `When the files are deleted, ${EXPORT_RETENTION_DAYS} days after the end; null before there are any`,
      }),
  })
  .meta({ id: 'ExportJob' });
export type ExportJob = z.infer<typeof ExportJob>;

/** An export with the addresses of its files, where there are any. */
export const ExportJobWithFiles = ExportJob.extend({
  result_url: Url.optional().meta({ description: 'The file, or the first of several' }),
  result_urls: z.array(Url).optional().meta({ description: 'All files, in order of time' }),
  manifest_url: Url.optional().meta({ description: 'What the files hold, and what was left out (JSON)' }),
  metadata_url: Url.optional().meta({ description: 'FOCUS metadata of the files (JSON)' }),
  expires_at: z.iso
    .datetime()
    .optional()
    .meta({
      description: `When these addresses cease to work: they are signed anew at each poll, for ${EXPORT_URL_MINUTES} minutes`,
    }),
}).meta({ id: 'ExportJobWithFiles' });
export type ExportJobWithFiles = z.infer<typeof ExportJobWithFiles>;

/** What a caller is told of an export that was just asked for. */
export const ExportStarted = z
  .object({ job_id: z.string(), status: ExportState, status_url: z.url(), created_at: z.iso.datetime() })
  .meta({ id: 'ExportStarted' });

/** What of an export an event tells: never an address, which whoever holds it could use. */
export const ExportEventBase = z.object({
  job_id: z.string(),
  format: z.literal('focus'),
  period: z.object({ from: z.string(), to: z.string() }),
  status_url: z.url(),
  finished_at: z.iso.datetime(),
});
export const ExportCompletedData = ExportEventBase.extend(Result.shape).extend({
  files_expire_at: z.iso.datetime(),
});
export const ExportFailedData = ExportEventBase.extend(Failure.shape);

/** Schedules a tenant may have. */
export const EXPORT_SCHEDULES_MAXIMUM = 20;

/** A schedule by which exports are made. */
export const ExportSchedule = z
  .object({
    id: z.string(),
    every: z.enum(['day', 'month']),
    request: ExportTerms.meta({ description: 'What each export is asked for, but for its period' }),
    residency: z.string().nullable().meta({ description: 'The lane its exports show; null: all lanes' }),
    created_at: z.iso.datetime(),
    created_by: z.string(),
  })
  .meta({ id: 'ExportSchedule' });
export type ExportSchedule = z.infer<typeof ExportSchedule>;
