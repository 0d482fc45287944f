import * as z from 'zod';
import { Evidence } from './evidence.ts';

/** A span of a trace, as its event told of it. */
export const Span = z.object({
  /** ULID of its record. */
  record: z.string(),
  span_id: z.string().nullable(),
  parent_span_id: z.string().nullable(),
  /** Whether it is a model call that tells what it used or cost. */
  uses: z.boolean(),
  /** Whether the others of its trace have learnt of it. */
  taught: z.boolean(),
  evidence: Evidence,
});
export type Span = z.infer<typeof Span>;

/**
 * What a span knows from the others of its trace: whose evidence it may learn from, and whether it repeats what spans
 * below it used. Kept with the record, so that it can be replayed when the trace is long forgotten.
 */
export const TraceEvidence = z.object({
  teacher: z
    .object({
      /** It called this span, directly or not; or all others of the trace agree with it. */
      relation: z.enum(['ancestor', 'trace']),
      span_id: z.string().nullable(),
      evidence: Evidence,
    })
    .nullable(),
  repeats: z.boolean(),
});
export type TraceEvidence = z.infer<typeof TraceEvidence>;
