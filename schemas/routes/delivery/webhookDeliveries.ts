import * as z from 'zod';
import {
  attemptOutcomes,
  DELIVERY_RETENTION_DAYS,
  DeliveryAttempt,
  REPLAYED_MAXIMUM,
  SubscribableEvent,
} from '../../delivery/webhooks.ts';
import { Cursor, PageLimit, pageOf } from '../../page.ts';
import { DayOrInstant, queryInteger, RepeatedId } from '../../values.ts';
import { route } from '../route.ts';

const BYTES_MAXIMUM = 16 * 1_024;

const WebhookTest = z
  .strictObject({ type: SubscribableEvent })
  .meta({ id: 'WebhookTest', example: { type: 'budget.threshold.crossed' } });

const WebhookReplay = z
  .union([
    z.strictObject({ event_id: RepeatedId.meta({ description: 'One event, of any type' }) }),
    z.strictObject({
      from: DayOrInstant.meta({
        description: 'Start of the time range, inclusive, by creation time of the events',
      }),
      to: DayOrInstant.meta({ description: 'End of the time range, exclusive' }),
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
    event_ids: z.array(z.string()).meta({ description: 'In order of creation' }),
  })
  .meta({ id: 'WebhookQueued' });

const DeliveryQuery = z.strictObject({
  cursor: Cursor.optional(),
  limit: PageLimit.optional(),
  sort: z
    .enum(['attempted_at', '-attempted_at'])
    .optional()
    .meta({ description: 'Default: -attempted_at (newest first)' }),
  outcome: z.enum(attemptOutcomes).optional(),
  response_status: queryInteger(100, 599, 503).optional(),
  event_type: RepeatedId.optional(),
  event_id: RepeatedId.optional(),
  'attempted_at[gt]': DayOrInstant.optional(),
  'attempted_at[gte]': DayOrInstant.optional(),
  'attempted_at[lt]': DayOrInstant.optional(),
  'attempted_at[lte]': DayOrInstant.optional(),
});
export type DeliveryQuery = z.infer<typeof DeliveryQuery>;

const common = { unit: 'webhooks', access: 'webhooks:manage' } as const;
const ids = { id: 'whe' };

export const testWebhook = route({
  ...common,
  method: 'POST',
  path: '/api/v1/webhooks/{id}/test',
  operation: 'testWebhook',
  authority: { effect: 'egress', reveals: [], lanes: 'all' },
  summary: 'Send a sample event to a webhook endpoint',
  description:
    'Sends a sample event of any type, even if the endpoint does not subscribe to it. The sample has the same synthetic data for every tenant, so the caller does not need the scope of the type. The sample is signed, delivered, retried and logged like any event and takes the next sequence number. Its body has test set to true. CONFLICT unless the endpoint is verified.',
  discloses: 'none',
  rate: 'write',
  needs: ['webhooks.read', 'deliveries.append', 'deliveries.send'],
  ids,
  body: { kind: 'json', schema: WebhookTest, maxBytes: BYTES_MAXIMUM },
  audit: 'webhook.test',
  refuses: ['CONFLICT'],
  replies: { 202: { description: 'The sample is queued for delivery', body: Queued } },
});

export const replayToWebhook = route({
  ...common,
  method: 'POST',
  path: '/api/v1/webhooks/{id}/replay',
  operation: 'replayToWebhook',
  limits: { events: REPLAYED_MAXIMUM },
  authority: { effect: 'egress', reveals: [], internal: ['admin:config', 'read:attribution'], lanes: 'all' },
  summary: 'Send past events to a webhook endpoint again',
  description: `Sends one event of any type, or all events of a time range whose types the endpoint currently subscribes to, whether or not they were sent before. Events are kept for ${DELIVERY_RETENTION_DAYS} days. A replay keeps the id of the event, takes the next sequence number and is signed with the current time. Its body has replayed set to true. A replay covers at most ${REPLAYED_MAXIMUM} events; a time range with more returns VALIDATION_FAILED. Request shorter ranges. The caller needs the scopes that read the events (INSUFFICIENT_SCOPE): for one event the scope of its type, for a time range the scopes of all subscribed types. CONFLICT unless the endpoint is verified and authorized_by can read the events.`,
  discloses: 'operation',
  rate: 'bulk',
  needs: [
    'access.read',
    'webhooks.read',
    'outbox.replay',
    'ledger.readVersions',
    'deliveries.append',
    'deliveries.send',
  ],
  ids,
  body: { kind: 'json', schema: WebhookReplay, maxBytes: BYTES_MAXIMUM },
  audit: 'webhook.replay',
  refuses: ['CONFLICT'],
  replies: { 202: { description: 'The events are queued for delivery', body: Queued } },
});

export const listWebhookDeliveries = route({
  ...common,
  method: 'GET',
  path: '/api/v1/webhooks/{id}/deliveries',
  operation: 'listWebhookDeliveries',
  authority: { effect: 'none', reveals: [], lanes: 'all' },
  summary: 'List the delivery attempts of a webhook endpoint',
  description: `Lists one entry for each attempt at an event of the last ${DELIVERY_RETENTION_DAYS} days. The attempts of a batch have the same request_id. An entry must match all filters. While has_more is true, a page can have fewer entries than its limit, or none. Types and times reveal information about events. Attempts for event types that the caller has no scope to read are therefore omitted.`,
  discloses: 'operation',
  rate: 'read',
  needs: ['webhooks.read', 'deliveries.read', 'cursor.derive'],
  ids,
  query: DeliveryQuery,
  replies: { 200: { description: 'A page of attempts', body: pageOf(DeliveryAttempt, 'DeliveryPage') } },
});
