import type { Scope } from '../../../schemas/access/scopes.ts';
import type { CredentialReader } from '../../access/credential.store.ts';
import type { Egress } from '../../egress/egress.ts';
import type { Outbox } from '../../events/outbox.store.ts';
import type { DerivedKey } from '../../shared/aws/derivedKey.store.ts';
import { commit, type Versioned } from '../../shared/aws/document.store.ts';
import type { Clock } from '../../shared/clock.ts';
import { tagInId } from '../../shared/ids.ts';
import { covers, heldScopes } from '../endpoints/authorization.ts';
import type { EndpointStateStore, StoredEndpoint } from '../endpoints/endpoint.store.ts';
import type { StoredEntry, StreamStore } from '../streams/stream.store.ts';
import { decideScaledRetry, type Withheld, withheld } from './attemptOutcome.ts';
import { attemptCommitter, type CompletedAttempt } from './commitAttempts.ts';
import { type Delivery, dropDelivery } from './delivery.ts';
import type { DeliveryKey } from './deliveryKey.ts';
import type { DeliveryLog } from './deliveryLog.store.ts';
import type { DeliveryMessage, DeliveryQueue } from './deliveryQueue.store.ts';
import type { EndpointKey, EndpointLeases } from './endpointLease.store.ts';
import { acquireLease, backoffFor, deferralDelay } from './endpointLease.ts';
import { canReceive, toOutboundMessage } from './outboundMessage.ts';

export interface DeliverDependencies {
  readonly streams: Pick<StreamStore, 'delivery' | 'deliveries' | 'entries' | 'save'>;
  readonly endpoints: Pick<EndpointStateStore, 'versioned' | 'replace'>;
  /** Whether whoever authorized an endpoint still may read its events. */
  readonly credentials: CredentialReader;
  readonly log: DeliveryLog;
  readonly outbox: Outbox;
  readonly queue: DeliveryQueue;
  readonly slots: EndpointLeases;
  readonly egress: Pick<Egress, 'post'>;
  /** Opens the seals of endpoints. */
  readonly key: DerivedKey;
  readonly clock: Clock;
  /** In [0, 1). */
  readonly uniform: () => number;
  /** Names whoever makes an attempt, uniquely. */
  readonly newClaim: () => string;
  readonly pause: (milliseconds: number) => Promise<unknown>;
  /** Multiplies the waits between attempts, and the day they go on for; for trying them out on one machine. */
  readonly scale?: number;
}

/** A delivery that a message asks to be attempted. */
interface RequestedAttempt {
  readonly deliveryKey: DeliveryKey;
  readonly found: Versioned<Delivery>;
}

/** An endpoint, and the scopes that whoever authorized it has now. */
interface Found {
  readonly endpoint: StoredEndpoint;
  readonly held: ReadonlySet<Scope>;
}

const NO_SCOPES: ReadonlySet<Scope> = new Set();

/**
 * The outcome of an entry that may not be sent; null where it may. An entry can be of a type that the endpoint no longer
 * subscribes to, and that whoever changed the endpoint since may not read.
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
 * Makes the attempts that messages of one endpoint ask for, all at once, while nobody else calls it: so an endpoint bears as
 * many calls at a time as a batch has messages, one that hangs holds up one process, and of two copies of a message the
 * later finds the attempt made. What has come further, or is over, is left alone. What followed from an attempt is
 * committed with its entry in the log, as soon as the commit before it is done: a crash between the call and its commit makes
 * one more delivery of the same event under the same sequence, and loses none. Throws what the SDK throws when the stores
 * cannot answer.
 */
export const deliverer = (deps: DeliverDependencies) => {
  const { streams, endpoints, credentials, queue, slots, egress, key, clock, uniform, newClaim } = deps;
  const { scale = 1 } = deps;

  const drop = async (place: DeliveryKey, { document, revision }: Versioned<Delivery>): Promise<void> => {
    await commit([streams.save(place, dropDelivery(document), revision, { claim: newClaim(), attempt: 1 })]);
  };

  const attempt = async (
    { deliveryKey, entry, found }: RequestedAttempt & { readonly entry: StoredEntry },
    { endpoint, held }: Found,
    settle: (ended: CompletedAttempt) => Promise<void>,
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
    await settle({ deliveryKey, entry, found, startedAt, endedAt, outcome, next, by });
  };

  /** What of a batch is still asked for, and due; what is due later is put back. */
  const selectDue = async (
    slot: EndpointKey,
    messages: readonly DeliveryMessage[],
  ): Promise<RequestedAttempt[]> => {
    const places = messages.map(({ dedup_key }) => ({ ...slot, dedupKey: dedup_key }));
    const seen = await streams.deliveries(places);
    const asked = messages.flatMap((message, index): (RequestedAttempt & { message: DeliveryMessage })[] => {
      const [place, one] = [places[index], seen[index]];
      if (place === undefined || one?.document.state !== 'pending') return [];
      return one.document.attempts === message.attempt ? [{ deliveryKey: place, found: one, message }] : [];
    });
    const waitOf = ({ found: { document } }: RequestedAttempt): number =>
      Date.parse(document.due_at) - clock();
    const early = asked.filter((one) => waitOf(one) > 0);
    if (early.length > 0) {
      const waiting = early.map((one) => ({
        message: { ...one.message, turned_away: 0 },
        wait: waitOf(one),
      }));
      await queue.send(waiting);
    }
    return asked.filter((one) => !early.includes(one));
  };

  /** The endpoint, and the scopes that whoever authorized it has now: one read of each for all of a batch. */
  const endpointOf = async ({ tenantId, endpointId }: EndpointKey) => {
    const found = await endpoints.versioned(tenantId, endpointId);
    if (found === null || found.document.state.status === 'disabled') return { found, held: NO_SCOPES };
    const { id, authorized_by } = found.document;
    return { found, held: await heldScopes(credentials, tagInId(id), authorized_by) };
  };

  const deliver = async (slot: EndpointKey, messages: readonly DeliveryMessage[]): Promise<void> => {
    const due = await selectDue(slot, messages);
    if (due.length === 0) return;
    const [{ found, held }, entries] = await Promise.all([
      endpointOf(slot),
      streams.entries(due.map(({ deliveryKey }) => deliveryKey)),
    ]);
    const settle = found === null ? null : attemptCommitter(deps, slot, found);
    const made = due.map(async (one, index) => {
      const entry = entries[index] ?? null;
      if (found === null || settle === null || entry === null || !canReceive(found.document, entry)) {
        return drop(one.deliveryKey, one.found);
      }
      return attempt({ ...one, entry }, { endpoint: found.document, held }, settle);
    });
    const failed = (await Promise.allSettled(made)).find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
  };

  const deferMessages = async (
    slot: EndpointKey,
    messages: readonly DeliveryMessage[],
    heldFor: number,
  ): Promise<void> => {
    const found = await endpoints.versioned(slot.tenantId, slot.endpointId);
    const pace = backoffFor(found?.document ?? null, heldFor, clock());
    await queue.send(
      messages.map((message) => ({
        message: { ...message, deferrals: message.deferrals + 1 },
        wait: deferralDelay(message.deferrals, pace, uniform),
      })),
    );
  };

  return async (messages: readonly [DeliveryMessage, ...DeliveryMessage[]]): Promise<void> => {
    const [{ tenant_id: tenantId, endpoint: endpointId }] = messages;
    const slot = { tenantId, endpointId };
    const holder = newClaim();
    const heldFor = await acquireLease(deps, slot, holder);
    // Of one delivery there may be copies, of the message for the next attempt and of the one before.
    const asked = [
      ...new Map(messages.map((message) => [`${message.dedup_key} ${message.attempt}`, message])).values(),
    ];
    if (heldFor !== null) return deferMessages(slot, asked, heldFor);
    try {
      await deliver(slot, asked);
    } finally {
      // Not worth a failure: its lease ends by itself.
      await slots.release(slot, holder).catch(() => undefined);
    }
  };
};
