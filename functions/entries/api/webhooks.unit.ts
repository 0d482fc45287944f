import { randomUUID } from 'node:crypto';
import { credentialReader } from '../../access/credential.store.ts';
import { auditLog } from '../../audit/audit.store.ts';
import { raisedEventReader } from '../../events/raisedEvents.store.ts';
import { raisedVersions } from '../../ledger/raisedVersions.store.ts';
import { bucketStore } from '../../limits/bucket.store.ts';
import { pauseAfterConflict } from '../../shared/retry/backoff.ts';
import { resource, settings } from '../../shared/settings.ts';
import { systemClock } from '../../shared/time/clock.ts';
import createWebhook from '../../webhooks/createWebhook.ts';
import deleteWebhook from '../../webhooks/deleteWebhook.ts';
import { deliveryLogReader } from '../../webhooks/deliveries/deliveryLog.store.ts';
import { challengeLimit } from '../../webhooks/endpoints/challengeLimit.ts';
import { endpointReader, endpointWriter } from '../../webhooks/endpoints/endpoint.store.ts';
import getWebhook from '../../webhooks/getWebhook.ts';
import listWebhookDeliveries from '../../webhooks/listWebhookDeliveries.ts';
import listWebhookEvents from '../../webhooks/listWebhookEvents.ts';
import listWebhooks from '../../webhooks/listWebhooks.ts';
import replayToWebhook from '../../webhooks/replayToWebhook.ts';
import rotateWebhookSecret from '../../webhooks/rotateWebhookSecret.ts';
import { publisher } from '../../webhooks/streams/publish.ts';
import { replayReader } from '../../webhooks/streams/replay.ts';
import { streamStore } from '../../webhooks/streams/stream.store.ts';
import testWebhook from '../../webhooks/testWebhook.ts';
import updateWebhook from '../../webhooks/updateWebhook.ts';
import verifyWebhook from '../../webhooks/verifyWebhook.ts';
import { unit } from '../wiring/httpHandler.ts';
import { cursorKeyFromEnv, pipelineFromEnv, storedResponsesFromEnv } from '../wiring/pipelineFromEnv.ts';
import { egressFromEnv, endpointKeyFromEnv } from '../wiring/webhooksFromEnv.ts';

/** The timeout of the DNS lookup of a receiver. It must be well below the timeout of the function. */
const LOOKUP_TIMEOUT_MS = 5_000;

const audit = auditLog(resource('table', 'audit'));
const stores = {
  audit,
  credentials: credentialReader(resource('table', 'access')),
  endpoints: endpointReader(resource('table', 'webhooks')),
  endpointWriter: endpointWriter(resource('table', 'webhooks')),
  endpointKey: endpointKeyFromEnv(),
  vet: egressFromEnv(LOOKUP_TIMEOUT_MS).vet,
  chargeChallenge: challengeLimit(bucketStore(resource('table', 'limits')), {
    clock: systemClock,
    scale: settings.RATE_LIMIT_SCALE,
  }),
  publisher: publisher({
    streams: streamStore(resource('table', 'deliveries')),
    clock: systemClock,
    newClaim: randomUUID,
    pause: pauseAfterConflict,
  }),
  deliveryLog: deliveryLogReader(resource('table', 'deliveries')),
  raised: replayReader(
    raisedEventReader(resource('table', 'outbox')),
    raisedVersions(resource('table', 'outbox'), resource('table', 'ledger')),
  ),
  cursorKey: cursorKeyFromEnv(),
};

const operations = [
  createWebhook,
  listWebhooks,
  getWebhook,
  updateWebhook,
  deleteWebhook,
  verifyWebhook,
  rotateWebhookSecret,
  testWebhook,
  replayToWebhook,
  listWebhookDeliveries,
  listWebhookEvents,
];

export const handler = unit(
  operations.map((operation) => operation(stores)),
  { ...pipelineFromEnv(), responses: storedResponsesFromEnv() },
);
