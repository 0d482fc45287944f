import type { ChannelName, Notification } from '../../../../schemas/delivery/notifications.ts';
import type { CredentialReader } from '../../../identity/access/principals/credential.store.ts';
import { heldScopes } from '../../../identity/access/principals/heldScopes.ts';
import { isThrottle } from '../../../platform/shared/aws/calls/throttling.ts';
import type { DelayedMessage, DelayedQueue } from '../../../platform/shared/aws/delayedQueue.aws.ts';
import { type HeldDocument, takeDocumentLease } from '../../../platform/shared/aws/documentLease.ts';
import { measure } from '../../../platform/shared/metrics.ts';
import type { Clock } from '../../../platform/shared/time/clock.ts';
import { isHeld } from '../../../platform/shared/time/lease.ts';
import type { TenantReader } from '../../../platform/tenancy/tenant.store.ts';
import type { Tenant } from '../../../platform/tenancy/tenant.ts';
import { afterAttempt, waitOf } from '../../webhooks/deliveries/progress.ts';
import type { RetryDecision } from '../../webhooks/deliveries/retrySchedule.ts';
import type { ChannelMessageStore } from '../notification.store.ts';
import type { ChannelMessageJob } from '../queueMessage.ts';
import { backoffCap, type ChannelMessage, FAULTS_MAXIMUM, LEASE_MS, revive } from './channelMessage.ts';
import { channelsOf, missingChannelScopes } from './channels.ts';

/** A message during an attempt, with its tenant and the notifications it lists. */
export interface ChannelMessageContext {
  readonly tenant: Tenant;
  readonly notifications: readonly Notification[];
  readonly message: ChannelMessage;
}

/** Not all addresses were accepted. */
interface PartlyAccepted {
  readonly kind: 'partly_accepted';
  /** Also those of earlier attempts. */
  readonly accepted: string[];
  readonly error: unknown;
}

/** Sends a message over a channel and returns what happens next. Null when the tenant has removed the channel. */
export type ChannelTransport = (
  context: ChannelMessageContext,
) => Promise<RetryDecision | PartlyAccepted | null>;

/** What an attempt came to. `faulted` without an outcome for all addresses. */
type AttemptResult =
  | RetryDecision
  | { readonly kind: 'dropped' }
  | { readonly kind: 'faulted'; readonly isThrottled: boolean; readonly accepted?: string[] };

/** The promise of 30 seconds holds for the message, so it is measured where mail and chat have accepted it. */
const measureCritical = (sent: readonly Notification[], at: number): void => {
  for (const { severity, created_at } of sent)
    if (severity === 'critical') measure('notificationLatency', at - Date.parse(created_at));
};

/**
 * Returns a handler that sends the channel message a queue message names. An attempt is leased before it is made, so that
 * only one copy of a queue message sends. A crash after sending and before saving causes a second send when its lease
 * expires. Returns the queue message if it came too early. An error of an attempt is retried with growing delays.
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

  /** Whether who set the channels may still read every notification, and whose report it is what it was made from. */
  const isAuthorized = async (tenant: Tenant, { report }: ChannelMessage): Promise<boolean> => {
    const authorization = report === undefined ? channelsOf(tenant).authorized_by : report.authorized_by;
    const held = await heldScopes(credentials, tenant.tag, authorization);
    return report === undefined
      ? missingChannelScopes(held).length === 0
      : report.authorized_by.scopes.every((scope) => held.has(scope));
  };

  const send = async (
    tenantId: string,
    message: ChannelMessage,
  ): Promise<Exclude<AttemptResult, { kind: 'faulted' }> | PartlyAccepted> => {
    const [tenant, notifications] = await Promise.all([
      tenants.tenant(tenantId),
      store.notificationsById(tenantId, message.named),
    ]);
    const isEmpty = notifications.length === 0 && message.report === undefined;
    if (tenant === null || isEmpty) return { kind: 'dropped' };
    if (!(await isAuthorized(tenant, message))) {
      onUnauthorized(tenantId);
      return { kind: 'dropped' };
    }
    const result = await transport({ tenant, notifications, message });
    if (result?.kind === 'acknowledged') measureCritical(notifications, clock());
    return result ?? { kind: 'dropped' };
  };

  const attempt = async (tenantId: string, message: ChannelMessage): Promise<AttemptResult> => {
    try {
      const result = await send(tenantId, message);
      if (result.kind !== 'partly_accepted') return result;
      const { accepted, error } = result;
      onFault(tenantId, error);
      return { kind: 'faulted', isThrottled: isThrottle(error), accepted };
    } catch (error) {
      onFault(tenantId, error);
      return { kind: 'faulted', isThrottled: isThrottle(error) };
    }
  };

  /** Takes the lease of a due message, and counts the attempt as one without an outcome until it has one. */
  const beginAttempt = (
    { tenant_id: tenantId, posting: id, failed_after }: ChannelMessageJob,
    now: number,
  ): Promise<HeldDocument<ChannelMessage> | null> =>
    takeDocumentLease<ChannelMessage>(
      {
        read: () => store.channelMessage(tenantId, { id, channel }),
        replace: (...write) => store.putChannelMessage(tenantId, ...write),
        leaseIn: ({ lease }) => lease,
        withLease: (message, lease) => ({ ...message, lease }),
        lifetime: LEASE_MS,
        newClaim,
        subject: 'a channel message',
      },
      now,
      (stored) => {
        const message = revive(stored, failed_after);
        const isDue = message.state === 'pending' && waitOf(message, now) <= 0;
        return isDue ? { ...message, faults: message.faults + 1 } : null;
      },
    );

  return async (job: ChannelMessageJob): Promise<readonly DelayedMessage<ChannelMessageJob>[]> => {
    const { tenant_id: tenantId, posting: id, failed_after } = job;
    const again = { tenant_id: tenantId, posting: id };
    const found = await store.channelMessage(tenantId, { id, channel });
    if (found === null) return [];
    const startedAt = clock();
    const { state, lease, due_at } = revive(found.document, failed_after);
    if (state !== 'pending') return [];
    const isLeased = lease !== null && isHeld(lease, LEASE_MS, startedAt);
    const wait = isLeased ? lease.until - startedAt : waitOf({ due_at }, startedAt);
    if (wait > 0) return [{ message: job, wait }];
    const held = await beginAttempt(job, startedAt);
    // Another copy of the queue message holds the lease. If its worker crashes, the queue delivers that copy again.
    if (held === null) return [];

    /** The job first: a crash between both then repeats this, and the failure is never without its dead letter. */
    const fail = async (attempts: number, accepted?: string[]): Promise<void> => {
      await deadLetters.send([{ message: { ...again, failed_after: attempts }, wait: 0 }]);
      await held.update(clock(), (message) => ({
        ...message,
        ...(accepted !== undefined && { accepted }),
        attempts,
        state: 'dead_lettered',
        lease: null,
      }));
    };
    const { attempts, faults } = held.document;
    // The worker ended in its last attempt.
    if (faults > FAULTS_MAXIMUM) {
      await fail(attempts);
      return [];
    }
    const result = await attempt(tenantId, held.document);
    const isFaulted = result.kind === 'faulted';
    // A throttled attempt says nothing about the message.
    const counted = isFaulted ? faults - (result.isThrottled ? 1 : 0) : 0;
    if (isFaulted && counted >= FAULTS_MAXIMUM) {
      await fail(attempts + 1, result.accepted);
      return [];
    }
    const next = isFaulted
      ? { kind: 'retry' as const, at: clock() + Math.floor(uniform() * backoffCap(faults)) }
      : result;
    const saved = await held.update(clock(), (message) => ({
      ...afterAttempt(message, next, startedAt),
      ...(isFaulted && result.accepted !== undefined && { accepted: result.accepted }),
      faults: counted,
      lease: null,
    }));
    if (saved?.state === 'pending') await queue.send([{ message: again, wait: waitOf(saved, clock()) }]);
    return [];
  };
};
