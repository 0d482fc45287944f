import * as z from 'zod';

/** A stretch of time: `from` included, `to` not. */
export const JobPeriod = z.object({ from: z.iso.datetime(), to: z.iso.datetime() });

/** What a background job is to do. */
export const JobRequest = z.discriminatedUnion('type', [
  z.object({ type: z.literal('training') }),
  z.object({
    type: z.literal('reprocessing'),
    period: JobPeriod,
    selection: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('all') }),
      /** Records that this model made. */
      z.object({ kind: z.literal('model'), version: z.string() }),
      /** Records that neither rules nor a model could place surely. */
      z.object({ kind: z.literal('unplaced') }),
    ]),
  }),
  z.object({
    type: z.literal('allocation'),
    /** Whole days of UTC; each is divided by its own attributed spend. */
    period: JobPeriod,
  }),
]);
export type JobRequest = z.infer<typeof JobRequest>;

/** A job as it is kept. */
export const Job = z.object({
  job_id: z.string(),
  tenant_id: z.string(),
  request: JobRequest,
  status: z.enum(['queued', 'running', 'succeeded', 'failed']),
  created_at: z.iso.datetime(),
  /** The instant as of which it reads: what it writes itself it does not meet again. */
  as_of: z.iso.datetime(),
  finished_at: z.iso.datetime().nullable(),
  progress: z.object({ examined: z.int(), changed: z.int() }),
  /** Where it goes on; null at its beginning. Its meaning is the type's own. */
  cursor: z.string().nullable(),
  /** What a training made. */
  model_version: z.string().nullable(),
  error: z.object({ reason: z.enum(['internal']), detail: z.string() }).nullable(),
});
export type Job = z.infer<typeof Job>;
export type JobOf<Type extends JobRequest['type']> = Job & {
  readonly request: Extract<JobRequest, { type: Type }>;
};
