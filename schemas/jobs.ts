import * as z from 'zod';

/** A period: `from` is inclusive, `to` is exclusive. */
export const JobPeriod = z.object({ from: z.iso.datetime(), to: z.iso.datetime() });

/** What a background job does. */
export const JobRequest = z.discriminatedUnion('type', [
  /** A scheduled training ends without a model when too few calls are new. */
  z.object({ type: z.literal('training'), scheduled: z.boolean().optional() }),
  z.object({
    type: z.literal('reprocessing'),
    period: JobPeriod,
    selection: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('all') }),
      /** Records that this model attributed. */
      z.object({ kind: z.literal('model'), version: z.string() }),
      /**
       * Records with an owner or a service that neither rules nor a model named. They change if the model names it. `again`:
       * whether a model that served left them open.
       */
      z.object({ kind: z.literal('unplaced'), again: z.boolean().optional() }),
    ]),
  }),
  z.object({
    type: z.literal('allocation'),
    /** Whole days of UTC. Each day is allocated by its own attributed spend. */
    period: JobPeriod,
  }),
  /** Divides the cost of own nodes in a UTC hour over its calls. */
  z.object({ type: z.literal('node_hours'), hour: z.iso.datetime() }),
  /** Writes the records of a UTC day to the archive, such as `2026-03-15`. */
  z.object({ type: z.literal('archive'), day: z.iso.date() }),
]);
export type JobRequest = z.infer<typeof JobRequest>;

/** The states of a job, in their order. */
export const jobStates = ['queued', 'running', 'succeeded', 'failed'] as const;

/** A stored job. */
export const Job = z.object({
  job_id: z.string(),
  tenant_id: z.string(),
  request: JobRequest,
  status: z.enum(jobStates),
  created_at: z.iso.datetime(),
  /** The job reads records as of this instant, so it does not read its own writes. */
  as_of: z.iso.datetime(),
  finished_at: z.iso.datetime().nullable(),
  progress: z.object({ examined: z.int(), changed: z.int() }),
  /** Where the next step starts. Null at the beginning. The format depends on the type. */
  cursor: z.string().nullable(),
  /** The model version that a training created. */
  model_version: z.string().nullable(),
  error: z.object({ reason: z.enum(['internal']), detail: z.string() }).nullable(),
});
export type Job = z.infer<typeof Job>;
export type JobOf<Type extends JobRequest['type']> = Job & {
  readonly request: Extract<JobRequest, { type: Type }>;
};

/** The response for a job that a request started. */
export const JobStarted = z
  .object({
    job_id: z.string(),
    type: z.string(),
    status: z.string(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'JobStarted' });
