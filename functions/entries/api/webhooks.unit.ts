import createWebhook from '../../delivery/webhooks/createWebhook.ts';
import deleteWebhook from '../../delivery/webhooks/deleteWebhook.ts';
import getWebhook from '../../delivery/webhooks/getWebhook.ts';
import listWebhookDeliveries from '../../delivery/webhooks/listWebhookDeliveries.ts';
import listWebhookEvents from '../../delivery/webhooks/listWebhookEvents.ts';
import listWebhooks from '../../delivery/webhooks/listWebhooks.ts';
import replayToWebhook from '../../delivery/webhooks/replayToWebhook.ts';
import rotateWebhookSecret from '../../delivery/webhooks/rotateWebhookSecret.ts';
import testWebhook from '../../delivery/webhooks/testWebhook.ts';
import updateWebhook from '../../delivery/webhooks/updateWebhook.ts';
import verifyWebhook from '../../delivery/webhooks/verifyWebhook.ts';
import {
  deliveriesAppend,
  deliveriesRead,
  outboxReplay,
  webhooksRead,
  webhooksWrite,
} from '../stores/delivery.ts';
import { accessRead, auditAppend } from '../stores/identity.ts';
import { cursorDerive, endpointDerive } from '../stores/keys.ts';
import { pipelineFromEnv } from '../wiring/pipelineFromEnv.ts';
import { unitFromEnv } from '../wiring/unitFromEnv.ts';

export const handler = unitFromEnv({
  pipeline: pipelineFromEnv,
  operations: [
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
  ],
  stores: {
    accessRead,
    auditAppend,
    cursorDerive,
    deliveriesAppend,
    deliveriesRead,
    endpointDerive,
    outboxReplay,
    webhooksRead,
    webhooksWrite,
  },
});
