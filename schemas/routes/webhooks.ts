import * as z from 'zod';
import { Cursor, PageLimit, pageOf } from '../page.ts';
import { ENDPOINTS_MAXIMUM, endpointMembers, WebhookEndpoint } from '../webhooks.ts';
import { route } from './route.ts';

const BYTES_MAXIMUM = 16 * 1_024;
/** A day: as long as a delivery is tried. */
const OVERLAP_SECONDS_MAXIMUM = 24 * 60 * 60;

const { url, description, events } = endpointMembers;

const WebhookRequest = z.strictObject({ url, events, description: description.optional() }).meta({
  id: 'WebhookRequest',
  example: { url: 'https://hooks.example.com/attribution', events: ['budget.threshold.crossed'] },
});
export type WebhookRequest = z.infer<typeof WebhookRequest>;

const WebhookPatch = z
  .strictObject({
    url: url.optional(),
    events: events.optional().meta({ description: 'Replaces the list as a whole' }),
    description: description.nullable().optional(),
    enabled: z.boolean().optional().meta({ description: 'false stops all deliveries, true lets them go on' }),
  })
  .meta({
    id: 'WebhookPatch',
    description: 'What is not named stays as it is (RFC 7396)',
    example: { events: ['budget.threshold.crossed', 'anomaly.detected'] },
  });
export type WebhookPatch = z.infer<typeof WebhookPatch>;

const WebhookAnswer = z
  .strictObject({
    challenge: z.string().min(1).max(256).optional().meta({
      description: 'The challenge that the receiver was sent; without it a new one is sent',
    }),
  })
  .meta({ id: 'WebhookAnswer', example: {} });

const WebhookRotation = z
  .strictObject({
    overlap_seconds: z.int().min(0).max(OVERLAP_SECONDS_MAXIMUM).optional().meta({
      description: 'How long deliveries are signed with either secret; default 86400, 0 where one has leaked',
    }),
  })
  .meta({ id: 'WebhookRotation', example: {} });

const WithSecret = WebhookEndpoint.extend({
  signing_secret: z.string().meta({
    description:
      'Signs every delivery; shown now and never again. All of the text is the key, prefix included',
  }),
}).meta({ id: 'WebhookEndpointWithSecret' });

const GUARD =
  'The URL must be https and resolve to public addresses only, or WEBHOOK_URL_REJECTED is answered and nothing stored; both are checked again at each delivery, and no redirect is followed.';
const CHALLENGE =
  'A signed webhook.verification event is sent to it; until its data.challenge is returned, as the member challenge of a JSON object in the answer or by POST …/verify within 24 hours, nothing else is.';
const SCOPES =
  'The caller needs the scopes that read the events of every type the endpoint has then (INSUFFICIENT_SCOPE), and authorizes the endpoint: once that key is revoked, that client deleted, or that user removed or without these scopes, nothing more is sent and the endpoint is disabled as unauthorized. An expired key still authorizes.';
const WHOLE_TENANT =
  'Events are of the whole tenant: a credential that is bound to a residency lane manages no endpoints (RESIDENCY_BLOCKED).';

const common = { unit: 'webhooks', access: 'webhooks:manage' } as const;
const ids = { id: 'whe' };

export const createWebhook = route({
  ...common,
  method: 'POST',
  path: '/api/v1/webhooks',
  operation: 'createWebhook',
  effect: 'egress',
  summary: 'Register a webhook endpoint',
  description: `${GUARD} ${CHALLENGE} ${SCOPES} ${WHOLE_TENANT} VALIDATION_FAILED once the tenant has ${ENDPOINTS_MAXIMUM}.`,
  rate: 'write',
  needs: ['webhooks.write', 'endpoint.derive', 'deliveries.enter'],
  body: { kind: 'json', schema: WebhookRequest, maxBytes: BYTES_MAXIMUM },
  audit: 'webhook.create',
  refuses: ['WEBHOOK_URL_REJECTED'],
  replies: { 201: { description: 'The endpoint, pending, and its signing secret, once', body: WithSecret } },
});

export const listWebhooks = route({
  ...common,
  method: 'GET',
  path: '/api/v1/webhooks',
  operation: 'listWebhooks',
  summary: 'List webhook endpoints, newest first',
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
  summary: 'Read one webhook endpoint',
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
  effect: 'egress',
  summary: 'Change, disable or enable a webhook endpoint',
  description: `${GUARD} A changed URL makes the endpoint pending again: it may have other owners. So does enabling one that was disabled for failing, or was never verified; one that an admin disabled goes on as it was, and so does a verified one that was unauthorized. ${CHALLENGE} For a change of url or events, and for enabled true: ${SCOPES} To stop or describe an endpoint needs no more than webhooks:manage.`,
  rate: 'write',
  needs: ['webhooks.write', 'endpoint.derive', 'deliveries.enter'],
  ids,
  body: { kind: 'json', schema: WebhookPatch, maxBytes: BYTES_MAXIMUM },
  audit: 'webhook.update',
  refuses: ['WEBHOOK_URL_REJECTED'],
  replies: { 200: { description: 'The endpoint as it is now', body: WebhookEndpoint } },
});

export const deleteWebhook = route({
  ...common,
  method: 'DELETE',
  path: '/api/v1/webhooks/{id}',
  operation: 'deleteWebhook',
  effect: 'egress',
  summary: 'Delete a webhook endpoint',
  description: 'Deliveries that wait to be tried again are not.',
  rate: 'write',
  needs: ['webhooks.write'],
  ids,
  audit: 'webhook.delete',
  replies: { 204: { description: 'It is deleted' } },
});

export const verifyWebhook = route({
  ...common,
  method: 'POST',
  path: '/api/v1/webhooks/{id}/verify',
  operation: 'verifyWebhook',
  effect: 'egress',
  summary: 'Prove that a webhook endpoint is yours, or have a new challenge sent',
  description:
    'For receivers that do not return the challenge themselves: it is in the data of the webhook.verification event they got. Without a challenge in the body a new one is sent, and those before are void. CONFLICT when the endpoint is not pending.',
  rate: 'write',
  needs: ['webhooks.write', 'endpoint.derive', 'deliveries.enter'],
  ids,
  body: { kind: 'json', schema: WebhookAnswer, maxBytes: BYTES_MAXIMUM, optional: true },
  audit: 'webhook.verify',
  refuses: ['CONFLICT'],
  replies: {
    200: {
      description: 'The endpoint: verified, or still pending where a new challenge is sent',
      body: WebhookEndpoint,
    },
  },
});

export const rotateWebhookSecret = route({
  ...common,
  method: 'POST',
  path: '/api/v1/webhooks/{id}/rotate-secret',
  operation: 'rotateWebhookSecret',
  effect: 'egress',
  summary: 'Replace the signing secret of a webhook endpoint',
  description:
    'For 24 hours, or as long as is asked for, every delivery carries two v1 signatures, one by each secret. A second rotation in that time ends the secret before the first. The secret signs whatever the endpoint is sent, so this needs the scopes that read its events (INSUFFICIENT_SCOPE).',
  rate: 'write',
  needs: ['webhooks.write', 'endpoint.derive'],
  ids,
  body: { kind: 'json', schema: WebhookRotation, maxBytes: BYTES_MAXIMUM, optional: true },
  audit: 'webhook.rotate',
  replies: { 200: { description: 'The endpoint and its new signing secret, once', body: WithSecret } },
});
