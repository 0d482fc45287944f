import type { ChannelName, Notification } from '../../../schemas/delivery/notifications.ts';
import type { CredentialReader } from '../../identity/access/credential.store.ts';
import { heldScopes } from '../../identity/access/heldScopes.ts';
import type { DelayedMessage, DelayedQueue } from '../../platform/shared/aws/delayedQueue.aws.ts';
import { commit, type Revision } from '../../platform/shared/aws/document.store.ts';
import { isThrottle } from '../../platform/shared/aws/throttling.ts';
import type { Clock } from '../../platform/shared/time/clock.ts';
import type { TenantReader } from '../../platform/tenancy/tenant.store.ts';
import type { Tenant } from '../../platform/tenancy/tenant.ts';
import type { RetryDecision } from '../webhooks/deliveries/retrySchedule.ts';
import {
  type AttemptResult,
  backoffCap,
  type ChannelMessage,
  claimAttempt,
  isExhausted,
  recordAttempt,
  revive,
} from './channelMessage.ts';
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
 * the claim expires. Returns the queue message if it came too early. An error of an attempt is retried with growing delays.
 * After the last one the message fails, and its job goes to the dead-letter queue, from where it can be tried again. Throws
 * the SDK's error when the message cannot be read or saved.
 */
export const channelMessageSender = (deps: {
  readonly channel: ChannelName;
  readonly transport: ChannelTransport;
  readonly store: ChannelMessageStore;
  readonly tenants: Pick<TenantReader, 'tenant'>;
  readonly credentials: CredentialReader;
  /** The queue the message came from. */
  readonly queue: DelayedQueue<ChannelMessageJob>;
  readonly deadLetters: DelayedQueue<ChannelMessageJob>;
  readonly clock: Clock;
  readonly newClaim: () => string;
  /** In [0, 1). */
  readonly uniform: () => number;
  /** Called for each attempt without an outcome. */
  readonly onFault: (tenantId: string, error: unknown) => void;
  /** Called when a message is dropped because the principal that set the channels lost a scope. */
  readonly onUnauthorized: (tenantId: string) => void;
}) => {
  const { channel, transport, store, tenants, credentials, queue, deadLetters, clock, newClaim } = deps;
  const { uniform, onFault, onUnauthorized } = deps;

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

  const send = async (tenantId: string, message: ChannelMessage): Promise<AttemptResult> => {
    const [tenant, notifications] = await Promise.all([
      tenants.tenant(tenantId),
      store.notificationsById(tenantId, message.named),
    ]);
    if (tenant === null || notifications.length === 0) return { kind: 'dropped' };
    if (!(await isAuthorized(tenant))) {
      onUnauthorized(tenantId);
      return { kind: 'dropped' };
    }
    return (await transport({ tenant, notifications, message })) ?? { kind: 'dropped' };
  };

  const attempt = async (tenantId: string, message: ChannelMessage): Promise<AttemptResult> => {
    try {
      return await send(tenantId, message);
    } catch (error) {
      onFault(tenantId, error);
      const retryAt = clock() + Math.floor(uniform() * backoffCap(message.faults));
      return { kind: 'faulted', retryAt, isThrottled: isThrottle(error) };
    }
  };

  return async (job: ChannelMessageJob): Promise<readonly DelayedMessage<ChannelMessageJob>[]> => {
    const { tenant_id: tenantId, posting: id, failed_after } = job;
    const found = await store.channelMessage(tenantId, { id, channel });
    if (found === null) return [];
    const message = revive(found.document, failed_after);
    if (message.state !== 'pending') return [];
    const startedAt = clock();
    const wait = Date.parse(message.due_at) - startedAt;
    if (wait > 0) return [{ message: job, wait }];

    const again = { tenant_id: tenantId, posting: id };
    /** The job first: a crash between both then repeats this, and the failure is never without its dead letter. */
    const fail = async (exhausted: ChannelMessage, expected: Revision): Promise<void> => {
      await deadLetters.send([{ message: { ...again, failed_after: exhausted.attempts }, wait: 0 }]);
      await save(tenantId, { ...exhausted, state: 'failed' }, expected);
    };
    // The worker ended in its last attempt.
    if (isExhausted(message)) {
      await fail(message, found.revision);
      return [];
    }
    const claimed = claimAttempt(message, startedAt);
    const lease = await save(tenantId, claimed, found.revision);
    // Another copy of the queue message holds the claim. If its worker crashes, the queue delivers that copy again.
    if (lease === null) return [];

    const result = await attempt(tenantId, claimed);
    const after = recordAttempt(claimed, result);
    if (result.kind === 'faulted' && isExhausted(after)) {
      await fail(after, lease);
      return [];
    }
    const saved = await save(tenantId, after, lease);
    if (saved !== null && after.state === 'pending')
      await queue.send([{ message: again, wait: Date.parse(after.due_at) - clock() }]);
    return [];
  };
};
