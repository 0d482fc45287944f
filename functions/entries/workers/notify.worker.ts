import { randomUUID } from 'node:crypto';
import { sendMail } from '../../delivery/notifications/channels/mail.aws.ts';
import { mailTransport } from '../../delivery/notifications/channels/mailTransport.ts';
import { channelMessageSender } from '../../delivery/notifications/channels/sendChannelMessage.ts';
import { ingestNotification } from '../../delivery/notifications/ingestNotification.ts';
import { NotifyMessage } from '../../delivery/notifications/queueMessage.ts';
import { type DelayedMessage, delayedQueue } from '../../platform/shared/aws/delayedQueue.aws.ts';
import { describeError, log } from '../../platform/shared/log.ts';
import { measure } from '../../platform/shared/metrics.ts';
import { pauseAfterConflict } from '../../platform/shared/retry/backoff.ts';
import { resource, settings } from '../../platform/shared/settings.ts';
import { notificationsWrite } from '../stores/delivery.ts';
import { environment } from '../stores/environment.ts';
import { accessRead } from '../stores/identity.ts';
import { outboxRead, tenantsRead } from '../stores/platform.ts';
import { storesIn } from '../stores/provider.ts';
import { queueWorker } from '../wiring/queueWorker.ts';

const { CONSOLE_URL: consoleUrl = `${settings.BASE_URL}/console`, NOTIFICATION_SENDER: from } = settings;
const { clock, resourceOf } = environment;
const { raisedEvents, ...stores } = storesIn(environment, {
  accessRead,
  notificationsWrite,
  outboxRead,
  tenantsRead,
});
const common = { ...stores, clock, newClaim: randomUUID };
const own = delayedQueue<NotifyMessage>(resourceOf('notifications.send'));
const ingest = ingestNotification({
  ...common,
  own,
  deliveries: delayedQueue(resourceOf('deliveries.send')),
  pause: pauseAfterConflict,
});
const mail = channelMessageSender({
  ...common,
  channel: 'email',
  onUnauthorized: (tenant_id) =>
    log({ level: 'warn', message: 'dropped an e-mail: its channel is no longer authorized', tenant_id }),
  queue: own,
  deadLetters: delayedQueue(resource('queue', 'notificationsDeadLetter')),
  uniform: Math.random,
  onFault: (tenant_id, error) =>
    log({ level: 'warn', message: 'mail was not sent', tenant_id, ...describeError(error) }),
  transport: mailTransport({
    sender: from === undefined ? null : { from, consoleUrl },
    send: sendMail,
  }),
});

/** Returns the message if it came too early. */
const notify = async ([message]: readonly [NotifyMessage, ...NotifyMessage[]]): Promise<
  readonly DelayedMessage<NotifyMessage>[]
> => {
  if ('posting' in message) return mail(message);
  if ('window' in message) return ingest.window(message);
  const event = await raisedEvents.event(message.tenant_id, message.event_id);
  if (event === null) return [];
  await ingest.event(event);
  measure('notificationLatency', clock() - Date.parse(event.created_at));
  return [];
};

/** Stores notifications and sends them by e-mail. The `deliver` worker posts chat messages. */
export const handler = queueWorker(['notifications'], {
  parse: ({ body }) => NotifyMessage.parse(JSON.parse(body)),
  handle: notify,
  sendAgain: own.send,
});
