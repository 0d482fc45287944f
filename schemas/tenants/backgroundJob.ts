import * as z from 'zod';
import { JobPeriod, JobRequest, jobStates } from '../jobs.ts';

/** What a reset of a sandbox is called in the list of jobs. */
export const RESET_TYPE = 'sandbox_reset';

/** What background jobs do, besides exports. */
export const backgroundJobTypes = [
  ...JobRequest.options.map(({ shape }) => shape.type.value),
  RESET_TYPE,
] as const;

/** A job that makes no files. */
export const BackgroundJob = z
  .object({
    job_id: z.string(),
    type: z.enum(backgroundJobTypes).meta({
      description:
        'Open enumeration. reprocessing: attributes records again. allocation: divides unattributed cost of closed days. node_hours: divides the cost of own nodes in an hour. archive: stores a closed day. sandbox_reset: the newest one',
    }),
    status: z.enum(jobStates),
    created_at: z.iso.datetime(),
    finished_at: z.iso.datetime().nullable(),
    period: JobPeriod.nullable().meta({
      description: 'The calls that it works on. Null: not a choice of the caller',
    }),
    recalled_model: z.string().nullable().meta({
      description: 'Only records of this recalled model are attributed again',
    }),
    progress: z.object({ done: z.int(), total: z.int() }).nullable().meta({
      description:
        'Records examined, or calls that a reset sent. A total of 0 is not known yet. Null without read:attribution, except of a reset',
    }),
    result: z
      .object({
        examined: z.int().optional().meta({ description: 'Records read. Absent without read:attribution' }),
        changed: z.int().optional().meta({
          description: 'Records with a new version. Absent without read:attribution',
        }),
        model_version: z.string().nullable().optional().meta({
          description: 'Of a training. Null if too few calls were new',
        }),
        erased_rows: z.int().optional(),
        sent_events: z.int().optional(),
      })
      .nullable()
      .meta({ description: 'Null until the job has succeeded' }),
    error: z.object({ reason: z.enum(['internal']), detail: z.string() }).nullable(),
  })
  .meta({ id: 'BackgroundJob' });
export type BackgroundJob = z.infer<typeof BackgroundJob>;
