import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { chatTransport } from '../../delivery/notifications/chatTransport.ts';
import { notificationStore } from '../../delivery/notifications/notification.store.ts';
import { ChannelMessageJob } from '../../delivery/notifications/queueMessage.ts';
import { channelMessageSender } from '../../delivery/notifications/sendChannelMessage.ts';
import { deliverer } from '../../delivery/webhooks/deliveries/deliver.ts';
import { deliveryLog } from '../../delivery/webhooks/deliveries/deliveryLog.store.ts';
import { DeliveryMessage } from '../../delivery/webhooks/deliveries/deliveryMessage.ts';
import { endpointLeaseStore } from '../../delivery/webhooks/deliveries/endpointLease.store.ts';
import { endpointStateStore } from '../../delivery/webhooks/endpoints/endpoint.store.ts';
import { streamStore } from '../../delivery/webhooks/streams/stream.store.ts';
import { credentialReader } from '../../identity/access/credential.store.ts';
import { outbox } from '../../platform/outbox/outbox.store.ts';
import { failedMessages } from '../../platform/queue/failedMessages.aws.ts';
import { groupedQueueHandler } from '../../platform/queue/queueHandler.ts';
import { setAsideExhausted } from '../../platform/queue/setAside.aws.ts';
import { delayedQueue } from '../../platform/shared/aws/delayedQueue.aws.ts';
import { log } from '../../platform/shared/log.ts';
import { withMetrics } from '../../platform/shared/metrics.ts';
import { resource, settings } from '../../platform/shared/settings.ts';
import { systemClock } from '../../platform/shared/time/clock.ts';
import { tenantReader } from '../../platform/tenancy/tenant.store.ts';
import { egressFromEnv, endpointKeyFromEnv } from '../wiring/webhooksFromEnv.ts';

const Message = z.union([DeliveryMessage, ChannelMessageJob]);
const deliveries = resource('table', 'deliveries');

const common = {
  egress: egressFromEnv(),
  key: endpointKeyFromEnv(),
  clock: systemClock,
  uniform: Math.random,
  newClaim: randomUUID,
  scale: settings.WEBHOOK_RETRY_SCALE,
};

const credentials = credentialReader(resource('table', 'access'));

const queue = delayedQueue<z.infer<typeof Message>>(resource('queue', 'deliveries'));

const deliver = deliverer({
  ...common,
  streams: streamStore(deliveries),
  endpoints: endpointStateStore(resource('table', 'webhooks')),
  credentials,
  log: deliveryLog(deliveries),
  outbox: outbox(resource('table', 'outbox')),
  queue,
  leases: endpointLeaseStore(deliveries),
  pause: sleep,
});

const postToChat = channelMessageSender({
  ...common,
  channel: 'chat',
  credentials,
  onUnauthorized: (tenant_id) =>
    log({ level: 'warn', message: 'dropped a chat message: its channel is no longer authorized', tenant_id }),
  store: notificationStore(resource('table', 'notifications')),
  tenants: tenantReader(resource('table', 'tenants')),
  queue,
  transport: chatTransport({
    ...common,
    consoleUrl: settings.CONSOLE_URL ?? `${settings.BASE_URL}/console`,
    onFailure: (tenant_id) => log({ level: 'warn', message: 'gave up delivering a chat message', tenant_id }),
  }),
});

const process = groupedQueueHandler({
  parse: ({ body }) => Message.parse(JSON.parse(body)),
  keyOf: (message, { messageId }) =>
    'posting' in message ? messageId : `${message.tenant_id} ${message.endpoint}`,
  handle: async (messages) => {
    const [first, ...others] = messages.flatMap((message) => ('posting' in message ? [] : [message]));
    const posts = messages.flatMap((message) => ('posting' in message ? [postToChat(message)] : []));
    const early = await Promise.all([
      ...posts,
      ...(first === undefined ? [] : [deliver([first, ...others])]),
    ]);
    return early.flat();
  },
  sendAgain: queue.send,
  setAside: setAsideExhausted(resource('queue', 'deliveriesDeadLetter')),
  returnSoon: failedMessages([resource('queue', 'deliveries')]),
});

/** Delivers to webhook endpoints and chats. Messages of one endpoint are processed together, chat messages one by one. */
export const handler = withMetrics(process);
