import { randomUUID } from 'node:crypto';
import { ingestNotification } from '../../delivery/notifications/ingestNotification.ts';
import { sendMail } from '../../delivery/notifications/mail.aws.ts';
import { mailTransport } from '../../delivery/notifications/mailTransport.ts';
import { notificationStore } from '../../delivery/notifications/notification.store.ts';
import { NotifyMessage } from '../../delivery/notifications/queueMessage.ts';
import { channelMessageSender } from '../../delivery/notifications/sendChannelMessage.ts';
import { credentialReader } from '../../identity/access/credential.store.ts';
import { raisedEventReader } from '../../platform/outbox/raisedEvents.store.ts';
import { failedMessages } from '../../platform/queue/failedMessages.aws.ts';
import { groupedQueueHandler } from '../../platform/queue/queueHandler.ts';
import { setAsideExhausted } from '../../platform/queue/setAside.aws.ts';
import { type DelayedMessage, delayedQueue } from '../../platform/shared/aws/delayedQueue.aws.ts';
import { describeError, log } from '../../platform/shared/log.ts';
import { measure, withMetrics } from '../../platform/shared/metrics.ts';
import { pauseAfterConflict } from '../../platform/shared/retry/backoff.ts';
import { resource, settings } from '../../platform/shared/settings.ts';
import { systemClock } from '../../platform/shared/time/clock.ts';
import { tenantReader } from '../../platform/tenancy/tenant.store.ts';

const { CONSOLE_URL: consoleUrl = `${settings.BASE_URL}/console`, NOTIFICATION_SENDER: from } = settings;
const common = {
  store: notificationStore(resource('table', 'notifications')),
  tenants: tenantReader(resource('table', 'tenants')),
  clock: systemClock,
  newClaim: randomUUID,
};
const own = delayedQueue<NotifyMessage>(resource('queue', 'notifications'));
const raised = raisedEventReader(resource('table', 'outbox'));
const ingest = ingestNotification({
  ...common,
  own,
  deliveries: delayedQueue(resource('queue', 'deliveries')),
  pause: pauseAfterConflict,
});
const mail = channelMessageSender({
  ...common,
  channel: 'email',
  credentials: credentialReader(resource('table', 'access')),
  onUnauthorized: (tenant_id) =>
    log({ level: 'warn', message: 'dropped an e-mail: its channel is no longer authorized', tenant_id }),
  queue: own,
  transport: mailTransport({
    sender: from === undefined ? null : { from, consoleUrl },
    send: sendMail,
    clock: systemClock,
    uniform: Math.random,
    onFailure: (tenant_id, error) =>
      log({
        level: 'warn',
        message: 'sending mail failed; it will be retried',
        tenant_id,
        ...describeError(error),
      }),
  }),
});

/** Returns the message if it came too early. */
const notify = async (message: NotifyMessage): Promise<readonly DelayedMessage<NotifyMessage>[]> => {
  if ('posting' in message) return mail(message);
  if ('window' in message) return ingest.window(message);
  const event = await raised.event(message.tenant_id, message.event_id);
  if (event === null) return [];
  await ingest.event(event);
  measure('notificationLatency', systemClock() - Date.parse(event.created_at));
  return [];
};
const onMessages = groupedQueueHandler({
  parse: ({ body }) => NotifyMessage.parse(JSON.parse(body)),
  keyOf: (_, { messageId }) => messageId,
  handle: async (messages) => (await Promise.all(messages.map(notify))).flat(),
  sendAgain: own.send,
  setAside: setAsideExhausted(resource('queue', 'notificationsDeadLetter')),
  returnSoon: failedMessages([resource('queue', 'notifications')]),
});

/** Stores notifications and sends them by e-mail. The `deliver` worker posts chat messages. */
export const handler = withMetrics(onMessages);
