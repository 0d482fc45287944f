import type { Scope } from '../../../schemas/access/scopes.ts';
import type { CredentialReader } from '../../access/credential.store.ts';
import { heldScopes } from '../../access/heldScopes.ts';
import type { Egress } from '../../egress/egress.ts';
import type { Outbox } from '../../events/outbox.store.ts';
import type { DelayedQueue } from '../../shared/aws/delayedQueue.store.ts';
import type { DerivedKey } from '../../shared/aws/derivedKey.store.ts';
import { commit, type Versioned } from '../../shared/aws/document.store.ts';
import { tagInId } from '../../shared/ids.ts';
import { measure } from '../../shared/metrics.ts';
import type { Clock } from '../../shared/time/clock.ts';
import { covers } from '../endpoints/authorization.ts';
import type { EndpointStateStore, StoredEndpoint } from '../endpoints/endpoint.store.ts';
import type { StoredEntry, StreamStore } from '../streams/stream.store.ts';
import { decideScaledRetry, type Withheld, withheld } from './attemptOutcome.ts';
import { attemptCommitter, type CompletedAttempt } from './commitAttempts.ts';
import { type Delivery, dropDelivery } from './delivery.ts';
import type { DeliveryKey } from './deliveryKey.ts';
import type { DeliveryLog } from './deliveryLog.store.ts';
import type { DeliveryMessage } from './deliveryMessage.ts';
import type { EndpointKey, EndpointLeases } from './endpointLease.store.ts';
import { acquireLease, backoffFor, deferralDelay } from './endpointLease.ts';
import { canReceive, toOutboundMessage } from './outboundMessage.ts';

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

/** A delivery for which a message requests an attempt. */
interface RequestedAttempt {
  readonly deliveryKey: DeliveryKey;
  readonly found: Versioned<Delivery>;
}

/** An endpoint, and the scopes that the principal which authorized it holds now. */
interface AuthorizedEndpoint {
  readonly endpoint: StoredEndpoint;
  readonly held: ReadonlySet<Scope>;
}

const NO_SCOPES: ReadonlySet<Scope> = new Set();

/**
 * The outcome of an entry that must not be sent. Null when it may be sent. The types of the endpoint are not enough: its
 * stream may hold an entry of a type it no longer subscribes to, and the current authorization may not cover that type.
 */
const withheldFrom = (
  { events, authorized_by }: StoredEndpoint,
  held: ReadonlySet<Scope>,
  { event }: StoredEntry,
): Withheld | null => {
  if (!covers(held, events)) return withheld(authorized_by);
  return covers(held, [event.type]) ? null : withheld();
};

/**
 * Makes the attempts that a batch of messages for one endpoint requests, in parallel, under the lease of the endpoint. So
 * an endpoint gets at most as many concurrent calls as a batch has messages, a receiver that hangs blocks one process, and
 * the second copy of a message finds its attempt done. Messages for deliveries that are finished or have advanced are
 * ignored. The result of an attempt is committed together with its log entry. A crash between the call and the commit
 * causes a second delivery of the same event under the same sequence number, but no event is lost. Throws the SDK's error
 * when a table or queue does not answer.
 */
export const deliverer = (deps: DeliverDependencies) => {
  const { streams, endpoints, credentials, queue, leases, egress, key, clock, uniform, newClaim } = deps;
  const { scale = 1 } = deps;

  const drop = async (
    deliveryKey: DeliveryKey,
    { document, revision }: Versioned<Delivery>,
  ): Promise<void> => {
    await commit([
      streams.save(deliveryKey, dropDelivery(document), revision, { claim: newClaim(), attempt: 1 }),
    ]);
  };

  const attempt = async (
    { deliveryKey, entry, found }: RequestedAttempt & { readonly entry: StoredEntry },
    { endpoint, held }: AuthorizedEndpoint,
    commitAttempt: (completed: CompletedAttempt) => Promise<void>,
  ): Promise<void> => {
    const startedAt = clock();
    const message = toOutboundMessage(entry, endpoint, { key: await key(), now: startedAt });
    if (message === null) return drop(deliveryKey, found);

    const outcome = withheldFrom(endpoint, held, entry) ?? (await egress.post(endpoint.url, message));

    const endedAt = clock();
    const { attempts, first_attempt_at } = found.document;
    const firstAt = first_attempt_at === null ? startedAt : Date.parse(first_attempt_at);
    const next = decideScaledRetry(
      outcome,
      { attempts: attempts + 1, firstAt },
      { now: endedAt, uniform, scale },
    );
    const by = { claim: newClaim(), attempt: 1 };
    measure(next.kind === 'acknowledged' ? 'deliveries' : 'deliveryFailures');
    if (attempts === 0) measure('deliveryLatency', startedAt - Date.parse(entry.event.created_at));
    await commitAttempt({ deliveryKey, entry, found, startedAt, endedAt, outcome, next, by });
  };

  /** Returns the attempts of a batch that are due, without stale messages. Puts messages that are early back on the queue. */
  const selectDue = async (
    endpointKey: EndpointKey,
    messages: readonly DeliveryMessage[],
  ): Promise<RequestedAttempt[]> => {
    const deliveryKeys = messages.map(({ dedup_key }) => ({ ...endpointKey, dedupKey: dedup_key }));
    const stored = await streams.deliveries(deliveryKeys);
    const requested = messages.flatMap(
      (message, index): (RequestedAttempt & { message: DeliveryMessage })[] => {
        const [deliveryKey, found] = [deliveryKeys[index], stored[index]];
        if (deliveryKey === undefined || found?.document.state !== 'pending') return [];
        return found.document.attempts === message.attempt ? [{ deliveryKey, found, message }] : [];
      },
    );
    const waitOf = ({ found: { document } }: RequestedAttempt): number =>
      Date.parse(document.due_at) - clock();
    const early = requested.filter((one) => waitOf(one) > 0);
    if (early.length > 0) {
      await queue.send(
        early.map((one) => ({ message: { ...one.message, deferrals: 0 }, wait: waitOf(one) })),
      );
    }
    return requested.filter((one) => !early.includes(one));
  };

  /** Reads the endpoint, and the scopes of the principal that authorized it, once for the whole batch. */
  const readEndpoint = async ({ tenantId, endpointId }: EndpointKey) => {
    const found = await endpoints.versioned(tenantId, endpointId);
    if (found === null || found.document.state.status === 'disabled') return { found, held: NO_SCOPES };
    const { id, authorized_by } = found.document;
    return { found, held: await heldScopes(credentials, tagInId(id), authorized_by) };
  };

  const deliver = async (endpointKey: EndpointKey, messages: readonly DeliveryMessage[]): Promise<void> => {
    const due = await selectDue(endpointKey, messages);
    if (due.length === 0) return;
    const [{ found, held }, entries] = await Promise.all([
      readEndpoint(endpointKey),
      streams.entries(due.map(({ deliveryKey }) => deliveryKey)),
    ]);
    const commitAttempt = found === null ? null : attemptCommitter(deps, endpointKey, found);
    const attempts = due.map(async (one, index) => {
      const entry = entries[index] ?? null;
      if (found === null || commitAttempt === null || entry === null || !canReceive(found.document, entry)) {
        return drop(one.deliveryKey, one.found);
      }
      return attempt({ ...one, entry }, { endpoint: found.document, held }, commitAttempt);
    });
    const failed = (await Promise.allSettled(attempts)).find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
  };

  /** Puts messages back on the queue because another process has held the lease for `heldFor` milliseconds. */
  const deferMessages = async (
    endpointKey: EndpointKey,
    messages: readonly DeliveryMessage[],
    heldFor: number,
  ): Promise<void> => {
    const found = await endpoints.versioned(endpointKey.tenantId, endpointKey.endpointId);
    const backoff = backoffFor(found?.document ?? null, heldFor, clock());
    await queue.send(
      messages.map((message) => ({
        message: { ...message, deferrals: message.deferrals + 1 },
        wait: deferralDelay(message.deferrals, backoff, uniform),
      })),
    );
  };

  return async (messages: readonly [DeliveryMessage, ...DeliveryMessage[]]): Promise<void> => {
    const [{ tenant_id: tenantId, endpoint: endpointId }] = messages;
    const endpointKey = { tenantId, endpointId };
    const holder = newClaim();
    const heldFor = await acquireLease(deps, endpointKey, holder);
    // A batch may hold several copies of a message, and the messages of two attempts at one delivery.
    const distinct = [
      ...new Map(messages.map((message) => [`${message.dedup_key} ${message.attempt}`, message])).values(),
    ];
    if (heldFor !== null) return deferMessages(endpointKey, distinct, heldFor);
    try {
      await deliver(endpointKey, distinct);
    } finally {
      // A failed release does not fail the batch: the lease expires.
      await leases.release(endpointKey, holder).catch(() => undefined);
    }
  };
};
