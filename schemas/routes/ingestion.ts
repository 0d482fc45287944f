import * as z from 'zod';
import { InvocationEvent } from '../ingestion/invocationEvent.ts';
import { FieldError } from '../problems.ts';
import { route } from './route.ts';

export const BATCH_EVENTS_MAXIMUM = 1_000;
const SINGLE_BYTES_MAXIMUM = 256 * 1_024;
const BATCH_BYTES_MAXIMUM = 5 * 1_024 * 1_024;

const Queued = z.object({
  event_id: z.string(),
  invocation_id: z
    .string()
    .meta({ description: 'Follows from the tenant and the event_id: the same on every retry' }),
  status: z.literal('queued'),
  scrubbed: z.array(z.string()).meta({
    description: 'Content members that were dropped at the edge, as dotted paths; their values are gone',
  }),
});

export const InvocationAccepted = Queued.meta({ id: 'InvocationAccepted' });
export type InvocationAccepted = z.infer<typeof InvocationAccepted>;

export const InvocationBatch = z
  .object({ events: z.array(InvocationEvent).min(1).max(BATCH_EVENTS_MAXIMUM) })
  .meta({ id: 'InvocationBatch' });

/** The batch before its events are checked one by one. */
const UncheckedBatch = z.object({ events: z.array(z.unknown()).min(1).max(BATCH_EVENTS_MAXIMUM) });

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
  'Members the schema does not name are dropped; content members are listed in scrubbed. ' +
  'One event_id makes one record, whatever a retry looks like: the first content stays. ' +
  'Times over 13 months old or over 10 minutes ahead are refused. ' +
  'Should the idempotency or rate-limit store be down, events are accepted all the same and the response says so in its Degraded header.';

export const postInvocation = route({
  method: 'POST',
  path: '/api/v1/invocations',
  operation: 'postInvocation',
  effect: 'ingestion',
  unit: 'ingestion',
  summary: 'Send one inference event',
  description: ingestionRules,
  access: 'ingest:write',
  rate: 'ingest',
  needs: ['accepted.send', 'counters.add'],
  body: { kind: 'json', schema: InvocationEvent, maxBytes: SINGLE_BYTES_MAXIMUM },
  replies: { 202: { description: 'The event is queued durably', body: InvocationAccepted } },
});

export const postInvocationBatch = route({
  method: 'POST',
  path: '/api/v1/invocations/batch',
  operation: 'postInvocationBatch',
  effect: 'ingestion',
  unit: 'batchIngestion',
  summary: `Send up to ${BATCH_EVENTS_MAXIMUM} inference events`,
  description: `Answers one result for each event, in the order sent; a bad event never refuses the others. ${ingestionRules}`,
  access: 'ingest:write',
  rate: 'ingest',
  needs: ['accepted.send', 'counters.add'],
  body: { kind: 'json', schema: InvocationBatch, accepts: UncheckedBatch, maxBytes: BATCH_BYTES_MAXIMUM },
  replies: { 202: { description: 'The accepted events are queued durably', body: InvocationBatchAccepted } },
});
