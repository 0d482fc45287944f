import * as z from 'zod';
import { type EventType, eventData, RaisedEvent } from './events.ts';
import { label } from './values.ts';

/** Endpoints a tenant may have: every event is held against all of them. */
export const ENDPOINTS_MAXIMUM = 20;

/** How long streams and the log of deliveries are kept, in days. */
export const DELIVERY_RETENTION_DAYS = 30;

/** Events one call replays at most: as many as enter a stream well within its time. */
export const REPLAYED_MAXIMUM = 500;

/** Sent to an endpoint whatever it subscribes to, and to nobody else. */
export const VERIFICATION_EVENT = 'webhook.verification' satisfies EventType;

type SubscribableType = Exclude<EventType, typeof VERIFICATION_EVENT>;
const isSubscribable = (type: string): type is SubscribableType => type !== VERIFICATION_EVENT;

/** The types an endpoint may subscribe to, each by itself. */
export const subscribableTypes = Object.keys(eventData).filter(isSubscribable) as [
  SubscribableType,
  ...SubscribableType[],
];
export const SubscribableEvent = z.enum(subscribableTypes);
export type SubscribableEvent = z.infer<typeof SubscribableEvent>;

/** The members of an endpoint that whoever registers it chooses. */
export const endpointMembers = {
  // Any text: what is wrong with a URL is told under one error code, however it is wrong.
  url: z.string().max(4_096).meta({
    description:
      'Where events are posted to: https on port 443, resolving to public addresses only, without user information or fragment',
    example: 'https://hooks.example.com/attribution',
  }),
  description: label(256).meta({ example: 'Budgets into the channel of the FinOps team' }),
  events: z
    .array(SubscribableEvent)
    .min(1)
    .max(64)
    .refine((types) => new Set(types).size === types.length, 'must name each type once')
    .meta({ description: 'The types it is sent', example: ['budget.threshold.crossed'] }),
};

/** A webhook endpoint as its tenant sees it: nothing of its secret. */
export const WebhookEndpoint = z
  .object({
    id: z.string(),
    url: z
      .string()
      .meta({ description: 'As it is called, which may be spelt differently from what was sent' }),
    description: z.string().nullable(),
    events: z.array(z.string()),
    status: z.enum(['pending', 'verified', 'disabled']).meta({
      description: 'pending: nothing but the challenge is sent; disabled: nothing is',
    }),
    disabled_reason: z.enum(['admin', 'gone', 'no_success', 'unauthorized']).nullable().meta({
      description:
        'gone: it answered 410; no_success: no delivery succeeded for five days; unauthorized: authorized_by was revoked or removed, or lost a scope that the events need',
    }),
    disabled_at: z.iso.datetime().nullable(),
    failing_since: z.iso.datetime().nullable().meta({
      description: 'The first failure since the last success; null while deliveries succeed',
    }),
    challenge_valid_until: z.iso.datetime().nullable().meta({
      description: 'Until when the open challenge can be answered; null when none is open',
    }),
    secret_rotated_at: z.iso.datetime().nullable(),
    previous_secret_valid_until: z.iso.datetime().nullable().meta({
      description: 'Until when deliveries are also signed with the secret before; null when they are not',
    }),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    created_by: z.string().meta({ description: 'Id of the key, client or user' }),
    authorized_by: z.string().nullable().meta({
      description:
        'Id of the key, client or user whose scopes let the events be sent: whoever created the endpoint, or last changed its URL or events or enabled it',
    }),
  })
  .meta({ id: 'WebhookEndpoint' });
export type WebhookEndpoint = z.infer<typeof WebhookEndpoint>;

/** What an entry of a stream is: an event, a sample somebody asked for, or the challenge of the endpoint itself. */
export const EntryKind = z.enum(['event', 'test', 'verification']);
export type EntryKind = z.infer<typeof EntryKind>;

/** The last sequence an endpoint's stream gave out, 0 before the first. */
export const StreamHead = z.object({ last: z.int().min(0) });
export type StreamHead = z.infer<typeof StreamHead>;

/** An event in the stream of one endpoint; it never changes: a replay of it is another entry, with a sequence of its own. */
export const StreamEntry = z.object({
  endpoint_id: z.string(),
  sequence: z.int().min(1),
  kind: EntryKind,
  /** Of a verification without its data: the challenge is put in when it is sent, and is at rest only under seal. */
  event: RaisedEvent,
  entered_at: z.iso.datetime(),
});
export type StreamEntry = z.infer<typeof StreamEntry>;

export const attemptOutcomes = ['acknowledged', 'retried', 'dead_lettered'] as const;

/** Why an attempt was not acknowledged. Coarse, so that whoever registers URLs learns no address of ours. */
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
] as const;

/** One attempt at a delivery, as the log keeps it. */
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
      .meta({ description: 'Which attempt at this delivery it was; a replay counts anew' }),
    attempted_at: z.iso.datetime(),
    latency_ms: z.int().min(0).meta({ description: 'From looking up the name to the end of the answer' }),
    response_status: z
      .int()
      .nullable()
      .meta({ description: 'The HTTP status; null when there was no answer' }),
    outcome: z.enum(attemptOutcomes).meta({
      description: 'dead_lettered: not tried again, because it cannot succeed or 24 hours have passed',
    }),
    failure: z.enum(attemptFailures).nullable().meta({
      description:
        'Why it was not acknowledged; unauthorized: nothing was sent, because authorized_by may not read such an event any more; open: later versions add reasons',
    }),
    next_attempt_at: z.iso.datetime().nullable().meta({ description: 'When it is tried again, if it is' }),
    test: z.boolean().meta({ description: 'A sample that was asked for' }),
    replayed: z.boolean(),
    retained_until: z.iso.datetime().meta({ description: 'When this entry is dropped' }),
  })
  .meta({ id: 'WebhookDelivery' });
export type DeliveryAttempt = z.infer<typeof DeliveryAttempt>;
