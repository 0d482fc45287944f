import * as z from 'zod';
import { Interpretation } from '../attribution/attributionRecord.ts';
import { Model } from '../attribution/models.ts';
import { JobRequest } from '../jobs.ts';
import { faultOutcomes } from './counters.ts';

/** Events with a fault. */
const EventFault = z
  .object({
    outcome: z.enum(faultOutcomes).meta({
      description:
        'refused: no record was made. dropped: the member was left out. corrected: its form was repaired',
    }),
    member: z.string().meta({
      description: 'The member of the event. content: prompts and the like. event: none of its members',
    }),
    producer: z.string().nullable().meta({
      description: 'Id of the credential or AWS principal that sent them. Null without read:attribution',
    }),
    count: z.int(),
  })
  .meta({ id: 'EventFault' });
/** Most event faults in diagnostics. */
export const EVENT_FAULTS_MAXIMUM = 100;

/** Telemetry with token counts that made no record. */
export const UnreadUsage = z
  .object({
    scope: z.string().meta({ description: 'Name of the instrumentation scope' }),
    count: z.int().meta({ description: 'Spans and log records' }),
    hint: z.string().meta({ description: 'How to make them readable' }),
  })
  .meta({ id: 'UnreadUsage' });
export type UnreadUsage = z.infer<typeof UnreadUsage>;

const Count = z.int();

export const Diagnostics = z
  .object({
    as_of: z.iso.datetime(),
    last_24_hours: z
      .object({
        duplicates: Count.meta({ description: 'Events that were already recorded' }),
        duplicate_mismatches: Count.meta({
          description:
            'Events with a known event_id and other content from the same credential, capture layer and source system. The first event is kept',
        }),
        merged_observations: Count.meta({
          description:
            'Events with a known event_id from another credential, capture layer or source system. Their evidence is merged into the record, which is billed once',
        }),
        contradicting_statements: Count.meta({
          description:
            'Events with a known event_id whose cost, usage, model or owner differs from what another credential of the tenant had stated. The first statement is kept, and the explanation of the record names both',
        }),
        joined_calls: Count.meta({
          description:
            'Records of calls that another record stands for, because an id, a trace, or time, model and token counts show it. They count in no total',
        }),
        ambiguous_calls: Count.meta({
          description:
            'Records that may be of the call of another record, of which several fit. Each counts as a call, so the totals can be too high',
        }),
        uncounted_calls: Count.meta({
          description:
            'Calls of OpenTelemetry exports that state no token counts, so that their cost is unknown. Where another instrumentation reports them with their counts in another trace, each is one call too many',
        }),
        rejected_statements: Count.meta({
          description:
            'Events of connectors about calls of which they may state nothing. The explanation of the record names them',
        }),
        dropped_members: Count.meta({
          description: 'Content members that ingestion dropped from events',
        }),
        implausible_amounts: Count.meta({
          description:
            'Records with a reported amount that their usage cannot explain: a cost that waits for a confirmation (implausible_cost), or energy or carbon (explanation.reported_footprint)',
        }),
        events_set_aside: z
          .object({
            malformed_message: Count,
            invalid_event: Count,
            attribution_failed: Count,
          })
          .meta({
            description:
              'Queued events that could not be recorded, by reason. They are kept in a dead-letter queue, and an operator can redrive them',
          }),
        event_faults: z.array(EventFault).meta({
          description: `Events that were refused, cleaned or repaired, by member and producer, most first. At most ${EVENT_FAULTS_MAXIMUM}`,
        }),
        unread_usage: z.array(UnreadUsage).meta({
          description:
            'OpenTelemetry spans and log records that have token counts and made no record, by scope, most first',
        }),
        signals: z.object({ discovery: Count, connector_health: Count, other: Count }),
      })
      .meta({
        description:
          'The current hour and the 23 hours before it, for the whole tenant. A count is readable as soon as its event is recorded, usually within seconds. If the queue delivers a message twice, its counts can be doubled. Records and costs do not depend on them',
      }),
    freshness: z
      .object({
        newest_call: z.iso.datetime().nullable().meta({
          description: 'The minute of the newest call in the ledger. Null without a call in the last 31 days',
        }),
        summed_at: z.iso.datetime().nullable().meta({
          description:
            'When that minute was aggregated. Reports, budgets and reconciliation include it from then on',
        }),
      })
      .meta({ description: 'For the residency lane of the credential, if it is bound to one' }),
    report_groups: z
      .object({
        month: z.string().meta({ example: '2026-05' }),
        count: Count.meta({ description: 'Groups with sums of their own' }),
        limit: Count.meta({
          description:
            'Beyond this number, a new group counts under service "(other)", and beyond a second limit under owner "(other)", for the rest of the month. Sums over all groups stay exact',
        }),
      })
      .meta({
        description:
          'Groups of this month in the totals: combinations of owner, service, provider, served model, pathway, lane, and the tags that budgets name',
      }),
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
