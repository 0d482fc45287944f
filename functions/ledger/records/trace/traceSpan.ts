import * as z from 'zod';
import { Evidence } from './evidence.ts';

/** What an event says about the place of its call in a trace. Everything else about the call is in its record. */
export const Span = z.object({
  /** ULID of its record. */
  record: z.string(),
  /** Digest of who observed the call. Absent for the first observer: most calls have one. */
  observer: z.string().optional(),
  /** Residency lane. Absent: the home lane of the tenant. */
  lane: z.string().optional(),
  /** Client id of the connector that stated it. Absent: a credential of the tenant did. */
  connector: z.string().optional(),
  /** How near the observer is to the provider. Absent: 0. */
  nearness: z.int().optional(),
  span_id: z.string().nullable(),
  /** The span that called it, of those that can have a record. */
  parent_span_id: z.string().nullable(),
  /** Spans without a record below this one, through which others can name it as their caller. */
  covered: z.array(z.string()).optional(),
  /** Whether the span is a model call that reports tokens or a cost. */
  reportsUsage: z.boolean(),
  /** The credential that stated it. */
  credential: z.string().optional(),
  /** All tokens that it reports. Absent: none. */
  tokens: z.int().optional(),
  /** How many counts it states, how many of them are unsure, and whether it states what was charged. Absent: [2, 0, 0]. */
  knows: z.tuple([z.int(), z.int(), z.int()]).optional(),
  /** What it costs by itself. Absent: it reports no usage, or its cost is unknown. */
  cost_usd: z.string().optional(),
  /** Reports less energy or carbon than its usage can have. Absent: it does not. */
  understates: z.literal(true).optional(),
  /** Digest of who pays by what the event itself says. Absent: it names nobody. */
  payer: z.string().optional(),
  /** Who called, as this event says. Absent: the record says it. */
  evidence: Evidence.optional(),
  /** The packs that hold the span, in order of time. Absent: it has a row of its own. */
  packs: z.array(z.string()).optional(),
});
export type Span = z.infer<typeof Span>;

/** The ids under which other spans know a span. */
export const ownIdsOf = ({ span_id, covered = [] }: Pick<Span, 'span_id' | 'covered'>): string[] =>
  span_id === null ? covered : [span_id, ...covered];

/** The ids of the spans that called a span, nearest first. A nearer one that has no record says nothing. */
export const callersOf = ({ parent_span_id }: Pick<Span, 'parent_span_id'>): string[] =>
  parent_span_id === null ? [] : [parent_span_id];

/** The spans of a trace in one residency lane. Absent lane: the home lane of the tenant. */
export interface TraceLane {
  readonly tenantId: string;
  readonly traceId: string;
  readonly lane: string | undefined;
}

/**
 * Evidence about a span from the other spans of its trace. It is stored with the record, so that the record can be
 * replayed after the spans of the trace have expired.
 */
export const TraceEvidence = z.object({
  /** The span whose evidence applies; null when there is none. */
  source: z
    .object({
      /**
       * `ancestor`: it called this span, directly or indirectly. `trace`: all spans with evidence name the same. `same_call`:
       * another record of the call names it.
       */
      relation: z.enum(['ancestor', 'trace', 'same_call']),
      /** Null for the whole trace, and for an ancestor without an id. */
      span_id: z.string().nullable(),
      evidence: Evidence,
    })
    .nullable(),
  /** Whom the nearest ancestor that names one names as end user, or else all other spans that name one. */
  end_user: z.string().optional(),
  /** Whether the span reports usage that spans below it report too. */
  repeatsUsage: z.boolean(),
  /** More spans lie below it than are read, so nobody knows whether they report its usage. */
  mayRepeatUsage: z.literal(true).optional(),
});
export type TraceEvidence = z.infer<typeof TraceEvidence>;
