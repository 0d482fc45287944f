import * as z from 'zod';
import { Interpretation } from './attribution/attributionRecord.ts';
import { JobRequest } from './jobs.ts';
import { Model } from './models.ts';

/** What is counted by tenant and hour. */
export const counterNames = [
  'duplicates',
  'duplicate_mismatches',
  'dropped_members',
  'set_aside_malformed_message',
  'set_aside_invalid_event',
  'set_aside_attribution_failed',
  'signals_discovery',
  'signals_connector_health',
  'signals_other',
] as const;
export type CounterName = (typeof counterNames)[number];

export const Counts = z.record(z.enum(counterNames), z.int());
export type Counts = z.infer<typeof Counts>;

const Count = z.int();

export const Diagnostics = z
  .object({
    as_of: z.iso.datetime(),
    last_24_hours: z
      .object({
        duplicates: Count.meta({ description: 'Events that had become records before' }),
        duplicate_mismatches: Count.meta({
          description: 'Events whose event_id had come before with other content: the first one stands',
        }),
        dropped_members: Count.meta({
          description: 'Content members dropped at the edge, counted once for each event',
        }),
        events_set_aside: z
          .object({
            malformed_message: Count,
            invalid_event: Count,
            attribution_failed: Count,
          })
          .meta({
            description:
              'Events put on the queue that became no record, by reason; they are kept, and an operator can send them again',
          }),
        signals: z.object({ discovery: Count, connector_health: Count, other: Count }),
      })
      .meta({
        description:
          'The current hour and the 23 before it, of the whole tenant. Approximate: a count may be missing where a function ended, or be told twice where a write was repeated; records and costs never depend on it',
      }),
    freshness: z
      .object({
        newest_call: z.iso.datetime().nullable().meta({
          description:
            'The minute of the newest call in the ledger; null when there is none of the last 31 days',
        }),
        summed_at: z.iso.datetime().nullable().meta({
          description: 'When that minute was summed: reports, budgets and reconciliation know it since then',
        }),
      })
      .meta({ description: 'Of the caller’s lane, where it is bound to one' }),
    last_training: Model.pick({ version: true, state: true, trained_at: true, gate: true }).nullable(),
    unfinished_jobs: z.array(
      z.object({
        job_id: z.string(),
        type: z.enum(JobRequest.options.map(({ shape }) => shape.type.value)),
        status: z.string(),
        created_at: z.iso.datetime(),
      }),
    ),
    degradation_state: Interpretation.shape.degradation_state,
  })
  .meta({ id: 'Diagnostics' });
export type Diagnostics = z.infer<typeof Diagnostics>;
