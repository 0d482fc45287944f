import * as z from 'zod';
import {
  CHALLENGE_LIMITS,
  ENDPOINTS_MAXIMUM,
  endpointMembers,
  WebhookEndpoint,
} from '../../delivery/webhooks.ts';
import { DAY_SECONDS } from '../../durations.ts';
import { Cursor, PageLimit, pageOf } from '../../page.ts';
import { oneTimeSecret } from '../../values.ts';
import { route } from '../route.ts';

const BYTES_MAXIMUM = 16 * 1_024;
/** One day, the time for which a delivery is retried. */
const OVERLAP_SECONDS_MAXIMUM = DAY_SECONDS;

const { url, description, events, max_batch_size } = endpointMembers;

const WebhookRequest = z
  .strictObject({
    url,
    events,
    description: description.optional(),
    max_batch_size: max_batch_size.optional(),
  })
  .meta({
    id: 'WebhookRequest',
    example: { url: 'https://hooks.example.com/attribution', events: ['budget.threshold.crossed'] },
  });
export type WebhookRequest = z.infer<typeof WebhookRequest>;

const WebhookPatch = z
  .strictObject({
    url: url.optional(),
    events: events.optional().meta({ description: 'Replaces the whole list' }),
    description: description.nullable().optional(),
    max_batch_size: max_batch_size.optional(),
    enabled: z.boolean().optional().meta({
      description:
        'false pauses the deliveries, true resumes them within 15 minutes. Of a verified endpoint, what is due or raised during the pause is kept for 24 hours; what is older is in the delivery log as dead_lettered with the failure paused, and can be replayed for 30 days. Events that are raised while an endpoint is pending, as after a change of its URL, are not sent: replay their time range',
    }),
  })
  .meta({
    id: 'WebhookPatch',
    description: 'Omitted members do not change (JSON Merge Patch, RFC 7396)',
    example: { events: ['budget.threshold.crossed', 'anomaly.detected'] },
  });
export type WebhookPatch = z.infer<typeof WebhookPatch>;

const WebhookAnswer = z
  .strictObject({
    challenge: z.string().min(1).max(256).optional().meta({
      description: 'The challenge that the receiver got. If omitted, a new challenge is sent',
    }),
  })
  .meta({ id: 'WebhookAnswer', example: {} });

const WebhookRotation = z
  .strictObject({
    overlap_seconds: z.int().min(0).max(OVERLAP_SECONDS_MAXIMUM).optional().meta({
      description:
        'How long deliveries are signed with both secrets. Default: 86400. Use 0 if the old secret has leaked',
    }),
  })
  .meta({ id: 'WebhookRotation', example: {} });

const WithSecret = WebhookEndpoint.extend(
  oneTimeSecret(
    'signing_secret',
    'Signs every delivery. It cannot be read again. The signing key is the whole text, prefix included.',
  ),
).meta({ id: 'WebhookEndpointWithSecret' });

const URL_RULES =
  'The URL must use https and resolve to public IP addresses only. Otherwise the response is WEBHOOK_URL_REJECTED and nothing is stored. The URL is checked again at each delivery, and redirects are not followed.';
const CHALLENGE =
  'The service sends a signed webhook.verification event to the endpoint. The endpoint receives no other events until it is verified. To verify it, return data.challenge in the member challenge of a JSON response, or send it to POST …/verify within 24 hours. ' +
  `RATE_LIMITED after more than ${CHALLENGE_LIMITS.endpoint.burst} new challenges of an endpoint, or ${CHALLENGE_LIMITS.tenant.burst} of the tenant, in an hour.`;
const SCOPES =
  'The caller needs the scopes that read all event types of the endpoint after the request (INSUFFICIENT_SCOPE) and authorizes the endpoint. The endpoint is disabled as unauthorized and receives nothing more once the key is revoked, the client is deleted, the user is removed or one of these scopes is lost. An expired key still authorizes the endpoint.';
const WHOLE_TENANT =
  'Endpoints receive events of the whole tenant, so a credential bound to a residency lane cannot manage them (RESIDENCY_BLOCKED).';

const common = { unit: 'webhooks', access: 'webhooks:manage' } as const;
const ids = { id: 'whe' };

export const createWebhook = route({
  ...common,
  method: 'POST',
  path: '/api/v1/webhooks',
  operation: 'createWebhook',
  limits: { resources: ENDPOINTS_MAXIMUM },
  authority: { effect: 'egress', reveals: [], lanes: 'all' },
  summary: 'Register a webhook endpoint',
  description: `${URL_RULES} ${CHALLENGE} ${SCOPES} ${WHOLE_TENANT} A tenant can have ${ENDPOINTS_MAXIMUM} endpoints; beyond that the response is VALIDATION_FAILED.`,
  discloses: 'none',
  rate: 'write',
  needs: ['webhooks.write', 'endpoint.derive', 'deliveries.append', 'deliveries.send'],
  body: { kind: 'json', schema: WebhookRequest, maxBytes: BYTES_MAXIMUM },
  audit: 'webhook.create',
  refuses: ['WEBHOOK_URL_REJECTED'],
  replies: {
    201: {
      description: 'The pending endpoint with its signing secret, which cannot be read again',
      body: WithSecret,
      secret: 'signing_secret',
    },
  },
});

export const listWebhooks = route({
  ...common,
  method: 'GET',
  path: '/api/v1/webhooks',
  operation: 'listWebhooks',
  authority: { effect: 'none', reveals: [], lanes: 'all' },
  summary: 'List webhook endpoints, newest first',
  description:
    'Each endpoint with its state, and the reason if the service disabled it. No response contains a signing secret.',
  discloses: 'none',
  rate: 'read',
  needs: ['webhooks.read', 'cursor.derive'],
  query: z.strictObject({ cursor: Cursor.optional(), limit: PageLimit.optional() }),
  replies: { 200: { description: 'A page of endpoints', body: pageOf(WebhookEndpoint, 'WebhookPage') } },
});

export const getWebhook = route({
  ...common,
  method: 'GET',
  path: '/api/v1/webhooks/{id}',
  operation: 'getWebhook',
  authority: { effect: 'none', reveals: [], lanes: 'all' },
  summary: 'Read one webhook endpoint',
  description:
    'The state of the endpoint, and the reason if the service disabled it. The signing secret cannot be read again.',
  discloses: 'none',
  rate: 'read',
  needs: ['webhooks.read'],
  ids,
  replies: { 200: { description: 'The endpoint', body: WebhookEndpoint } },
});

export const updateWebhook = route({
  ...common,
  method: 'PATCH',
  path: '/api/v1/webhooks/{id}',
  operation: 'updateWebhook',
  authority: { effect: 'egress', reveals: [], lanes: 'all' },
  summary: 'Change, disable or enable a webhook endpoint',
  description: `The rules of the URL, the challenge and the scopes are those of createWebhook. A changed URL makes the endpoint pending again, because it can have another owner. Enabling an endpoint that was disabled after failures, or that was never verified, also makes it pending. A verified endpoint that was disabled by an admin or as unauthorized stays verified. A change of url or events, and enabled set to true, need the scopes of the events. Disabling or describing an endpoint, and a change of max_batch_size, require only webhooks:manage.`,
  discloses: 'none',
  rate: 'write',
  needs: ['webhooks.write', 'endpoint.derive', 'deliveries.append', 'deliveries.send'],
  ids,
  body: { kind: 'json', schema: WebhookPatch, maxBytes: BYTES_MAXIMUM },
  audit: 'webhook.update',
  refuses: ['WEBHOOK_URL_REJECTED'],
  replies: { 200: { description: 'The changed endpoint', body: WebhookEndpoint } },
});

export const deleteWebhook = route({
  ...common,
  method: 'DELETE',
  path: '/api/v1/webhooks/{id}',
  operation: 'deleteWebhook',
  authority: { effect: 'egress', reveals: [], lanes: 'all' },
  summary: 'Delete a webhook endpoint',
  description: 'Pending retries to the endpoint are dropped.',
  discloses: 'none',
  rate: 'write',
  needs: ['webhooks.write'],
  ids,
  audit: 'webhook.delete',
  replies: { 204: { description: 'The endpoint is deleted' } },
});

export const verifyWebhook = route({
  ...common,
  method: 'POST',
  path: '/api/v1/webhooks/{id}/verify',
  operation: 'verifyWebhook',
  authority: { effect: 'egress', reveals: [], lanes: 'all' },
  summary: 'Verify a webhook endpoint or request a new challenge',
  description:
    'For receivers that do not return the challenge themselves. The challenge is in the data of the webhook.verification event. Without a challenge in the body, the service sends a new one, and invalidates the earlier ones and stops sending them. ' +
    `RATE_LIMITED after more than ${CHALLENGE_LIMITS.endpoint.burst} new challenges of an endpoint, or ${CHALLENGE_LIMITS.tenant.burst} of the tenant, in an hour. ` +
    'CONFLICT if the endpoint is not pending.',
  discloses: 'none',
  rate: 'write',
  needs: ['webhooks.write', 'endpoint.derive', 'deliveries.append', 'deliveries.send'],
  ids,
  body: { kind: 'json', schema: WebhookAnswer, maxBytes: BYTES_MAXIMUM, optional: true },
  audit: 'webhook.verify',
  refuses: ['CONFLICT'],
  replies: {
    200: {
      description: 'The endpoint: verified, or still pending if a new challenge is sent',
      body: WebhookEndpoint,
    },
  },
});

export const rotateWebhookSecret = route({
  ...common,
  method: 'POST',
  path: '/api/v1/webhooks/{id}/rotate-secret',
  operation: 'rotateWebhookSecret',
  authority: { effect: 'egress', reveals: [], lanes: 'all' },
  summary: 'Replace the signing secret of a webhook endpoint',
  description:
    'For 24 hours, or for overlap_seconds, every delivery carries two v1 signatures, one with each secret. A second rotation during the overlap invalidates the oldest secret. The secret signs all events of the endpoint, so the caller needs the scopes that read them (INSUFFICIENT_SCOPE).',
  discloses: 'none',
  rate: 'write',
  needs: ['webhooks.write', 'endpoint.derive'],
  ids,
  body: { kind: 'json', schema: WebhookRotation, maxBytes: BYTES_MAXIMUM, optional: true },
  audit: 'webhook.rotate',
  replies: {
    200: {
      description: 'The endpoint with its new signing secret, which cannot be read again',
      body: WithSecret,
      secret: 'signing_secret',
    },
  },
});
