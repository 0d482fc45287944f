import * as z from 'zod';
import { DELIVERY_RETENTION_DAYS, ListedEvent, SubscribableEvent } from '../../delivery/webhooks.ts';
import { DAY_SECONDS } from '../../durations.ts';
import { anyOf } from '../../filters.ts';
import { Cursor, PageLimit, pageOf } from '../../page.ts';
import { DayOrInstant, queryInteger } from '../../values.ts';
import { route } from '../route.ts';

/**
 * The range without `from` and `last_seconds`. Repeated calls see each event that is written up to a minute after its cause.
 */
export const RECENT_SECONDS = 60;

export const listWebhookEvents = route({
  unit: 'webhooks',
  access: 'webhooks:manage',
  method: 'GET',
  path: '/api/v1/webhook-events',
  operation: 'listWebhookEvents',
  authority: {
    effect: 'none',
    reveals: ['read:attribution'],
    withholds: ['admin:config', 'export:create', 'read:reporting'],
    lanes: 'all',
  },
  summary: 'List the events of the tenant, oldest first',
  description: `Lists events whether or not an endpoint receives them, with the body that a delivery has, without sequence. Events are kept for ${DELIVERY_RETENTION_DAYS} days. attribution.materialized events are raised only while an endpoint subscribes to them. An event can appear after later ones, because created_at is the time of its cause: call again with an overlapping range and discard known ids. The caller needs the scopes that read the events: a type in types that it may not read returns INSUFFICIENT_SCOPE, and without types such events are omitted. While has_more is true, a page can have fewer events than its limit, or none. Events belong to the whole tenant, so a credential bound to a residency lane cannot list them (RESIDENCY_BLOCKED).`,
  discloses: 'records',
  rate: 'read',
  needs: ['outbox.replay', 'ledger.readVersions', 'cursor.derive'],
  query: z.strictObject({
    types: anyOf(SubscribableEvent).optional(),
    from: DayOrInstant.optional().meta({
      description: `Start of the time range, inclusive, by creation time of the events. Default: ${RECENT_SECONDS} seconds before to`,
    }),
    last_seconds: queryInteger(1, DELIVERY_RETENTION_DAYS * DAY_SECONDS, RECENT_SECONDS)
      .optional()
      .meta({
        description:
          'Instead of from: how long the time range is. It does not depend on the clock of the client',
      }),
    to: DayOrInstant.optional().meta({ description: 'End of the time range, exclusive. Default: now' }),
    cursor: Cursor.optional(),
    limit: PageLimit.optional(),
  }),
  replies: { 200: { description: 'A page of events', body: pageOf(ListedEvent, 'WebhookEventPage') } },
});
