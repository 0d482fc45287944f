import type { Scope } from '../../../../schemas/identity/scopes.ts';
import type { CredentialReader } from '../../../identity/access/credential.store.ts';
import { heldScopes } from '../../../identity/access/heldScopes.ts';
import type { Egress } from '../../../platform/egress/egress.ts';
import type { Outbox } from '../../../platform/outbox/outbox.store.ts';
import type { DelayedMessage, DelayedQueue } from '../../../platform/shared/aws/delayedQueue.aws.ts';
import type { DerivedKey } from '../../../platform/shared/aws/derivedKey.aws.ts';
import { tagInId } from '../../../platform/shared/ids.ts';
import type { Clock } from '../../../platform/shared/time/clock.ts';
import type { EndpointStateStore, StoredEndpoint } from '../endpoints/endpoint.store.ts';
import { isPaused } from '../endpoints/endpointState.ts';
import type { StreamStore } from '../streams/stream.store.ts';
import { attemptCommitter, type CompletedAttempt } from './commitAttempts.ts';
import { completeAttempts, type DueDelivery } from './completeAttempts.ts';
import type { DeliveryLog } from './deliveryLog.store.ts';
import {
  type DeliveryMessage,
  type DistinctMessage,
  toDeliveryMessage,
  withoutCopies,
} from './deliveryMessage.ts';
import { deliveryDropper } from './dropDeliveries.ts';
import { type DueAttempt, dueAttempts, type RequestedAttempt } from './dueAttempts.ts';
import type { EndpointKey, EndpointLeases } from './endpointLease.store.ts';
import { acquireLease, backoffFor, deferralDelay } from './endpointLease.ts';
import { pauseHolder } from './holdPaused.ts';
import { canReceive, envelopeOf, toOutboundMessage } from './outboundMessage.ts';
import { type PlannedRequest, planRequests } from './plannedRequest.ts';
import { withheldFrom } from './withheldFrom.ts';

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

/** A delivery that is sent, with the bytes of its event. */
interface SendableDelivery extends DueDelivery {
  readonly envelope: Uint8Array;
}

/** What becomes of the due deliveries to an endpoint. */
interface DeliveryPlan {
  readonly requests: readonly PlannedRequest<SendableDelivery>[];
  readonly withheld: readonly CompletedAttempt[];
  readonly dropped: readonly RequestedAttempt[];
}

/** A message that came too early, with another to send in its place if it is sent again. */
type ReturnedMessage = DelayedMessage<DeliveryMessage> & { readonly replacement?: DeliveryMessage };

const NO_SCOPES: ReadonlySet<Scope> = new Set();

/**
 * Makes the attempts that a batch of messages for one endpoint requests, in parallel, under the lease of the endpoint. So
 * an endpoint gets at most ten concurrent calls, a receiver that hangs blocks one process, and the second copy of a message
 * finds its attempt done. Messages for deliveries that are finished or have advanced are ignored. The result of an attempt
 * is committed together with its log entry. A crash between the call and the commit causes a second delivery of the same
 * event under the same sequence number, but no event is lost. Returns the messages that came too early. Throws the SDK's
 * error when a table or queue does not answer.
 */
export const deliverer = (deps: DeliverDependencies) => {
  const { streams, endpoints, credentials, queue, leases, egress, key, clock, uniform, newClaim } = deps;
  const { scale = 1 } = deps;
  const drop = deliveryDropper(deps);
  const hold = pauseHolder({ clock, newClaim, uniform, scale });

  /** Reads the endpoint, and the scopes of the principal that authorized it, once for the whole batch. */
  const readEndpoint = async ({ tenantId, endpointId }: EndpointKey) => {
    const found = await endpoints.versioned(tenantId, endpointId);
    if (found === null || found.document.state.status === 'disabled') return { found, held: NO_SCOPES };
    const { id, authorized_by } = found.document;
    return { found, held: await heldScopes(credentials, tagInId(id), authorized_by) };
  };

  /** Decides about each delivery before requests are built: a batch holds only events that the endpoint may get. */
  const plan = async (
    due: readonly (RequestedAttempt & { readonly entry: DueDelivery['entry'] | null })[],
    endpoint: StoredEndpoint,
    held: ReadonlySet<Scope>,
  ): Promise<DeliveryPlan> => {
    const sendable: SendableDelivery[] = [];
    const refused: CompletedAttempt[] = [];
    const dropped: RequestedAttempt[] = [];
    const derivedKey = await key();
    for (const one of due) {
      const { entry } = one;
      const isReceived = entry !== null && canReceive(endpoint, entry);
      const envelope = isReceived ? envelopeOf(entry, endpoint, derivedKey) : null;
      if (entry === null || envelope === null) {
        dropped.push(one);
        continue;
      }
      const outcome = withheldFrom(endpoint, held, entry);
      if (outcome === null) {
        sendable.push({ ...one, entry, envelope });
        continue;
      }
      const at = clock();
      const shared = { outcome, startedAt: at, endedAt: at, claim: newClaim(), isBatch: false };
      refused.push(...completeAttempts([{ ...one, entry }], endpoint, shared, { uniform, scale }));
    }
    return { requests: planRequests(sendable, endpoint.max_batch_size), withheld: refused, dropped };
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

  /** Puts deliveries that did not fit in this round back on the queue. */
  const returnToQueue = async (
    endpointKey: EndpointKey,
    requests: readonly PlannedRequest<SendableDelivery>[],
  ): Promise<void> => {
    if (requests.length === 0) return;
    const toRequest = ({ deliveryKey, found }: SendableDelivery) => ({
      dedup_key: deliveryKey.dedupKey,
      attempt: found.document.attempts,
    });
    await queue.send(
      requests.map(({ deliveries: [first, ...others] }) => ({
        message: toDeliveryMessage(endpointKey, [toRequest(first), ...others.map(toRequest)]),
        wait: 0,
      })),
    );
  };

  const deliver = async (
    endpointKey: EndpointKey,
    due: readonly DueAttempt[],
  ): Promise<readonly ReturnedMessage[]> => {
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
    if (isPaused(endpoint.state))
      return hold(attemptCommitter(deps, endpointKey, found), endpoint, withEntries);
    const { requests, withheld: refused, dropped } = await plan(withEntries, endpoint, held);
    const commitAttempts = attemptCommitter(deps, endpointKey, found);
    const work = [
      drop(dropped),
      ...(refused.length > 0 ? [commitAttempts(refused)] : []),
      ...requests
        .slice(0, REQUESTS_MAXIMUM)
        .map(async (request) => commitAttempts(await send(request, endpoint))),
      returnToQueue(endpointKey, requests.slice(REQUESTS_MAXIMUM)),
    ];
    const failed = (await Promise.allSettled(work)).find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
    return [];
  };

  /**
   * The messages as early ones, because another process has held the lease for `heldFor` milliseconds. At its first receive
   * a message is sent anew: the backlog of a slow receiver comes back more often than a message may be received.
   */
  const deferMessages = async (
    endpointKey: EndpointKey,
    messages: readonly DistinctMessage[],
    heldFor: number,
  ): Promise<readonly ReturnedMessage[]> => {
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
  ): Promise<readonly ReturnedMessage[]> => {
    const [{ tenant_id: tenantId, endpoint: endpointId }] = messages;
    const endpointKey = { tenantId, endpointId };
    const holder = newClaim();
    const heldFor = await acquireLease(deps, endpointKey, holder);
    const distinct = withoutCopies(messages);
    if (heldFor !== null) return deferMessages(endpointKey, distinct, heldFor);
    try {
      const { due, early } = await dueAttempts(deps, endpointKey, distinct);
      return [...early, ...(await deliver(endpointKey, due))];
    } finally {
      // A failed release does not fail the batch: the lease expires.
      await leases.release(endpointKey, holder).catch(() => undefined);
    }
  };
};
