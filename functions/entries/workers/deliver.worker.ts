import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { chatTransport } from '../../delivery/notifications/channels/chatTransport.ts';
import { channelMessageSender } from '../../delivery/notifications/channels/sendChannelMessage.ts';
import { ChannelMessageJob } from '../../delivery/notifications/queueMessage.ts';
import { deliverer } from '../../delivery/webhooks/deliveries/deliver.ts';
import { DeliveryMessage } from '../../delivery/webhooks/deliveries/deliveryMessage.ts';
import { delayedQueue } from '../../platform/shared/aws/delayedQueue.aws.ts';
import { describeError, log } from '../../platform/shared/log.ts';
import { resource, settings } from '../../platform/shared/settings.ts';
import { deliveriesAttempt, notificationsWrite, webhooksUpdateState } from '../stores/delivery.ts';
import { environment } from '../stores/environment.ts';
import { accessRead } from '../stores/identity.ts';
import { endpointDerive } from '../stores/keys.ts';
import { outboxAppend, tenantsRead } from '../stores/platform.ts';
import { storesIn } from '../stores/provider.ts';
import { webhookEgress } from '../stores/webhookEgress.ts';
import { queueWorker } from '../wiring/queueWorker.ts';

const Message = z.union([DeliveryMessage, ChannelMessageJob]);
const { clock, resourceOf } = environment;
const stores = storesIn(environment, {
  accessRead,
  deliveriesAttempt,
  endpointDerive,
  notificationsWrite,
  outboxAppend,
  tenantsRead,
  webhooksUpdateState,
});
const queue = delayedQueue<z.infer<typeof Message>>(resourceOf('deliveries.send'));

const common = {
  ...stores,
  egress: webhookEgress(),
  key: stores.endpointKey,
  clock,
  uniform: Math.random,
  newClaim: randomUUID,
  scale: settings.WEBHOOK_RETRY_SCALE,
  queue,
};

const deliver = deliverer({
  ...common,
  endpoints: stores.endpointStates,
  log: stores.attempts,
  pause: sleep,
});

const postToChat = channelMessageSender({
  ...common,
  channel: 'chat',
  deadLetters: delayedQueue(resource('queue', 'deliveriesDeadLetter')),
  onFault: (tenant_id, error) =>
    log({ level: 'warn', message: 'a chat message was not posted', tenant_id, ...describeError(error) }),
  onUnauthorized: (tenant_id) =>
    log({ level: 'warn', message: 'dropped a chat message: its channel is no longer authorized', tenant_id }),
  transport: chatTransport({
    ...common,
    consoleUrl: settings.CONSOLE_URL ?? `${settings.BASE_URL}/console`,
    onFailure: (tenant_id) => log({ level: 'warn', message: 'gave up delivering a chat message', tenant_id }),
  }),
});

/** Delivers to webhook endpoints and chats. Messages of one endpoint are processed together, chat messages one by one. */
export const handler = queueWorker(['deliveries'], {
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
});
