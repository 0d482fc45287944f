import type { Scope } from '../../../../schemas/identity/scopes.ts';
import type { CredentialReader } from '../../../identity/access/principals/credential.store.ts';
import { heldScopes } from '../../../identity/access/principals/heldScopes.ts';
import type { Egress } from '../../../platform/egress/egress.ts';
import type { Outbox } from '../../../platform/outbox/outbox.store.ts';
import type { EarlyMessage, FailedMessage } from '../../../platform/queue/queueHandler.ts';
import type { DelayedQueue } from '../../../platform/shared/aws/delayedQueue.aws.ts';
import type { DerivedKey } from '../../../platform/shared/aws/derivedKey.aws.ts';
import { tagInId } from '../../../platform/shared/ids.ts';
import type { Clock } from '../../../platform/shared/time/clock.ts';
import type { EndpointStateStore, StoredEndpoint } from '../endpoints/endpoint.store.ts';
import { isPaused } from '../endpoints/endpointState.ts';
import type { StreamStore } from '../streams/stream.store.ts';
import type { DeliveryLog } from './deliveryLog.store.ts';
import {
  type DeliveryMessage,
  type DistinctMessage,
  toDeliveryMessage,
  withoutCopies,
} from './deliveryMessage.ts';
import { dueAttempts, type RequestedAttempt } from './dueAttempts.ts';
import { dueMessages } from './dueMessages.ts';
import type { EndpointKey, EndpointLeases } from './lease/endpointLease.store.ts';
import { acquireLease, backoffFor, deferralDelay } from './lease/endpointLease.ts';
import { attemptCommitter, type CompletedAttempt, deliveryAfter } from './outcome/commitAttempts.ts';
import { completeAttempts } from './outcome/completeAttempts.ts';
import { deliveryDropper } from './outcome/dropDeliveries.ts';
import { pauseHolder } from './outcome/holdPaused.ts';
import { toOutboundMessage } from './request/outboundMessage.ts';
import { deliveryPlanner, type SendableDelivery } from './request/planDeliveries.ts';
import type { PlannedRequest } from './request/plannedRequest.ts';

/** The most requests to an endpoint at the same time: as many as messages in a batch of the queue. */
const REQUESTS_MAXIMUM = 10;

export interface DeliverDependencies {
  readonly streams: Pick<StreamStore, 'delivery' | 'deliveries' | 'entries' | 'save'>;
  readonly endpoints: Pick<EndpointStateStore, 'versioned' | 'replace'>;
  /** Tells whether the principal that authorized an endpoint may still read its events. */
  readonly credentials: CredentialReader;
  readonly log: DeliveryLog;
  readonly outbox: Outbox;
  readonly queue: DelayedQueue<DeliveryMessage>;
  readonly leases: EndpointLeases;
  readonly egress: Pick<Egress, 'post'>;
  /** Decrypts the sealed secrets of endpoints. */
  readonly key: DerivedKey;
  readonly clock: Clock;
  /** In [0, 1). */
  readonly uniform: () => number;
  /** Returns a unique name for the writer of an attempt. */
  readonly newClaim: () => string;
  readonly pause: (milliseconds: number) => Promise<unknown>;
  /** Multiplies the delays between attempts and the 24-hour horizon. Only for local runs. */
  readonly scale?: number;
}

const NO_SCOPES: ReadonlySet<Scope> = new Set();

/**
 * Makes the attempts that a batch of messages for one endpoint requests, in parallel, under the lease of the endpoint. So
 * an endpoint gets at most ten concurrent calls, a receiver that hangs blocks one process, and the second copy of a message
 * finds its attempt done. Messages for finished deliveries are ignored. The result of an attempt is committed together with
 * its log entry. A crash between the call and the commit causes a second delivery of the same event under the same sequence
 * number, but no event is lost. The message of the next attempt is sent before this one is acknowledged. After a crash in
 * between, this one is received again, finds that its delivery has advanced, and is sent for the present attempt.
 * Returns the messages that came too early, and those that failed because a table or queue did not answer. Throws the SDK's
 * error when all failed for that reason.
 */
export const deliverer = (deps: DeliverDependencies) => {
  const { streams, endpoints, credentials, queue, leases, egress, key, clock, uniform, newClaim } = deps;
  const { scale = 1 } = deps;
  const drop = deliveryDropper(deps);
  const plan = deliveryPlanner({ key, clock, newClaim, uniform, scale });
  const hold = pauseHolder({ clock, newClaim, uniform, scale });

  /** Reads the endpoint, and the scopes of the principal that authorized it, once for the whole batch. */
  const readEndpoint = async ({ tenantId, endpointId }: EndpointKey) => {
    const found = await endpoints.versioned(tenantId, endpointId);
    if (found === null || found.document.state.status === 'disabled') return { found, held: NO_SCOPES };
    const { id, authorized_by } = found.document;
    return { found, held: await heldScopes(credentials, tagInId(id), authorized_by) };
  };

  const send = async (
    { deliveries, body, isBatch }: PlannedRequest<SendableDelivery>,
    endpoint: StoredEndpoint,
  ): Promise<CompletedAttempt[]> => {
    const startedAt = clock();
    const message = toOutboundMessage(body, endpoint, { key: await key(), now: startedAt });
    const outcome = await egress.post(endpoint.url, message);
    const shared = { outcome, startedAt, endedAt: clock(), claim: newClaim(), isBatch };
    return completeAttempts(deliveries, endpoint, shared, { uniform, scale });
  };

  /** Commits attempts, and requests the next ones. */
  const commitAndContinue = async (
    commitAttempts: (completed: readonly CompletedAttempt[]) => Promise<void>,
    completed: readonly CompletedAttempt[],
  ): Promise<void> => {
    await commitAttempts(completed);
    const deliveries = completed.map((one) => ({
      deliveryKey: one.deliveryKey,
      delivery: deliveryAfter(one),
    }));
    await queue.send(dueMessages(deliveries, clock()));
  };

  /** Returns what is to be received again. What failed for one request fails only the messages that ask for it. */
  const deliver = async (
    endpointKey: EndpointKey,
    due: readonly RequestedAttempt[],
  ): Promise<readonly (EarlyMessage<DeliveryMessage> | FailedMessage<DeliveryMessage>)[]> => {
    if (due.length === 0) return [];
    const [{ found, held }, entries] = await Promise.all([
      readEndpoint(endpointKey),
      streams.entries(due.map(({ deliveryKey }) => deliveryKey)),
    ]);
    if (found === null) {
      await drop(due);
      return [];
    }
    const endpoint = found.document;
    const withEntries = due.map((one, index) => ({ ...one, entry: entries[index] ?? null }));
    if (isPaused(endpoint.state)) {
      await drop(withEntries.filter(({ entry }) => entry === null));
      const kept = withEntries.flatMap((one) => (one.entry === null ? [] : [{ ...one, entry: one.entry }]));
      return hold(attemptCommitter(deps, endpointKey, found), endpoint, kept);
    }
    const { requests, withheld: refused, dropped } = await plan(withEntries, endpoint, held);
    const commitAttempts = attemptCommitter(deps, endpointKey, found);
    const failed = new Map<DeliveryMessage, unknown>();
    const work = async (attempts: readonly RequestedAttempt[], run: () => Promise<void>): Promise<void> => {
      try {
        if (attempts.length > 0) await run();
      } catch (error) {
        for (const { message } of attempts) failed.set(message, error);
      }
    };
    /** They do not fit in this round. */
    const later = requests.slice(REQUESTS_MAXIMUM).flatMap(({ deliveries }) => deliveries);
    await Promise.all([
      work(dropped, () => drop(dropped)),
      work(
        due.filter(({ deliveryKey }) => refused.some((one) => one.deliveryKey === deliveryKey)),
        () => commitAndContinue(commitAttempts, refused),
      ),
      ...requests
        .slice(0, REQUESTS_MAXIMUM)
        .map((request) =>
          work(request.deliveries, async () =>
            commitAndContinue(commitAttempts, await send(request, endpoint)),
          ),
        ),
      work(later, () =>
        queue.send(
          dueMessages(
            later.map(({ deliveryKey, found }) => ({ deliveryKey, delivery: found.document })),
            clock(),
          ),
        ),
      ),
    ]);
    return [...failed].map(([message, error]) => ({ message, error }));
  };

  /**
   * The messages as early ones, because another process has held the lease for `heldFor` milliseconds. At its first receive
   * a message is sent anew: the backlog of a slow receiver comes back more often than a message may be received.
   */
  const deferMessages = async (
    endpointKey: EndpointKey,
    messages: readonly DistinctMessage[],
    heldFor: number,
  ): Promise<readonly EarlyMessage<DeliveryMessage>[]> => {
    const found = await endpoints.versioned(endpointKey.tenantId, endpointKey.endpointId);
    const backoff = backoffFor(found?.document ?? null, heldFor, clock());
    return messages.map(({ message, requests }) => ({
      message,
      replacement: toDeliveryMessage(endpointKey, requests, message.deferrals + 1),
      wait: deferralDelay(message.deferrals, backoff, uniform),
    }));
  };

  return async (
    messages: readonly [DeliveryMessage, ...DeliveryMessage[]],
  ): Promise<readonly (EarlyMessage<DeliveryMessage> | FailedMessage<DeliveryMessage>)[]> => {
    const [{ tenant_id: tenantId, endpoint: endpointId }] = messages;
    const endpointKey = { tenantId, endpointId };
    const holder = newClaim();
    const heldFor = await acquireLease(deps, endpointKey, holder);
    const distinct = withoutCopies(messages);
    if (heldFor !== null) return deferMessages(endpointKey, distinct, heldFor);
    try {
      const { due, early, advanced } = await dueAttempts(deps, endpointKey, distinct);
      await queue.send(dueMessages(advanced, clock()));
      return [...early, ...(await deliver(endpointKey, due))];
    } finally {
      // A failed release does not fail the batch: the lease expires.
      await leases.release(endpointKey, holder).catch(() => undefined);
    }
  };
};
