import * as z from 'zod';
import { HOUR_SECONDS } from '../durations.ts';
import type { Limit } from '../platform/limits.ts';
import { distinct, freeText } from '../values.ts';
import { EventInterpretation, type EventType, eventData, RaisedEvent } from './events.ts';
import { BATCH_BYTES_MAXIMUM, BATCH_EVENTS_MAXIMUM } from './webhookBatches.ts';

/** The most endpoints of a tenant. Every event is matched against all of them. */
export const ENDPOINTS_MAXIMUM = 20;

/** The allowed ports of endpoints and chats: the standard port of HTTPS, and its usual alternative. */
export const WEBHOOK_PORTS: readonly number[] = [443, 8443];

/** How long streams and the delivery log are kept, in days. */
export const DELIVERY_RETENTION_DAYS = 30;

/** The most events that one call replays. Appending them to a stream takes well less than the timeout of the call. */
export const REPLAYED_MAXIMUM = 500;

/** The most verification challenges: `burst` at once, and `rate` a second in the long run. */
export const CHALLENGE_LIMITS = {
  endpoint: { rate: 5 / HOUR_SECONDS, burst: 5 },
  tenant: { rate: 30 / HOUR_SECONDS, burst: 30 },
} as const satisfies Record<string, Limit>;

/** Sent to an endpoint to verify it, regardless of its subscriptions. It cannot be subscribed to. */
export const VERIFICATION_EVENT = 'webhook.verification' satisfies EventType;

type SubscribableType = Exclude<EventType, typeof VERIFICATION_EVENT>;
const isSubscribable = (type: string): type is SubscribableType => type !== VERIFICATION_EVENT;

/** The types that an endpoint may subscribe to. */
export const subscribableTypes = Object.keys(eventData).filter(isSubscribable) as [
  SubscribableType,
  ...SubscribableType[],
];
export const SubscribableEvent = z.enum(subscribableTypes).meta({ id: 'WebhookEventType' });
export type SubscribableEvent = z.infer<typeof SubscribableEvent>;

/** The members of an endpoint that the caller chooses. */
export const endpointMembers = {
  // Any text, so that every invalid URL is reported with one error code (WEBHOOK_URL_REJECTED).
  url: z
    .string()
    .max(4_096)
    .meta({
      id: 'WebhookUrl',
      format: 'uri',
      description: `The URL that events are posted to. It must use https on port ${WEBHOOK_PORTS.join(' or ')}, resolve to public addresses only, and contain no user information or fragment.`,
      example: 'https://hooks.example.com/attribution',
    }),
  description: freeText(256).meta({ example: 'Budget alerts for the FinOps channel' }),
  events: distinct(z.array(SubscribableEvent).min(1).max(64), 'must name each type once').meta({
    description: 'The event types that the endpoint receives',
    example: ['budget.threshold.crossed'],
  }),
  max_batch_size: z
    .int()
    .min(1)
    .max(BATCH_EVENTS_MAXIMUM)
    .meta({
      description: `The most events in one request. Default: 1, and the body is the event. Above 1 the body is a list of events with at most ${BATCH_BYTES_MAXIMUM / 1_024} KiB, as the tag Webhook events describes. A change applies to requests that are sent afterwards.`,
    }),
};

/** The API representation of a webhook endpoint, without its secret. */
export const WebhookEndpoint = z
  .object({
    id: z.string(),
    url: z
      .string()
      .meta({ description: 'The normalized URL, which may differ in spelling from the one that was sent' }),
    description: z.string().nullable(),
    events: z.array(z.string()),
    max_batch_size: z.int().meta({ description: 'The most events in one request' }),
    status: z.enum(['pending', 'verified', 'disabled']).meta({
      description: 'pending: only the challenge is sent. disabled: nothing is sent.',
    }),
    disabled_reason: z.enum(['admin', 'gone', 'no_success', 'unauthorized']).nullable().meta({
      id: 'DisabledReason',
      description:
        'gone: the endpoint answered 410 for 24 hours. no_success: attempts failed for five days without a success; days without attempts do not count. unauthorized: authorized_by was revoked or removed, or lost a scope that the events need.',
    }),
    disabled_at: z.iso.datetime().nullable(),
    failing_since: z.iso.datetime().nullable().meta({
      description: 'The first failure since the last success. Null while deliveries succeed.',
    }),
    challenge_valid_until: z.iso.datetime().nullable().meta({
      description: 'When the open challenge expires. Null when none is open.',
    }),
    secret_rotated_at: z.iso.datetime().nullable(),
    previous_secret_valid_until: z.iso.datetime().nullable().meta({
      description: 'Until when deliveries are also signed with the previous secret. Null when they are not.',
    }),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    created_by: z.string().meta({ description: 'Id of the key, client or user that created the endpoint' }),
    authorized_by: z.string().nullable().meta({
      description:
        'Id of the key, client or user whose scopes allow the events to be sent. It created the endpoint, last changed its URL or events, or last enabled it.',
    }),
  })
  .meta({ id: 'WebhookEndpoint' });
export type WebhookEndpoint = z.infer<typeof WebhookEndpoint>;

/** The kind of a stream entry: an event, a requested sample, or the verification challenge of the endpoint. */
export const EntryKind = z.enum(['event', 'test', 'verification']);
export type EntryKind = z.infer<typeof EntryKind>;

/** The last sequence number that a stream assigned, or 0 before the first. */
export const StreamHead = z.object({ last: z.int().min(0) });
export type StreamHead = z.infer<typeof StreamHead>;

/** An event in the stream of one endpoint. Immutable: a replay is a new entry with a new sequence number. */
export const StreamEntry = z.object({
  endpoint_id: z.string(),
  sequence: z.int().min(1),
  kind: EntryKind,
  /** A verification is stored without its challenge, which is encrypted at rest and added when the entry is sent. */
  event: RaisedEvent,
  entered_at: z.iso.datetime(),
});
export type StreamEntry = z.infer<typeof StreamEntry>;

/** An event in the list of a tenant: what a delivery of it contains, without the members of one endpoint. */
export const ListedEvent = z
  .object({
    id: z.string().meta({ description: 'The same as in every delivery of the event' }),
    type: SubscribableEvent,
    created_at: z.iso.datetime(),
    tenant_id: z.string(),
    data: z.record(z.string(), z.unknown()).meta({
      description: 'The data of the event, as in the webhook of its type',
    }),
    interpretation: EventInterpretation.optional(),
  })
  .meta({ id: 'WebhookEventEntry' });

export const attemptOutcomes = ['acknowledged', 'retried', 'dead_lettered'] as const;

/** Why an attempt was not acknowledged. Coarse on purpose, so that it does not disclose internal addresses. */
export const attemptFailures = [
  'status',
  'refused_url',
  'refused_address',
  'dns',
  'connect',
  'tls',
  'timeout',
  'redirect',
  'reset',
  'protocol',
  'too_large',
  'unauthorized',
  'paused',
] as const;

/** The log entry of one attempt at a delivery. */
export const DeliveryAttempt = z
  .object({
    id: z.string(),
    endpoint_id: z.string(),
    event_id: z.string(),
    event_type: z.string(),
    sequence: z.int(),
    attempt: z
      .int()
      .min(1)
      .meta({ description: 'The number of the attempt at this delivery. A replay starts again at 1.' }),
    attempted_at: z.iso.datetime(),
    latency_ms: z
      .int()
      .min(0)
      .meta({ description: 'From the start of name resolution to the end of the response' }),
    response_status: z
      .int()
      .nullable()
      .meta({ description: 'The HTTP status. Null when there was no response.' }),
    outcome: z.enum(attemptOutcomes).meta({
      description: 'dead_lettered: not retried, because it cannot succeed or because 24 hours have passed',
    }),
    failure: z.enum(attemptFailures).nullable().meta({
      description:
        'Why it was not acknowledged. unauthorized: nothing was sent, because authorized_by may no longer read such an event. paused: nothing was sent, because the endpoint was paused for longer than a day. Later versions may add reasons.',
    }),
    next_attempt_at: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When the next attempt is due. Null when there is none.' }),
    test: z.boolean().meta({ description: 'Whether it is a requested sample' }),
    replayed: z.boolean(),
    request_id: z.string().optional().meta({
      description:
        'Attempts with the same value were sent in one request. Present if the endpoint receives batches.',
    }),
    retained_until: z.iso.datetime().meta({ description: 'When this entry is deleted' }),
  })
  .meta({ id: 'WebhookDelivery' });
export type DeliveryAttempt = z.infer<typeof DeliveryAttempt>;
