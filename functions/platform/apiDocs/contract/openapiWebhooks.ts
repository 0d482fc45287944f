import * as z from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { EventInterpretation, type EventType, eventData } from '../../../../schemas/delivery/events.ts';
import { VERIFICATION_EVENT } from '../../../../schemas/delivery/webhooks.ts';

const timestamp = z.iso.datetime();

/** The envelope of an event. It never changes within a major version. */
const envelope = {
  id: z.string().meta({
    id: 'EventId',
    description: 'The same in every attempt and replay. Use it to discard duplicates.',
  }),
  created_at: timestamp,
  tenant_id: z.string(),
  sequence: z.int().meta({
    id: 'EventSequence',
    description:
      'Strictly increasing for each endpoint, without gaps. The order of the stream: created_at is the time of the cause, and a later event can have an earlier one.',
  }),
  interpretation: EventInterpretation.optional(),
  replayed: z
    .literal(true)
    .meta({ id: 'EventReplayed', description: 'Present if the event is a requested replay' })
    .optional(),
  test: z
    .literal(true)
    .meta({ id: 'EventTest', description: 'Present if the event is a test sample' })
    .optional(),
};

/** `budget.threshold.crossed` → `BudgetThresholdCrossedEvent`. */
const nameOf = (type: EventType): string =>
  `${type
    .split('.')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('')}Event`;

const RETRY_DESCRIPTION =
  'An attempt fails unless the endpoint responds with 2xx within ten seconds. A redirect is a failure. Failed attempts are retried for 24 hours with exponential backoff and full jitter. Retry-After of a 429 or 503 response is respected.';

const BATCH_DESCRIPTION =
  'An endpoint with max_batch_size above 1 receives the body {"events": [...]} instead, also for one event: bodies of the types below, sorted by sequence. The signature covers the whole body. A 2xx response acknowledges all events of the request, any other response none. After a 4xx response other than 408, 410 and 429, each event is retried in a request of its own. The verification challenge is never in a list.';

/** The tag of the events. */
export const WEBHOOK_TAG = {
  name: 'Webhook events',
  description: `Requests that the service sends to the webhook endpoints of a tenant. ${RETRY_DESCRIPTION} ${BATCH_DESCRIPTION}`,
};

const bodyOf = (type: EventType) =>
  z
    .object({ ...envelope, type: z.literal(type), data: eventData[type] })
    .meta({ id: nameOf(type), description: 'Ignore unknown members.' });

const ChallengeAnswer = z.object({ challenge: z.string() }).meta({ id: 'WebhookChallengeAnswer' });

/**
 * The `webhooks` section of the OpenAPI document: one entry per event type. Entries are only added within a major version.
 */
export const buildWebhooks = (): ZodOpenApiPathsObject =>
  Object.fromEntries(
    (Object.keys(eventData) as EventType[]).map((type) => [
      type,
      {
        post: {
          operationId: `on${nameOf(type)}`,
          summary: `Receive ${type}`,
          tags: [WEBHOOK_TAG.name],
          // The signature authenticates the request. OpenAPI has no security scheme for it.
          security: [],
          parameters: [
            {
              name: 'Service-Signature',
              in: 'header',
              required: true,
              description:
                't=<unix seconds>,v1=<hex>: HMAC-SHA256 over <t>.<raw body> with the signing secret of the endpoint. During the overlap of a rotation there are two v1 values, and either one is sufficient. Reject the request if t differs from the current time by more than 300 seconds.',
              schema: { type: 'string' },
            },
          ],
          requestBody: { required: true, content: { 'application/json': { schema: bodyOf(type) } } },
          responses: {
            200: {
              description: 'The event is acknowledged. Any other 2xx status also acknowledges it.',
              ...(type === VERIFICATION_EVENT && {
                content: { 'application/json': { schema: ChallengeAnswer } },
              }),
            },
            410: {
              description:
                'Retried like any other status. If the last attempt at an event after 24 hours has this response too, the service disables the endpoint.',
            },
          },
        },
      },
    ]),
  );
