import * as z from 'zod';
import { Lease } from '../platform/lease.ts';

/** Days after which live traffic ends, unless it is switched on again. Bounds the cost of a forgotten sandbox. */
export const LIVE_TRAFFIC_DAYS = 7;

/** Synthetic calls that a reset loads. */
export const SAMPLE_EVENTS = 3_000;

/** Days that the calls of a reset cover. The anomaly detector needs a week before the day that it evaluates. */
export const SAMPLE_DAYS = 10;

/** Synthetic calls that live traffic adds each minute. */
export const LIVE_EVENTS_PER_MINUTE = 5;

const ResetProgress = z.object({
  reset_id: z.string(),
  status: z.enum(['queued', 'running', 'succeeded']).meta({
    description: 'A reset is repeated until it succeeds, so there is no failed state',
  }),
  requested_at: z.iso.datetime(),
  finished_at: z.iso.datetime().nullable(),
  erased_rows: z.int().meta({ description: 'Table rows that were deleted so far' }),
  sent_events: z.int().meta({
    description: `Synthetic calls that were queued so far, of ${SAMPLE_EVENTS}. They are readable within about a minute`,
  }),
});

export const SandboxReset = ResetProgress.extend({
  job_id: z.string().meta({ description: 'The reset as a job, at /api/v1/jobs/{job_id}' }),
}).meta({ id: 'SandboxReset' });
export type SandboxReset = z.infer<typeof SandboxReset>;

export const Sandbox = z
  .object({
    live_traffic: z.boolean().meta({ description: 'Whether synthetic calls arrive now' }),
    live_until: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When live traffic ends. Null if it is off' }),
    reset: SandboxReset.nullable().meta({ description: 'The newest reset. Null if there was none' }),
  })
  .meta({ id: 'Sandbox' });
export type Sandbox = z.infer<typeof Sandbox>;

/** Where a reset continues after an interruption. */
const ResetStep = z.discriminatedUnion('kind', [
  /** `table` is a position in the list of erased tables. A second pass deletes what running work wrote behind the first. */
  z.object({
    kind: z.literal('erase'),
    pass: z.int(),
    table: z.int(),
    resume: z.string().nullable(),
  }),
  /** Waits until work that started before the request has ended, so that the second pass deletes what it wrote. */
  z.object({ kind: z.literal('settle'), until: z.iso.datetime() }),
  z.object({ kind: z.literal('objects') }),
  z.object({ kind: z.literal('configure') }),
  z.object({ kind: z.literal('load') }),
  /** Waits until the totals contain the calls, but not longer. A reset of an earlier version ended with its load. */
  z.object({ kind: z.literal('totals'), until: z.iso.datetime() }),
  z.object({ kind: z.literal('review') }),
]);

/** A reset as stored. */
export const StoredReset = ResetProgress.extend({
  /** Whether live traffic starts after it. */
  live_traffic: z.boolean(),
  step: ResetStep,
  /** The run that works on the reset. No other run may delete or load anything before the lease expires. */
  lease: Lease.nullable(),
});
export type StoredReset = z.infer<typeof StoredReset>;

/** The state of a sandbox tenant. Only an operator creates it, together with the tenant. */
export const SandboxState = z.object({
  live_until: z.iso.datetime().nullable(),
  reset: StoredReset.nullable(),
});
export type SandboxState = z.infer<typeof SandboxState>;
