import { randomUUID } from 'node:crypto';
import createWebhook from '../../delivery/webhooks/createWebhook.ts';
import deleteWebhook from '../../delivery/webhooks/deleteWebhook.ts';
import { deliveryLogReader } from '../../delivery/webhooks/deliveries/deliveryLog.store.ts';
import { challengeLimit } from '../../delivery/webhooks/endpoints/challengeLimit.ts';
import { endpointReader, endpointWriter } from '../../delivery/webhooks/endpoints/endpoint.store.ts';
import getWebhook from '../../delivery/webhooks/getWebhook.ts';
import listWebhookDeliveries from '../../delivery/webhooks/listWebhookDeliveries.ts';
import listWebhookEvents from '../../delivery/webhooks/listWebhookEvents.ts';
import listWebhooks from '../../delivery/webhooks/listWebhooks.ts';
import replayToWebhook from '../../delivery/webhooks/replayToWebhook.ts';
import rotateWebhookSecret from '../../delivery/webhooks/rotateWebhookSecret.ts';
import { publisher } from '../../delivery/webhooks/streams/publish.ts';
import { replayReader } from '../../delivery/webhooks/streams/replay.ts';
import { streamStore } from '../../delivery/webhooks/streams/stream.store.ts';
import testWebhook from '../../delivery/webhooks/testWebhook.ts';
import updateWebhook from '../../delivery/webhooks/updateWebhook.ts';
import verifyWebhook from '../../delivery/webhooks/verifyWebhook.ts';
import { credentialReader } from '../../identity/access/credential.store.ts';
import { auditLog } from '../../identity/audit/audit.store.ts';
import { raisedVersions } from '../../ledger/records/raisedVersions.store.ts';
import { bucketStore } from '../../platform/limits/bucket.store.ts';
import { raisedEventReader } from '../../platform/outbox/raisedEvents.store.ts';
import { pauseAfterConflict } from '../../platform/shared/retry/backoff.ts';
import { resource, settings } from '../../platform/shared/settings.ts';
import { systemClock } from '../../platform/shared/time/clock.ts';
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
