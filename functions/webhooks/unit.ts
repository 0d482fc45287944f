import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { credentialReader } from '../access/store.ts';
import { auditLog } from '../audit/store.ts';
import { cursorKeyOf, onionOf, storedResponsesOf } from '../http/onion.ts';
import { unit } from '../http/unit.ts';
import { systemClock } from '../shared/clock.ts';
import { resource } from '../shared/settings.ts';
import createWebhook from './createWebhook.ts';
import deleteWebhook from './deleteWebhook.ts';
import { deliveryLogReader } from './deliveryLog.store.ts';
import { endpointReader, endpointWriter } from './endpoint.store.ts';
import { endpointKeyOf, wayOutOf } from './environment.ts';
import getWebhook from './getWebhook.ts';
import listWebhookDeliveries from './listWebhookDeliveries.ts';
import listWebhooks from './listWebhooks.ts';
import { publisher } from './publish.ts';
import { replayReader } from './replay.store.ts';
import replayToWebhook from './replayToWebhook.ts';
import rotateWebhookSecret from './rotateWebhookSecret.ts';
import { streamStore } from './stream.store.ts';
import testWebhook from './testWebhook.ts';
import updateWebhook from './updateWebhook.ts';
import verifyWebhook from './verifyWebhook.ts';

/** Milliseconds for looking up the name of a receiver: well within what the function has. */
const LOOKUP_DEADLINE = 5_000;

/** Milliseconds that writers of one stream get out of each other's way for, more with each try. */
const PAUSE = 20;

const audit = auditLog(resource('table', 'audit'));
const stores = {
  audit,
  credentials: credentialReader(resource('table', 'access')),
  endpoints: endpointReader(resource('table', 'webhooks')),
  endpointWriter: endpointWriter(resource('table', 'webhooks')),
  endpointKey: endpointKeyOf(),
  vet: wayOutOf(LOOKUP_DEADLINE).vet,
  publisher: publisher({
    streams: streamStore(resource('table', 'deliveries')),
    clock: systemClock,
    newClaim: randomUUID,
    pause: (attempt) => sleep(Math.random() * Math.min(attempt, 10) * PAUSE),
  }),
  deliveryLog: deliveryLogReader(resource('table', 'deliveries')),
  raised: replayReader(resource('table', 'outbox')),
  cursorKey: cursorKeyOf(),
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
];

export const handler = unit(
  operations.map((operation) => operation(stores)),
  { ...onionOf(), audit, responses: storedResponsesOf() },
);
