import * as z from 'zod';
import { FieldError } from '../../fieldError.ts';
import { CloudEvent } from '../../ingest/cloudEvent.ts';
import { route } from '../route.ts';

export const SIGNALS_MAXIMUM = 1_000;
/** The gateway encodes these bodies in base64, which adds a third. A Lambda request is limited to 6 MB. */
const SIGNALS_BYTES_MAXIMUM = 4 * 1_024 * 1_024;

const Batch = z.array(CloudEvent).max(SIGNALS_MAXIMUM);
/** One event or a batch, before each event is validated. */
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
      description: 'Dotted paths of content members that were dropped. Their values are not stored',
    }),
    warnings: z.array(FieldError).optional().meta({
      description:
        'Why optional members of an inference event were dropped or corrected, and a type or member that may be misspelt',
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
  authority: {
    effect: 'ingestion',
    reveals: [],
    internal: ['read:attribution', 'admin:config'],
    lanes: 'own',
  },
  unit: 'signals',
  summary: 'Send CloudEvents: discovery signals, connector health or other types',
  description:
    'Accepts CloudEvents 1.0 in the JSON format: one object (application/cloudevents+json) or an array of up to 1,000 (application/cloudevents-batch+json). application/json accepts both, and the data of one event in binary mode, whose attributes are ce- headers. Returns one result for each event, in request order. In an array, an invalid event does not reject the others. A single invalid event returns 422. source and id identify an event of a credential; a duplicate is acknowledged and changes nothing. discovery.signal and connector.health events update the coverage map and do not create attribution records. The data of an ai.inference.completed.v1 event is an inference event, which is recorded as postInvocation records it: source and id replace its event_id, time its times, and subject its attributed_identity, if it has none. The health of a connector that is registered is reported by it alone. A connector whose reported health changes emits connector.health.changed. Events of other types are counted and kept for 30 days, reduced to names, numbers and short text. Content members are dropped and listed in scrubbed.',
  access: 'ingest:write',
  discloses: 'none',
  rate: 'ingest',
  needs: [
    'accepted.send',
    'access.list',
    'signals.write',
    'coverage.recordDiscovery',
    'counters.add',
    'outbox.append',
    'progress.report',
  ],
  body: {
    kind: 'json',
    mediaTypes: ['application/cloudevents+json', 'application/cloudevents-batch+json'],
    schema: z.union([CloudEvent, Batch]).meta({ id: 'CloudEvents', example: CloudEvent.meta()?.['example'] }),
    accepts: Unchecked,
    maxBytes: SIGNALS_BYTES_MAXIMUM,
  },
  replies: { 202: { description: 'The accepted events are stored', body: SignalsAccepted } },
});
