import * as z from 'zod';
import { CloudEvent } from '../ingestion/cloudEvent.ts';
import { FieldError } from '../problems.ts';
import { route } from './route.ts';

export const SIGNALS_MAXIMUM = 1_000;
/** The gateway hands such bodies on in base64, a third longer, and a function takes 6 MB at most. */
const SIGNALS_BYTES_MAXIMUM = 4 * 1_024 * 1_024;

const Batch = z.array(CloudEvent).max(SIGNALS_MAXIMUM);
/** Before its events are checked one by one. */
const Unchecked = z.union([
  z.record(z.string(), z.unknown()),
  z.array(z.unknown()).max(SIGNALS_MAXIMUM, `must hold at most ${SIGNALS_MAXIMUM} events`),
]);

const SignalResult = z.discriminatedUnion('status', [
  z.object({
    index: z.int(),
    source: z.string(),
    id: z.string(),
    status: z.literal('accepted'),
    scrubbed: z.array(z.string()).meta({
      description: 'Content members that were dropped at the edge, as dotted paths; their values are gone',
    }),
  }),
  z.object({
    index: z.int(),
    source: z.string().nullable(),
    id: z.string().nullable(),
    status: z.literal('rejected'),
    errors: z.array(FieldError),
  }),
]);
export type SignalResult = z.infer<typeof SignalResult>;

const SignalsAccepted = z
  .object({ accepted: z.int(), rejected: z.int(), results: z.array(SignalResult) })
  .meta({ id: 'SignalsAccepted' });
export type SignalsAccepted = z.infer<typeof SignalsAccepted>;

export const postEvents = route({
  method: 'POST',
  path: '/api/v1/events',
  operation: 'postEvents',
  effect: 'ingestion',
  unit: 'signals',
  summary: 'Send CloudEvents: discovery signals, connector health, or any other',
  description:
    'CloudEvents 1.0 in the JSON format: one object (application/cloudevents+json) or an array of up to 1,000 (application/cloudevents-batch+json); application/json may hold either. Answers one result for each event, in the order sent; in an array a bad event never refuses the others, alone it is refused with 422. source and id make an event: a second one is acknowledged and changes nothing. discovery.signal and connector.health become part of the coverage map, never records of anybody’s calls; a connector that says it is not as it was raises connector.health.changed. Events of any other type are counted and kept for 30 days, as far as they hold names, numbers and short text; content members are dropped and listed in scrubbed.',
  access: 'ingest:write',
  rate: 'ingest',
  needs: ['signals.write', 'coverage.discover', 'counters.add', 'outbox.append'],
  body: {
    kind: 'json',
    mediaTypes: ['application/cloudevents+json', 'application/cloudevents-batch+json'],
    schema: z.union([CloudEvent, Batch]),
    accepts: Unchecked,
    maxBytes: SIGNALS_BYTES_MAXIMUM,
  },
  replies: { 202: { description: 'The accepted events are kept', body: SignalsAccepted } },
});
