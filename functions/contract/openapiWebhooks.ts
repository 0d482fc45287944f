import * as z from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { EventInterpretation, type EventType, eventData } from '../../schemas/events.ts';
import { VERIFICATION_EVENT } from '../../schemas/webhooks.ts';

const timestamp = z.iso.datetime();

/** The members of an event around its data, which never change within a major version. */
const envelope = {
  id: z.string().meta({ description: 'The same at every attempt and replay: consumers deduplicate on it' }),
  created_at: timestamp,
  tenant_id: z.string(),
  sequence: z.int().meta({ description: 'Strictly increasing within one endpoint' }),
  interpretation: EventInterpretation.optional().meta({
    description: 'How the result came about, where the data is an attribution result',
  }),
  replayed: z.literal(true).optional().meta({ description: 'Present when the event was asked for again' }),
  test: z.literal(true).optional().meta({ description: 'Present when the event is a sample' }),
};

/** `budget.threshold.crossed` → `BudgetThresholdCrossedEvent`. */
const nameOf = (type: EventType): string =>
  `${type
    .split('.')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('')}Event`;

const RETRY_DESCRIPTION =
  'Anything but a 2xx within ten seconds is a failed attempt, a redirect too. Attempts go on for 24 hours with exponential backoff and full jitter; Retry-After of a 429 or 503 is heeded.';

const bodyOf = (type: EventType) =>
  z
    .object({ ...envelope, type: z.literal(type), data: eventData[type] })
    .meta({ id: nameOf(type), description: 'New members may be added: tolerate those you do not know' });

const ChallengeAnswer = z.object({ challenge: z.string() }).meta({ id: 'WebhookChallengeAnswer' });

/** One entry for each type of event, as the OpenAPI document tells of what it calls: versioned with it, and only added to. */
export const buildWebhooks = (): ZodOpenApiPathsObject =>
  Object.fromEntries(
    (Object.keys(eventData) as EventType[]).map((type) => [
      type,
      {
        post: {
          operationId: `on${nameOf(type)}`,
          summary: `Receive ${type}`,
          description: RETRY_DESCRIPTION,
          tags: ['webhooks'],
          parameters: [
            {
              name: 'Service-Signature',
              in: 'header',
              required: true,
              description:
                't=<unix seconds>,v1=<hex>: HMAC-SHA256 over <t>.<raw body> with the signing secret of the endpoint. Two v1 while a rotation overlaps; either proves the delivery. Refuse a t more than 300 seconds from now',
              schema: { type: 'string' },
            },
          ],
          requestBody: { required: true, content: { 'application/json': { schema: bodyOf(type) } } },
          responses: {
            200: {
              description: 'Acknowledged; any other 2xx does as well',
              ...(type === VERIFICATION_EVENT && {
                content: { 'application/json': { schema: ChallengeAnswer } },
              }),
            },
            410: { description: 'The endpoint is gone for good: it is disabled' },
          },
        },
      },
    ]),
  );
