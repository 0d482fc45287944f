import { randomBytes, randomUUID } from 'node:crypto';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { vi } from 'vitest';
import type * as z from 'zod';
import { applyChannelsChange } from '../../../functions/delivery/notifications/channels/channels.ts';
import { chatTransport } from '../../../functions/delivery/notifications/channels/chatTransport.ts';
import {
  type Mail,
  mailTransport,
} from '../../../functions/delivery/notifications/channels/mailTransport.ts';
import { channelMessageSender } from '../../../functions/delivery/notifications/channels/sendChannelMessage.ts';
import { reportSender } from '../../../functions/delivery/notifications/channels/sendReport.ts';
import { ingestNotification } from '../../../functions/delivery/notifications/ingestNotification.ts';
import {
  notificationReader,
  notificationStore,
} from '../../../functions/delivery/notifications/notification.store.ts';
import { ChannelMessageJob, NotifyMessage } from '../../../functions/delivery/notifications/queueMessage.ts';
import type { ReportContent } from '../../../functions/delivery/notifications/text/reportContent.ts';
import { credentialReader } from '../../../functions/identity/access/principals/credential.store.ts';
import type { OutboundMessage } from '../../../functions/platform/egress/httpsRequest.ts';
import type { EgressOutcome } from '../../../functions/platform/egress/outcome.ts';
import { createEvent } from '../../../functions/platform/outbox/createEvent.ts';
import { failedMessages } from '../../../functions/platform/queue/failedMessages.aws.ts';
import { queueHandler } from '../../../functions/platform/queue/queueHandler.ts';
import {
  type DelayedMessage,
  delayedQueue,
} from '../../../functions/platform/shared/aws/delayedQueue.aws.ts';
import { commit } from '../../../functions/platform/shared/aws/document.store.ts';
import { ulidInId } from '../../../functions/platform/shared/ids.ts';
import { ulidOf } from '../../../functions/platform/shared/ulid.ts';
import { tenantReader, tenantWriter } from '../../../functions/platform/tenancy/tenant.store.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import type { RaisedEvent } from '../../../schemas/delivery/events.ts';
import type { ChannelsChange } from '../../../schemas/delivery/notifications.ts';
import { type QueueName, queueNames } from '../../../schemas/platform/queues.ts';
import { injectFaults } from '../../identity/credentials/faultInjection.ts';
import { simulatedQueues } from '../../platform/queue/simulatedQueues.ts';
import { type ReadMail, readMail } from '../../support/mail.ts';
import { startTables } from '../../support/tables.ts';
import { newTenant } from '../../support/tenants.ts';
import { authorizationOf, storeKey } from '../webhooks/authorizing.ts';
import { answered } from '../webhooks/egressOutcomes.ts';

export const KEY = new Uint8Array(32).fill(3);
export const CHAT = 'https://hooks.example.com/services/T0/secret';
export const SENDER = {
  from: 'notifications@attribution.example',
  consoleUrl: 'https://api.example.com/console',
};
/** Prefix of the URLs of the queues. */
const SQS_URL = 'https://sqs.example/';
/** As large as the most messages of a test at one time. */
const BATCH_MAXIMUM = 100;
/** After this many rounds, the harness fails instead of looping forever. */
const ROUNDS_MAXIMUM = 2_000;

/** Notifications on real tables, with a simulated clock, queues, mail and chat. */
export const startNotificationHarness = async () => {
  const live = await startTables();
  const faults = injectFaults();
  const time = { now: Date.parse('2026-11-21T10:01:00.000Z') };
  const clock = () => time.now;
  const events = new Map<string, RaisedEvent>();
  const queues = simulatedQueues(clock, SQS_URL);
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const mailed: (ReadMail & { readonly at: number; readonly to: string })[] = [];
  const posted: { readonly url: string; readonly at: number; readonly text: string }[] = [];
  const tenants = tenantWriter('tenants');
  let answer: () => EgressOutcome = () => answered(200);
  let mailFails = (_to: string): boolean => false;

  let keyFails = (): boolean => false;

  const urlOf = (queue: `${QueueName}${'' | 'DeadLetter'}`) => `${SQS_URL}${queue}`;
  const own = delayedQueue<NotifyMessage>(urlOf('notifications'));
  const deliveries = delayedQueue<ChannelMessageJob>(urlOf('deliveries'));
  const common = {
    store: notificationStore('notifications'),
    tenants: tenantReader('tenants'),
    clock,
    newClaim: randomUUID,
    credentials: credentialReader('access', Math.random),
    uniform: () => 0.5,
    onFault: () => undefined,
    onUnauthorized: () => undefined,
  };
  const ingest = ingestNotification({
    ...common,
    own,
    deliveries,
    pause: async () => undefined,
  });
  const mail = channelMessageSender({
    ...common,
    channel: 'email',
    queue: own,
    deadLetters: delayedQueue(urlOf('notificationsDeadLetter')),
    transport: mailTransport({
      sender: SENDER,
      send: async ({ raw, to }: Mail) => {
        if (mailFails(to)) throw new Error('the mail service does not answer');
        mailed.push({ ...readMail(raw), to, at: time.now });
      },
    }),
  });
  const chat = channelMessageSender({
    ...common,
    channel: 'chat',
    queue: deliveries,
    deadLetters: delayedQueue(urlOf('deliveriesDeadLetter')),
    transport: chatTransport({
      egress: {
        post: async (url: string, { body }: OutboundMessage) => {
          posted.push({ url, at: time.now, text: JSON.parse(Buffer.from(body).toString()).text });
          return answer();
        },
      },
      key: async () => {
        if (keyFails()) throw new Error('the key service does not answer');
        return KEY;
      },
      consoleUrl: SENDER.consoleUrl,
      clock,
      uniform: () => 0.5,
      scale: 1,
      onFailure: () => undefined,
    }),
  });

  const notify = async (message: NotifyMessage): Promise<readonly DelayedMessage<NotifyMessage>[]> => {
    if ('posting' in message) return mail(message);
    if ('window' in message) return ingest.window(message);
    const event = events.get(message.event_id);
    if (event !== undefined) await ingest.event(event);
    return [];
  };
  /** The handler of a queue as its worker has it. After a failure the process is a new one. */
  const workerOf = <Message extends { readonly tenant_id: string }>(
    name: QueueName,
    schema: z.ZodType<Message>,
    handle: (message: Message) => Promise<readonly DelayedMessage<Message>[]>,
  ) => {
    const handler = queueHandler<Message>({
      parse: ({ body }) => schema.parse(JSON.parse(body)),
      handle: ([message]) => handle(message),
      sendAgain: delayedQueue<Message>(urlOf(name)).send,
      ...failedMessages([urlOf(name)], urlOf(`${name}DeadLetter`)),
    });
    return async (event: SQSEvent): Promise<SQSBatchResponse> => {
      const response = await handler(event);
      if (response.batchItemFailures.length > 0) faults.restart();
      return response;
    };
  };
  const onNotifications = workerOf('notifications', NotifyMessage, notify);
  const onDeliveries = workerOf('deliveries', ChannelMessageJob, chat);
  /** Handles the messages that are visible now, in batches. */
  const receive = async (batchMaximum: number): Promise<void> => {
    await queues.receive('notifications', batchMaximum, onNotifications);
    await queues.receive('deliveries', batchMaximum, onDeliveries);
  };

  const setTenant = async (tenant: Tenant) => {
    const seen = await tenants.tenant(tenant.tenant_id);
    const by = { claim: randomUUID(), attempt: 1 };
    await commit([tenants.putTenant(tenant, { expectedRevision: seen?.revision ?? null, by })]);
    return tenant;
  };

  return {
    live,
    faults,
    time,
    mailed,
    posted,
    dead: queues.deadLetters,
    /** Sends what is in the dead-letter queues to the queues again, as an operator does. */
    redrive: (): void => {
      for (const line of queues.deadLetters.splice(0)) {
        const [from = '', body = ''] = line.split(/ (.*)/);
        const queue = queueNames.find((name) => `${name}DeadLetter` === from);
        if (queue !== undefined) queues.send(queue, body);
      }
    },
    waiting: queues.size,
    keyFailing: (next: () => boolean) => {
      keyFails = next;
    },
    answers: (next: () => EgressOutcome) => {
      answer = next;
    },
    mailFailing: (next: (to: string) => boolean) => {
      mailFails = next;
    },
    newTenant: async (change: ChannelsChange = { email: ['a@example.org'], chat: { url: CHAT } }) => {
      const tenant = newTenant();
      const sealing = { chat: change.chat?.url ?? null, key: KEY, random: randomBytes };
      await storeKey(tenant);
      const by = authorizationOf(tenant);
      return setTenant({ ...tenant, notifications: applyChannelsChange(tenant, change, by, sealing) });
    },
    setTenant,
    /** Queues an export.failed event of the tenant, `copies` times. */
    raise: (tenant: Tenant, copies = 1, reason: 'internal' | 'inconsistent' = 'internal'): RaisedEvent => {
      const event = createEvent(
        'export.failed',
        {
          residency: null,
          job_id: `job_${events.size}`,
          format: 'focus',
          period: { from: '2026-02-01', to: '2026-03-01' },
          status_url: 'https://api.example.com/api/v1/jobs/1',
          finished_at: new Date(time.now).toISOString(),
          reason,
          detail: 'A step failed.',
        },
        { ulid: ulidOf(time.now, randomBytes(10)), at: time.now, tenant },
      );
      events.set(event.id, event);
      const message = { tenant_id: tenant.tenant_id, event_id: event.id };
      for (let copy = 0; copy < copies; copy += 1) queues.send('notifications', JSON.stringify(message));
      return event;
    },
    /** Sends a report, as the schedule does. */
    report: ({ tenant_id }: Tenant, id: string, content: ReportContent) =>
      reportSender({ store: common.store, queues: { own, deliveries }, newClaim: randomUUID })(
        tenant_id,
        id,
        content,
        time.now,
      ),
    rowsOf: ({ tenant_id }: Tenant) =>
      notificationReader('notifications').notifications(tenant_id, { descending: true, limit: 1_000 }),
    /** The states of the messages of the tenant's notifications, sorted. */
    statesOf: async ({ tenant_id }: Tenant): Promise<string[]> => {
      const rows = await notificationReader('notifications').notifications(tenant_id, {
        descending: true,
        limit: 1_000,
      });
      const keys = rows.flatMap(({ id }) =>
        (['chat', 'email'] as const).map((channel) => ({ id: ulidInId(id), channel })),
      );
      const found = await Promise.all(keys.map((key) => common.store.channelMessage(tenant_id, key)));
      return found.flatMap((one) => (one === null ? [] : [one.document.state])).toSorted();
    },
    /** Handles the messages of the notifications queue that are visible now. */
    step: () => queues.receive('notifications', 1, onNotifications),
    /** Handles due messages, in batches or one by one, and advances the clock until no message is left. */
    settle: async ({ together = false } = {}): Promise<void> => {
      for (let round = 0; round < ROUNDS_MAXIMUM; round += 1) {
        if (queues.isEmpty()) return;
        time.now = Math.max(time.now, queues.nextAt());
        await receive(together ? BATCH_MAXIMUM : 1);
      }
      throw new Error(`still running after ${ROUNDS_MAXIMUM} rounds`);
    },
    stop: async (): Promise<void> => {
      vi.restoreAllMocks();
      await live.stop();
    },
  };
};
