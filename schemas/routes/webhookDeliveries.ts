import * as z from 'zod';
import { Cursor, PageLimit, pageOf } from '../page.ts';
import { Timestamp } from '../values.ts';
import {
  attemptOutcomes,
  DELIVERY_RETENTION_DAYS,
  DeliveryAttempt,
  REPLAYED_MAXIMUM,
  SubscribableEvent,
} from '../webhooks.ts';
import { route } from './route.ts';

const BYTES_MAXIMUM = 16 * 1_024;

const Id = z.string().min(1).max(128);

const WebhookTest = z
  .strictObject({ type: SubscribableEvent })
  .meta({ id: 'WebhookTest', example: { type: 'budget.threshold.crossed' } });

const WebhookReplay = z
  .union([
    z.strictObject({ event_id: Id.meta({ description: 'One event, of any type' }) }),
    z.strictObject({
      from: Timestamp.meta({ description: 'Events created from here on' }),
      to: Timestamp.meta({ description: 'and before this' }),
    }),
  ])
  .meta({
    id: 'WebhookReplay',
    example: { from: '2026-03-01T00:00:00.000Z', to: '2026-03-02T00:00:00.000Z' },
  });
export type WebhookReplay = z.infer<typeof WebhookReplay>;

const Queued = z
  .object({
    endpoint_id: z.string(),
    event_ids: z.array(z.string()).meta({ description: 'In the order of their creation' }),
  })
  .meta({ id: 'WebhookQueued' });

const DeliveryQuery = z.strictObject({
  cursor: Cursor.optional(),
  limit: PageLimit.optional(),
  sort: z
    .enum(['attempted_at', '-attempted_at'])
    .optional()
    .meta({ description: 'Default -attempted_at, the newest first' }),
  outcome: z.enum(attemptOutcomes).optional(),
  response_status: z
    .string()
    .regex(/^[1-5]\d\d$/, 'must be an HTTP status')
    .optional(),
  event_type: Id.optional(),
  event_id: Id.optional(),
  'attempted_at[gt]': Timestamp.optional(),
  'attempted_at[gte]': Timestamp.optional(),
  'attempted_at[lt]': Timestamp.optional(),
  'attempted_at[lte]': Timestamp.optional(),
});
export type DeliveryQuery = z.infer<typeof DeliveryQuery>;

const common = { unit: 'webhooks', access: 'webhooks:manage' } as const;
const ids = { id: 'whe' };

export const testWebhook = route({
  ...common,
  method: 'POST',
  path: '/api/v1/webhooks/{id}/test',
  operation: 'testWebhook',
  effect: 'egress',
  summary: 'Send a sample event to a webhook endpoint',
  description:
    'A sample of any type, subscribed to or not, with the same made-up data for every tenant, so that it needs no scope of the type, is delivered, signed, retried and logged like any event of the endpoint, and takes a sequence; its body has test true. CONFLICT unless the endpoint is verified.',
  rate: 'write',
  needs: ['webhooks.read', 'deliveries.enter'],
  ids,
  body: { kind: 'json', schema: WebhookTest, maxBytes: BYTES_MAXIMUM },
  audit: 'webhook.test',
  refuses: ['CONFLICT'],
  replies: { 202: { description: 'The sample is on its way', body: Queued } },
});

export const replayToWebhook = route({
  ...common,
  method: 'POST',
  path: '/api/v1/webhooks/{id}/replay',
  operation: 'replayToWebhook',
  effect: 'egress',
  summary: 'Send past events to a webhook endpoint again',
  description: `One event of any type, or those of a stretch of time that the endpoint subscribes to now, whether or not they were sent before; events are kept for ${DELIVERY_RETENTION_DAYS} days. A replay keeps the id of its event and takes a sequence of its own, is signed with the current time, and its body has replayed true. VALIDATION_FAILED when a stretch holds more than ${REPLAYED_MAXIMUM} events of these types: ask for shorter ones. Needs the scopes that read the events (INSUFFICIENT_SCOPE): of one event that of its type, of a stretch those of all types the endpoint subscribes to. CONFLICT unless the endpoint is verified, and where authorized_by may not read the events.`,
  rate: 'bulk',
  needs: ['access.read', 'webhooks.read', 'outbox.replay', 'deliveries.enter'],
  ids,
  body: { kind: 'json', schema: WebhookReplay, maxBytes: BYTES_MAXIMUM },
  audit: 'webhook.replay',
  refuses: ['CONFLICT'],
  replies: { 202: { description: 'They are on their way', body: Queued } },
});

export const listWebhookDeliveries = route({
  ...common,
  method: 'GET',
  path: '/api/v1/webhooks/{id}/deliveries',
  operation: 'listWebhookDeliveries',
  summary: 'List the attempts at deliveries to a webhook endpoint',
  description: `One entry for each HTTP request, or attempt at one, of the last ${DELIVERY_RETENTION_DAYS} days. Filters narrow each other; a page may hold fewer entries than its limit, or none, while has_more is true. Types and times tell of the events, so attempts at events of types that the caller has no scope to read are left out.`,
  rate: 'read',
  needs: ['webhooks.read', 'deliveries.read', 'cursor.derive'],
  ids,
  query: DeliveryQuery,
  replies: { 200: { description: 'A page of attempts', body: pageOf(DeliveryAttempt, 'DeliveryPage') } },
});
