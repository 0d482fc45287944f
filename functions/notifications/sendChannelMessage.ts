import type { ChannelName, Notification } from '../../schemas/notifications.ts';
import type { DelayedQueue } from '../shared/aws/delayedQueue.store.ts';
import { commit, type Revision } from '../shared/aws/document.store.ts';
import type { Clock } from '../shared/clock.ts';
import type { TenantReader } from '../tenancy/tenant.store.ts';
import type { Tenant } from '../tenancy/tenant.ts';
import type { RetryDecision } from '../webhooks/deliveries/retrySchedule.ts';
import { type ChannelMessage, claimAttempt, recordAttempt } from './channelMessage.ts';
import type { ChannelMessageStore } from './notification.store.ts';
import type { ChannelMessageJob } from './queueMessage.ts';

/** What a message is made of, and the attempt it is sent at. */
export interface ChannelMessageContext {
  readonly tenant: Tenant;
  readonly notifications: readonly Notification[];
  readonly posting: ChannelMessage;
}

/** Sends a message over a channel, and says what follows; null where the tenant has closed the channel. */
export type ChannelTransport = (letter: ChannelMessageContext) => Promise<RetryDecision | null>;

/**
 * Sends what a message of the queue names over one channel. An attempt is claimed before it is made, so that of copies of
 * a message one sends; a crash between sending and marking has it sent once more, when the lease of the claim has ended.
 * Throws what the SDK throws when the stores cannot answer, and what the carrier throws.
 */
export const channelMessageSender = (deps: {
  readonly channel: ChannelName;
  readonly transport: ChannelTransport;
  readonly store: ChannelMessageStore;
  readonly tenants: Pick<TenantReader, 'tenant'>;
  /** The queue the message came from. */
  readonly queue: DelayedQueue<ChannelMessageJob>;
  readonly clock: Clock;
  readonly newClaim: () => string;
}) => {
  const { channel, transport, store, tenants, queue, clock, newClaim } = deps;

  /** Saves on top of what was seen, and says who it was saved by; null where somebody else saved it meanwhile. */
  const save = async (
    tenantId: string,
    posting: ChannelMessage,
    seen: Revision,
  ): Promise<Revision | null> => {
    const by = { claim: newClaim(), attempt: 1 };
    if (await commit([store.putChannelMessage(tenantId, posting, seen, by)])) return by;
    // A write whose answer was lost is repeated by the SDK, and then stands in its own way.
    const current = await store.channelMessage(tenantId, posting);
    return current?.revision.claim === by.claim ? by : null;
  };

  return async (message: ChannelMessageJob): Promise<void> => {
    const { tenant_id: tenantId, posting: id } = message;
    const found = await store.channelMessage(tenantId, { id, channel });
    if (found === null || found.document.state !== 'pending') return;
    const startedAt = clock();
    const wait = Date.parse(found.document.due_at) - startedAt;
    if (wait > 0) return queue.send([{ message, wait }]);

    const posting = claimAttempt(found.document, startedAt);
    const lease = await save(tenantId, posting, found.revision);
    // Who loses is a copy: the message of whoever won comes again should that one crash.
    if (lease === null) return;

    const [tenant, notifications] = await Promise.all([
      tenants.tenant(tenantId),
      store.notificationsById(tenantId, posting.named),
    ]);
    const next =
      tenant === null || notifications.length === 0
        ? null
        : await transport({ tenant, notifications, posting });
    const after = recordAttempt(posting, next ?? { kind: 'dropped' });
    const saved = await save(tenantId, after, lease);
    if (saved !== null && next?.kind === 'retry') await queue.send([{ message, wait: next.at - clock() }]);
  };
};
