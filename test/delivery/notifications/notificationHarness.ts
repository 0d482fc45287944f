import { randomBytes, randomUUID } from 'node:crypto';
import { applyChannelsChange } from '../../../functions/delivery/notifications/channels.ts';
import { chatTransport } from '../../../functions/delivery/notifications/chatTransport.ts';
import { ingestNotification } from '../../../functions/delivery/notifications/ingestNotification.ts';
import { type Mail, mailTransport } from '../../../functions/delivery/notifications/mailTransport.ts';
import {
  notificationReader,
  notificationStore,
} from '../../../functions/delivery/notifications/notification.store.ts';
import type { NotifyMessage } from '../../../functions/delivery/notifications/queueMessage.ts';
import { channelMessageSender } from '../../../functions/delivery/notifications/sendChannelMessage.ts';
import { credentialReader } from '../../../functions/identity/access/credential.store.ts';
import type { OutboundMessage } from '../../../functions/platform/egress/httpsRequest.ts';
import type { EgressOutcome } from '../../../functions/platform/egress/outcome.ts';
import { createEvent } from '../../../functions/platform/outbox/createEvent.ts';
import type { DelayedMessage } from '../../../functions/platform/shared/aws/delayedQueue.aws.ts';
import { commit } from '../../../functions/platform/shared/aws/document.store.ts';
import { ulidOf } from '../../../functions/platform/shared/ulid.ts';
import { tenantReader, tenantWriter } from '../../../functions/platform/tenancy/tenant.store.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import type { RaisedEvent } from '../../../schemas/events.ts';
import type { ChannelsChange } from '../../../schemas/notifications.ts';
import { injectFaults } from '../../identity/credentials/faultInjection.ts';
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
/** The visibility timeout of the queues: a failed message is received again after it. */
const VISIBILITY_TIMEOUT_MS = 180_000;
const RECEIVES_MAXIMUM = 5;
/** After this many rounds, the harness fails instead of looping forever. */
const ROUNDS_MAXIMUM = 2_000;

type QueueName = 'own' | 'deliveries';
interface Waiting {
  readonly queue: QueueName;
  readonly message: NotifyMessage;
  readonly at: number;
  readonly receives: number;
}

/** Notifications on real tables, with a simulated clock, queues, mail and chat. */
export const startNotificationHarness = async () => {
  const live = await startTables();
  const faults = injectFaults();
  const time = { now: Date.parse('2026-11-21T10:01:00.000Z') };
  const clock = () => time.now;
  const events = new Map<string, RaisedEvent>();
  let waiting: Waiting[] = [];
  const dead: NotifyMessage[] = [];
  const mailed: (ReadMail & { readonly at: number; readonly to: readonly string[] })[] = [];
  const posted: { readonly url: string; readonly at: number; readonly text: string }[] = [];
  const tenants = tenantWriter('tenants');
  let answer: () => EgressOutcome = () => answered(200);
  let mailFails = (): boolean => false;

  const queueOf = (queue: QueueName) => ({
    send: async (messages: readonly DelayedMessage<NotifyMessage>[]) => {
      for (const { message, wait } of messages) {
        const at = time.now + Math.max(0, Math.min(900_000, Math.ceil(wait / 1_000) * 1_000));
        waiting.push({ queue, message, at, receives: 0 });
      }
    },
  });
  const common = {
    store: notificationStore('notifications'),
    tenants: tenantReader('tenants'),
    clock,
    newClaim: randomUUID,
    credentials: credentialReader('access'),
    onUnauthorized: () => undefined,
  };
  const ingest = ingestNotification({
    ...common,
    own: queueOf('own'),
    deliveries: queueOf('deliveries'),
    pause: async () => undefined,
  });
  const mail = channelMessageSender({
    ...common,
    channel: 'email',
    queue: queueOf('own'),
    transport: mailTransport({
      sender: SENDER,
      send: async ({ raw, to }: Mail) => {
        if (mailFails()) throw new Error('the mail service does not answer');
        mailed.push({ ...readMail(raw), to, at: time.now });
      },
      clock,
      uniform: () => 0.5,
      onFailure: () => undefined,
    }),
  });
  const chat = channelMessageSender({
    ...common,
    channel: 'chat',
    queue: queueOf('deliveries'),
    transport: chatTransport({
      egress: {
        post: async (url: string, { body }: OutboundMessage) => {
          posted.push({ url, at: time.now, text: JSON.parse(Buffer.from(body).toString()).text });
          return answer();
        },
      },
      key: async () => KEY,
      consoleUrl: SENDER.consoleUrl,
      clock,
      uniform: () => 0.5,
      scale: 1,
      onFailure: () => undefined,
    }),
  });

  const handle = async ({ queue, message }: Waiting): Promise<readonly DelayedMessage<NotifyMessage>[]> => {
    if ('posting' in message) return queue === 'own' ? mail(message) : chat(message);
    if ('window' in message) return ingest.window(message);
    const event = events.get(message.event_id);
    if (event !== undefined) await ingest.event(event);
    return [];
  };
  /** Handles a message as the worker does. A failed message is received again, or dead-lettered after five times. */
  const receive = async (one: Waiting): Promise<void> => {
    try {
      for (const { wait } of await handle(one))
        waiting.push({ ...one, receives: one.receives + 1, at: time.now + wait });
    } catch {
      faults.restart();
      const receives = one.receives + 1;
      if (receives === RECEIVES_MAXIMUM) dead.push(one.message);
      else waiting.push({ ...one, receives, at: time.now + VISIBILITY_TIMEOUT_MS });
    }
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
    dead,
    waiting: () => waiting,
    answers: (next: () => EgressOutcome) => {
      answer = next;
    },
    mailFailing: (next: () => boolean) => {
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
      for (let copy = 0; copy < copies; copy += 1) {
        waiting.push({ queue: 'own', message, at: time.now, receives: 0 });
      }
      return event;
    },
    rowsOf: ({ tenant_id }: Tenant) =>
      notificationReader('notifications').notifications(tenant_id, { descending: true, limit: 1_000 }),
    /** Handles the first waiting message. */
    step: async (): Promise<void> => {
      const [first, ...rest] = waiting;
      waiting = rest;
      if (first !== undefined) await receive(first);
    },
    /** Handles due messages, in parallel or one by one, and advances the clock until no message is left. */
    settle: async ({ together = false } = {}): Promise<void> => {
      for (let round = 0; round < ROUNDS_MAXIMUM; round += 1) {
        const due = waiting.filter(({ at }) => at <= time.now);
        if (due.length === 0) {
          if (waiting.length === 0) return;
          time.now = Math.min(...waiting.map(({ at }) => at));
          continue;
        }
        const now = together ? due : due.slice(0, 1);
        waiting = waiting.filter((one) => !now.includes(one));
        await Promise.all(now.map(receive));
      }
      throw new Error(`still running after ${ROUNDS_MAXIMUM} rounds`);
    },
    stop: live.stop,
  };
};
export type NotificationHarness = Awaited<ReturnType<typeof startNotificationHarness>>;
