import type { ChannelName, Notification } from '../../../schemas/notifications.ts';
import type { CredentialReader } from '../../identity/access/credential.store.ts';
import { heldScopes } from '../../identity/access/heldScopes.ts';
import type { DelayedMessage, DelayedQueue } from '../../platform/shared/aws/delayedQueue.aws.ts';
import { commit, type Revision } from '../../platform/shared/aws/document.store.ts';
import type { Clock } from '../../platform/shared/time/clock.ts';
import type { TenantReader } from '../../platform/tenancy/tenant.store.ts';
import type { Tenant } from '../../platform/tenancy/tenant.ts';
import type { RetryDecision } from '../webhooks/deliveries/retrySchedule.ts';
import { type ChannelMessage, claimAttempt, recordAttempt } from './channelMessage.ts';
import { channelsOf, missingChannelScopes } from './channels.ts';
import type { ChannelMessageStore } from './notification.store.ts';
import type { ChannelMessageJob } from './queueMessage.ts';

/** A message during an attempt, with its tenant and the notifications it lists. */
export interface ChannelMessageContext {
  readonly tenant: Tenant;
  readonly notifications: readonly Notification[];
  readonly message: ChannelMessage;
}

/** Sends a message over a channel and returns what happens next. Null when the tenant has removed the channel. */
export type ChannelTransport = (context: ChannelMessageContext) => Promise<RetryDecision | null>;

/**
 * Returns a handler that sends the channel message a queue message names. An attempt is claimed before it is made, so that
 * only one copy of a queue message sends. A crash after sending and before saving causes a second send when the lease of
 * the claim expires. Returns the queue message if it came too early. Throws the SDK's error when a store does not answer,
 * and the errors of the transport.
 */
export const channelMessageSender = (deps: {
  readonly channel: ChannelName;
  readonly transport: ChannelTransport;
  readonly store: ChannelMessageStore;
  readonly tenants: Pick<TenantReader, 'tenant'>;
  readonly credentials: CredentialReader;
  /** The queue the message came from. */
  readonly queue: DelayedQueue<ChannelMessageJob>;
  readonly clock: Clock;
  readonly newClaim: () => string;
  /** Called when a message is dropped because the principal that set the channels lost a scope. */
  readonly onUnauthorized: (tenantId: string) => void;
}) => {
  const { channel, transport, store, tenants, credentials, queue, clock, newClaim, onUnauthorized } = deps;

  /** Whether who set the channels may still read every notification. */
  const isAuthorized = async (tenant: Tenant): Promise<boolean> => {
    const { authorized_by } = channelsOf(tenant);
    return missingChannelScopes(await heldScopes(credentials, tenant.tag, authorized_by)).length === 0;
  };

  /** Saves a message and returns its new revision. Null when another worker has saved it since `expected`. */
  const save = async (
    tenantId: string,
    message: ChannelMessage,
    expected: Revision,
  ): Promise<Revision | null> => {
    const by = { claim: newClaim(), attempt: 1 };
    if (await commit([store.putChannelMessage(tenantId, message, expected, by)])) return by;
    // The SDK repeats a write whose response was lost, and the repeated write then conflicts with the first.
    const current = await store.channelMessage(tenantId, message);
    return current?.revision.claim === by.claim ? by : null;
  };

  return async (job: ChannelMessageJob): Promise<readonly DelayedMessage<ChannelMessageJob>[]> => {
    const { tenant_id: tenantId, posting: id } = job;
    const found = await store.channelMessage(tenantId, { id, channel });
    if (found === null || found.document.state !== 'pending') return [];
    const startedAt = clock();
    const wait = Date.parse(found.document.due_at) - startedAt;
    if (wait > 0) return [{ message: job, wait }];

    const claimed = claimAttempt(found.document, startedAt);
    const lease = await save(tenantId, claimed, found.revision);
    // Another copy of the queue message holds the claim. If its worker crashes, the queue delivers that copy again.
    if (lease === null) return [];

    const [tenant, notifications] = await Promise.all([
      tenants.tenant(tenantId),
      store.notificationsById(tenantId, claimed.named),
    ]);
    const sendable = tenant === null || notifications.length === 0 ? null : { tenant, notifications };
    const authorized = sendable !== null && (await isAuthorized(sendable.tenant));
    if (sendable !== null && !authorized) onUnauthorized(tenantId);
    const next = authorized ? await transport({ ...sendable, message: claimed }) : null;
    const after = recordAttempt(claimed, next ?? { kind: 'dropped' });
    const saved = await save(tenantId, after, lease);
    if (saved !== null && next?.kind === 'retry')
      await queue.send([{ message: job, wait: next.at - clock() }]);
    return [];
  };
};
