import * as z from 'zod';
import { FieldError } from '../../fieldError.ts';
import { AGE_MONTHS_MAXIMUM } from '../../ingest/eventAge.ts';
import { InvocationEvent } from '../../ingest/invocationEvent.ts';
import { LABEL_WORDS_MAXIMUM } from '../../labels/confidentialText.ts';
import { route } from '../route.ts';

export const BATCH_EVENTS_MAXIMUM = 1_000;
export const SINGLE_BYTES_MAXIMUM = 256 * 1_024;
export const BATCH_BYTES_MAXIMUM = 5 * 1_024 * 1_024;

const Queued = z.object({
  event_id: z.string(),
  invocation_id: z
    .string()
    .meta({ description: 'Derived from the tenant and the event_id, so it is the same on every retry' }),
  status: z.literal('queued'),
  scrubbed: z.array(z.string()).meta({
    description:
      'Dotted paths of content members and of optional members that were dropped. Their values are not stored',
  }),
  warnings: z.array(FieldError).optional().meta({
    description:
      'Why optional members were dropped or corrected: the rule that the value broke, or the kind of secret that it looks like',
  }),
});

export const InvocationAccepted = Queued.meta({ id: 'InvocationAccepted' });
export type InvocationAccepted = z.infer<typeof InvocationAccepted>;

export const InvocationBatch = z
  .object({ events: z.array(InvocationEvent).min(1).max(BATCH_EVENTS_MAXIMUM) })
  .meta({ id: 'InvocationBatch', example: { events: [InvocationEvent.meta()?.['example']] } });

/** An event, and a batch, before the operation checks each event. */
export const UncheckedEvent = z.unknown();
export const UncheckedBatch = z.object({ events: z.array(z.unknown()).min(1).max(BATCH_EVENTS_MAXIMUM) });

export const BatchResult = z.discriminatedUnion('status', [
  Queued.extend({ index: z.int() }),
  z.object({
    index: z.int(),
    event_id: z.string().nullable(),
    invocation_id: z.null(),
    status: z.literal('rejected'),
    errors: z.array(FieldError),
  }),
]);
export type BatchResult = z.infer<typeof BatchResult>;

export const InvocationBatchAccepted = z
  .object({ accepted: z.int(), rejected: z.int(), results: z.array(BatchResult) })
  .meta({ id: 'InvocationBatchAccepted' });
export type InvocationBatchAccepted = z.infer<typeof InvocationBatchAccepted>;

const ingestionRules =
  'Unknown members are dropped, with a warning if near a known one. Dropped content members are listed in scrubbed. ' +
  `An optional label that looks like a secret or has more than ${LABEL_WORDS_MAXIMUM} words is dropped too, with a reason in warnings. ` +
  'Only required members make an event invalid. An optional member with an invalid value is corrected if clear, or dropped, with a reason in warnings. If a part of a token count exceeds the count, both are dropped. ' +
  'An event_id creates one record. A retry with other content does not change it. Another capture layer or source system that sends the same event_id adds its evidence to the record. ' +
  `Timestamps more than ${AGE_MONTHS_MAXIMUM} months in the past are rejected. ` +
  'The arrival replaces those more than 10 minutes in the future or before 2020, with a warning, and the explanation of the record has the reported time. ' +
  'If the idempotency store or the rate-limit store is unavailable, events are still accepted and the response has a Degraded header.';

export const postInvocation = route({
  method: 'POST',
  path: '/api/v1/invocations',
  operation: 'postInvocation',
  limits: { age_months: AGE_MONTHS_MAXIMUM },
  authority: { effect: 'ingestion', reveals: [], internal: ['read:attribution'], lanes: 'own' },
  unit: 'ingest',
  summary: 'Send one inference event',
  description: ingestionRules,
  access: 'ingest:write',
  discloses: 'none',
  rate: 'ingest',
  needs: ['accepted.send', 'claims.hold', 'ledger.readShardBits', 'progress.report'],
  body: { kind: 'json', schema: InvocationEvent, accepts: UncheckedEvent, maxBytes: SINGLE_BYTES_MAXIMUM },
  replies: { 202: { description: 'The event is in a durable queue', body: InvocationAccepted } },
});

export const postInvocationBatch = route({
  method: 'POST',
  path: '/api/v1/invocations/batch',
  operation: 'postInvocationBatch',
  limits: { age_months: AGE_MONTHS_MAXIMUM },
  authority: { effect: 'ingestion', reveals: [], lanes: 'own' },
  unit: 'ingestBatches',
  summary: `Send up to ${BATCH_EVENTS_MAXIMUM} inference events`,
  description: `Returns one result for each event, in request order. An invalid event does not reject the others. ${ingestionRules}`,
  access: 'ingest:write',
  discloses: 'none',
  rate: 'ingest',
  needs: ['accepted.send', 'progress.report'],
  body: { kind: 'json', schema: InvocationBatch, accepts: UncheckedBatch, maxBytes: BATCH_BYTES_MAXIMUM },
  replies: {
    202: { description: 'The accepted events are in a durable queue', body: InvocationBatchAccepted },
  },
});
